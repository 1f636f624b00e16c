import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Uuid, uuidOf } from '../../../kernel/ids.js';
import type { ExpectedVersions } from '../../../kernel/versions.js';
import { NoFields } from '../../../platform/http/validation/shapes.js';
import { IfMatch } from '../../../platform/http/if-match.js';
import {
  Cursors,
  DEFAULT_PAGE_SIZE,
  toPage,
  withTotalCount,
} from '../../../platform/http/paging.js';
import { selecting } from '../../../platform/http/selected-fields.js';
import { byClient, type Caller, CallerOf } from '../../../platform/http/request.js';
import { Get, Patch, Post } from '../../../platform/http/route.js';
import type { Once } from '../../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../../platform/idempotency/once.decorator.js';
import { CatalogueItems } from '../../application/catalogue/catalogue-items.service.js';
import { CatalogueItemsQuery } from '../../infrastructure/catalogue/catalogue-items.query.js';
import {
  CreateItemRequest,
  ListItemsQuery,
  PatchItemRequest,
  ItemBody,
  ItemPage,
  presentItem,
  toItemChange,
  toItemFilter,
  toNewItem,
} from '../../wire/catalogue/item.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';
import { DocumentRefusal } from '../../domain/refusals.js';

const FIELD_PROBLEMS = [
  FieldRefusal.validation_failed,
  FieldRefusal.unknown_field,
  DocumentRefusal.external_id_taken,
  DocumentRefusal.one_price_required,
  FieldRefusal.said_twice,
  DocumentRefusal.tax_rate_required,
  DocumentRefusal.tax_rate_not_allowed,
  DocumentRefusal.exemption_not_allowed,
  DocumentRefusal.unknown_tax_rate,
  DocumentRefusal.tax_rate_archived,
] as const;

@ApiTags('catalogue')
@Controller('v1/finance/items')
export class ItemsController {
  constructor(
    private readonly items: CatalogueItems,
    private readonly query: CatalogueItemsQuery,
  ) {}

  @Post('', 'documents:write', {
    summary: 'Create an item',
    description:
      'A line that names it by `item_id` copies description, price, unit and tax, unless it says its own. It has one price for each currency.',
    example: {
      name: 'Consulting',
      sku: 'C-1',
      unit: 'HUR',
      prices: [{ currency: 'EUR', unit_amount: 9500 }],
      tax_rate: '19',
    },
    creates: ItemBody,
    at: 'finance/items/{id}',
    problems: FIELD_PROBLEMS,
  })
  async createItem(
    @CallerOf() caller: Caller,
    @Body({ schema: CreateItemRequest }) body: CreateItemRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentItem, (guard) =>
      this.items.create(byClient(caller), toNewItem(body), guard),
    );
  }

  @Get('', 'documents:read', {
    summary: 'List items, newest first',
    description:
      'With filters for your own id, the SKU and words of the item. Archived ones are left out unless you ask for them.',
    answers: ItemPage,
  })
  async listItems(
    @CallerOf() caller: Caller,
    @Query({ schema: ListItemsQuery }) asked: ListItemsQuery,
  ) {
    const { limit = DEFAULT_PAGE_SIZE } = asked;
    const filter = toItemFilter(asked);
    const cursors = new Cursors({ list: 'items', filter }, []);
    const after = cursors.read(asked.cursor);
    const rows = await this.query.list(caller.accountId, filter, after, limit + 1);
    const keyOf = ({ id }: { id: Uuid }) => cursors.keyOf({ keys: [], id });
    return withTotalCount(
      toPage(rows, limit, keyOf, selecting(asked, presentItem)),
      asked,
      (most) => this.query.count(caller.accountId, filter, most),
    );
  }

  @Get(':id', 'documents:read', {
    summary: 'Read an item',
    description: 'As it is now, archived or not, with its price in each currency.',
    answers: ItemBody,
    problems: [DocumentRefusal.catalogue_item_not_found],
  })
  async getItem(@CallerOf() caller: Caller, @Param('id') id: string) {
    const item = await this.query.find(caller.accountId, itemId(id));
    return presentItem(item);
  }

  @Patch(':id', 'documents:write', {
    summary: 'Change an item',
    description: 'No document and no draft changes: lines copied what they named.',
    example: { prices: [{ currency: 'EUR', unit_amount: 9900 }] },
    takes: 'mergePatch',
    answers: ItemBody,
    problems: [DocumentRefusal.catalogue_item_not_found, ...FIELD_PROBLEMS],
  })
  async updateItem(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: PatchItemRequest }) body: PatchItemRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const change = toItemChange(body);
    return once.run(presentItem, (guard) =>
      this.items.change(byClient(caller), itemId(id), change, expected, guard),
    );
  }

  @Post(':id/archive', 'documents:write', {
    summary: 'Archive an item: lists leave it out, and new lines refuse it',
    description: 'Lines that named it stay as they are. The same call may be sent again.',
    answers: ItemBody,
    problems: [DocumentRefusal.catalogue_item_not_found],
  })
  async archiveItem(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentItem, (guard) =>
      this.items.archive(byClient(caller), itemId(id), expected, guard),
    );
  }

  @Post(':id/unarchive', 'documents:write', {
    summary: 'Unarchive an item',
    description: 'Lists have it again, and new lines may name it. The same call may be sent again.',
    answers: ItemBody,
    problems: [DocumentRefusal.catalogue_item_not_found],
  })
  async unarchiveItem(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentItem, (guard) =>
      this.items.unarchive(byClient(caller), itemId(id), expected, guard),
    );
  }
}

/** The UUID in a path. @throws DomainError `catalogue_item_not_found` for any other text */
function itemId(text: string): Uuid {
  const uuid = uuidOf('prod', text);
  if (!uuid) throw DocumentRefusal.catalogue_item_not_found.of();
  return uuid;
}
