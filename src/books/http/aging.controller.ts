import { Controller, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Accounts } from '../../auth/index.js';
import { Customers, DocumentRefusal } from '../../documents/index.js';
import type { Currency } from '../../kernel/currency.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import type { Uuid } from '../../kernel/ids.js';
import { Cursors, DEFAULT_PAGE_SIZE, toPage } from '../../platform/http/paging.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';
import { Get } from '../../platform/http/route.js';
import { idIn } from '../../platform/http/validation/standard-fields.js';
import type { BaseRates } from '../domain/base-currency.js';
import { type AgingFilter, AgingQuery } from '../infrastructure/aging.query.js';
import { BaseRatesQuery } from '../infrastructure/base-rates.query.js';
import {
  agedCustomerRow,
  AgedCustomerPage,
  AgedDocumentPage,
  AgingReportQuery,
  AGED_CUSTOMER_COLUMNS,
  AGED_CUSTOMER_PRINTED,
  AGED_DOCUMENT_COLUMNS,
  AGED_DOCUMENT_PRINTED,
  presentAgedCustomer,
  presentAgedDocument,
  presentAgedTotals,
} from '../wire/aging.js';
import { assertNoPage } from '../wire/report-query.js';
import { ReportFiles } from './report-files.js';
import { eachOf } from './chunks.js';

@ApiTags('reports')
@Controller('v1/finance/reports')
export class AgingController {
  constructor(
    private readonly aging: AgingQuery,
    private readonly baseRates: BaseRatesQuery,
    private readonly accounts: Accounts,
    private readonly customers: Customers,
    private readonly files: ReportFiles,
  ) {}

  @Get('aging', 'reports:read', {
    summary: 'Read receivables by age, for each customer or document',
    description:
      'What is due at the end of a day, by how long it is overdue, in each currency. The sum is what the ledger has as receivables.',
    answers: { json: [AgedCustomerPage, AgedDocumentPage], text: ['text/csv'], html: true },
    problems: [
      DocumentRefusal.customer_not_found,
      FieldRefusal.sum_too_large,
      RequestRefusal.export_busy,
    ],
  })
  async getAgingReport(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: AgingReportQuery }) query: AgingReportQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const { format = 'json', group = 'customer' } = query;
    const customer = idIn('cus', query.customer_id);
    if (customer) await this.customers.find(accountId, customer);
    const date = query.date ?? (await this.accounts.today(accountId));
    const filter = { date, currency: query.currency, customerId: customer };
    if (format !== 'json') {
      assertNoPage(query);
      const to = { request, response, accountId };
      const told = { name: `aging-${date}`, about: [`At the end of ${date}`] };
      await (group === 'customer'
        ? this.files.send(to, format, { ...told, ...this.agedCustomerLines(accountId, filter) })
        : this.files.send(to, format, { ...told, ...this.agedDocumentLines(accountId, filter) }));
      return;
    }
    response.json(
      group === 'customer'
        ? await this.agedCustomers(accountId, filter, query)
        : await this.agedDocuments(accountId, filter, query),
    );
  }

  private agedCustomerLines(accountId: Uuid, filter: AgingFilter) {
    return {
      title: 'Receivables by age',
      columns: AGED_CUSTOMER_COLUMNS,
      printed: AGED_CUSTOMER_PRINTED,
      rows: eachOf(this.aging.allCustomers(accountId, filter), agedCustomerRow),
    };
  }

  private agedDocumentLines(accountId: Uuid, filter: AgingFilter) {
    return {
      title: 'Open items',
      columns: AGED_DOCUMENT_COLUMNS,
      printed: AGED_DOCUMENT_PRINTED,
      rows: eachOf(this.aging.allDocuments(accountId, filter), presentAgedDocument),
    };
  }

  private async agedCustomers(
    accountId: Uuid,
    filter: AgingFilter,
    { limit = DEFAULT_PAGE_SIZE, cursor }: AgingReportQuery,
  ): Promise<AgedCustomerPage> {
    const cursors = new Cursors({ list: 'aging', group: 'customer', filter }, ['text']);
    const place = cursors.read(cursor);
    const after = place && { customerId: place.id, currency: place.keys[0] ?? '' };
    const found = await this.aging.customers(accountId, filter, after, limit + 1);
    const keyOf = (line: { currency: string; customerId: Uuid }) =>
      cursors.keyOf({ keys: [line.currency], id: line.customerId });
    const rates = await this.ratesOf(accountId, filter, [...found.lines, ...(found.totals ?? [])]);
    return {
      ...presentAgedTotals(filter.date, found.totals, rates),
      ...toPage(found.lines, limit, keyOf, (line) => presentAgedCustomer(line, filter.date, rates)),
    };
  }

  private async agedDocuments(
    accountId: Uuid,
    filter: AgingFilter,
    { limit = DEFAULT_PAGE_SIZE, cursor }: AgingReportQuery,
  ): Promise<AgedDocumentPage> {
    const cursors = new Cursors({ list: 'aging', group: 'document', filter }, ['id']);
    const place = cursors.read(cursor);
    const after = place && { customerId: place.keys[0] ?? '', documentId: place.id };
    const found = await this.aging.documents(accountId, filter, after, limit + 1);
    const keyOf = (line: { customerId: Uuid; documentId: Uuid }) =>
      cursors.keyOf({ keys: [line.customerId], id: line.documentId });
    const rates = await this.ratesOf(accountId, filter, found.totals ?? []);
    return {
      ...presentAgedTotals(filter.date, found.totals, rates),
      ...toPage(found.lines, limit, keyOf, presentAgedDocument),
    };
  }

  private async ratesOf(
    accountId: Uuid,
    { date }: AgingFilter,
    lines: readonly { currency: Currency }[],
  ): Promise<BaseRates> {
    const wishes = lines.map(({ currency }) => ({ currency, day: date }));
    return this.baseRates.forReport(accountId, wishes);
  }
}
