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
import { TaxRates } from '../../application/catalogue/tax-rates.service.js';
import { TaxRatesQuery } from '../../infrastructure/catalogue/tax-rates.query.js';
import {
  CreateTaxRateRequest,
  ListTaxRatesQuery,
  PatchTaxRateRequest,
  presentTaxRate,
  TaxRateBody,
  TaxRatePage,
  toNewTaxRate,
  toTaxRateChange,
  toTaxRateFilter,
} from '../../wire/catalogue/tax-rate.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';
import { DocumentRefusal } from '../../domain/refusals.js';

@ApiTags('catalogue')
@Controller('v1/finance/tax-rates')
export class TaxRatesController {
  constructor(
    private readonly taxRates: TaxRates,
    private readonly query: TaxRatesQuery,
  ) {}

  @Post('', 'documents:write', {
    summary: 'Create a tax rate',
    description: 'Its tax never changes: for another one, archive it and create that.',
    example: { name: 'VAT Germany', tax_rate: '19', country: 'DE' },
    creates: TaxRateBody,
    at: 'finance/tax-rates/{id}',
    problems: [
      FieldRefusal.validation_failed,
      FieldRefusal.unknown_field,
      DocumentRefusal.tax_rate_required,
      DocumentRefusal.tax_rate_not_allowed,
      DocumentRefusal.exemption_not_allowed,
    ],
  })
  async createTaxRate(
    @CallerOf() caller: Caller,
    @Body({ schema: CreateTaxRateRequest }) body: CreateTaxRateRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentTaxRate, (guard) =>
      this.taxRates.create(byClient(caller), toNewTaxRate(body), guard),
    );
  }

  @Get('', 'documents:read', {
    summary: 'List tax rates, newest first',
    description: 'By category or country. Archived ones are left out unless you ask for them.',
    answers: TaxRatePage,
  })
  async listTaxRates(
    @CallerOf() caller: Caller,
    @Query({ schema: ListTaxRatesQuery }) asked: ListTaxRatesQuery,
  ) {
    const { limit = DEFAULT_PAGE_SIZE } = asked;
    const filter = toTaxRateFilter(asked);
    const cursors = new Cursors({ list: 'tax_rates', filter }, []);
    const after = cursors.read(asked.cursor);
    const rows = await this.query.list(caller.accountId, filter, after, limit + 1);
    const keyOf = ({ id }: { id: Uuid }) => cursors.keyOf({ keys: [], id });
    return withTotalCount(
      toPage(rows, limit, keyOf, selecting(asked, presentTaxRate)),
      asked,
      (most) => this.query.count(caller.accountId, filter, most),
    );
  }

  @Get(':id', 'documents:read', {
    summary: 'Read a tax rate',
    description: 'With category, percent, reason of an exemption and country. These never change.',
    answers: TaxRateBody,
    problems: [DocumentRefusal.tax_rate_not_found],
  })
  async getTaxRate(@CallerOf() caller: Caller, @Param('id') id: string) {
    const rate = await this.query.find(caller.accountId, taxRateId(id));
    return presentTaxRate(rate);
  }

  @Patch(':id', 'documents:write', {
    summary: 'Rename a tax rate',
    description: 'Changes what you call it. The tax itself stays.',
    example: { name: 'VAT Germany, standard' },
    takes: 'mergePatch',
    answers: TaxRateBody,
    problems: [
      DocumentRefusal.tax_rate_not_found,
      FieldRefusal.validation_failed,
      FieldRefusal.unknown_field,
    ],
  })
  async updateTaxRate(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: PatchTaxRateRequest }) body: PatchTaxRateRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const change = toTaxRateChange(body);
    return once.run(presentTaxRate, (guard) =>
      this.taxRates.change(byClient(caller), taxRateId(id), change, expected, guard),
    );
  }

  @Post(':id/archive', 'documents:write', {
    summary: 'Archive a tax rate: lists leave it out, and new lines refuse it',
    description:
      'Lines that named it keep their tax. The default of new lines is refused with `tax_rate_in_use`.',
    answers: TaxRateBody,
    problems: [DocumentRefusal.tax_rate_not_found, DocumentRefusal.tax_rate_in_use],
  })
  async archiveTaxRate(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentTaxRate, (guard) =>
      this.taxRates.archive(byClient(caller), taxRateId(id), expected, guard),
    );
  }

  @Post(':id/unarchive', 'documents:write', {
    summary: 'Unarchive a tax rate',
    description:
      'Lists have it again, and new lines may take its tax. The same call may be sent again.',
    answers: TaxRateBody,
    problems: [DocumentRefusal.tax_rate_not_found],
  })
  async unarchiveTaxRate(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentTaxRate, (guard) =>
      this.taxRates.unarchive(byClient(caller), taxRateId(id), expected, guard),
    );
  }
}

/** The UUID in a path. @throws DomainError `tax_rate_not_found` for any other text */
function taxRateId(text: string): Uuid {
  const uuid = uuidOf('txr', text);
  if (!uuid) throw DocumentRefusal.tax_rate_not_found.of();
  return uuid;
}
