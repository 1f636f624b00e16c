import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  MarkUnmatchedItemRequest,
  ListUnmatchedItemsQuery,
  UnmatchedItemPage,
  UnmatchedItemBody,
  presentUnmatchedItem,
} from '../recording/wire/unmatched-item.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { pageById } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { UnmatchedItems } from '../recording/application/unmatched-items.service.js';
import { UnmatchedItemsQuery } from '../recording/infrastructure/unmatched-items.query.js';
import type { UnmatchedItemStatus } from '../recording/domain/unmatched-item.js';
import { PaymentRefusal } from '../port/domain/payment-refusals.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

const MARK_PROBLEMS = [
  PaymentRefusal.item_not_found,
  PaymentRefusal.item_in_that_state,
  FieldRefusal.invalid_text,
  FieldRefusal.validation_failed,
] as const;

/** Money that moved at a provider and is in no books. A person sees to it, and says so. */
@ApiTags('unmatched items')
@Controller('v1/finance/unmatched-items')
export class UnmatchedItemsController {
  constructor(
    private readonly items: UnmatchedItems,
    private readonly query: UnmatchedItemsQuery,
  ) {}

  @Get('', 'payments:read', {
    summary: 'List money of providers that is in no books, newest first',
    description:
      'What a provider told and nothing here could take: each says what to do. Open ones, unless you ask for others.',
    answers: UnmatchedItemPage,
  })
  async listUnmatchedItems(
    @CallerOf() caller: Caller,
    @Query({ schema: ListUnmatchedItemsQuery }) query: ListUnmatchedItemsQuery,
  ) {
    const { status = 'open' } = query;
    return pageById({ list: 'unmatched-items', status }, query, {
      rows: async (after, count) => this.query.list(caller.accountId, status, after, count),
      present: presentUnmatchedItem,
      total: async (most) => this.query.count(caller.accountId, status, most),
    });
  }

  @Get(':id', 'payments:read', {
    summary: 'Read an unmatched item',
    description: 'With amount, currency, gateway, what the provider said, and what to do about it.',
    answers: UnmatchedItemBody,
    problems: [PaymentRefusal.item_not_found],
  })
  async getUnmatchedItem(@CallerOf() caller: Caller, @Param('id') id: string) {
    return presentUnmatchedItem(await this.query.get(caller.accountId, itemId(id)));
  }

  @Post(':id/close', 'payments:write', {
    summary: 'Mark an unmatched item as done',
    description: 'With the reason, which is kept. Nothing is booked by it.',
    example: { reason: 'Paid back by hand' },
    answers: UnmatchedItemBody,
    problems: MARK_PROBLEMS,
  })
  async closeUnmatchedItem(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: MarkUnmatchedItemRequest }) { reason }: MarkUnmatchedItemRequest,
    @OnceOnly() once: Once,
  ) {
    return this.mark(caller, id, { status: 'closed', reason }, once);
  }

  @Post(':id/reopen', 'payments:write', {
    summary: 'Open an unmatched item again',
    description:
      'Its reason for being done stays in the audit log. The same call may be sent again.',
    example: { reason: 'It is not settled yet' },
    answers: UnmatchedItemBody,
    problems: MARK_PROBLEMS,
  })
  async reopenUnmatchedItem(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: MarkUnmatchedItemRequest }) { reason }: MarkUnmatchedItemRequest,
    @OnceOnly() once: Once,
  ) {
    return this.mark(caller, id, { status: 'open', reason }, once);
  }

  private async mark(
    caller: Caller,
    id: string,
    as: { status: UnmatchedItemStatus; reason: string },
    once: Once,
  ) {
    return once.run(presentUnmatchedItem, (guard) =>
      this.items.mark(byClient(caller), caller.clientId, itemId(id), as, guard),
    );
  }
}

function itemId(text: string): Uuid {
  const id = uuidOf('item', text);
  if (!id) throw PaymentRefusal.item_not_found.of();
  return id;
}
