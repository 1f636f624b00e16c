import { Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Accounts } from '../../auth/index.js';
import { customerId, Customers, DocumentRefusal } from '../../documents/index.js';
import type { Currency } from '../../kernel/currency.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { eachOf, onePage } from '../../platform/http/downloads.js';
import { Cursors, DEFAULT_PAGE_SIZE, toPage, WHOLE } from '../../platform/http/paging.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { idIn } from '../../platform/http/validation/standard-fields.js';
import { invalidParameter, RequestRefusal } from '../../platform/http/request-refusals.js';
import type { BaseRates } from '../domain/base-currency.js';
import { revenueReport } from '../domain/revenue.js';
import { revenueInBase } from '../domain/revenue-in-base.js';
import { customerStatementsOf } from '../domain/customer-statement.js';
import { type AgingFilter, AgingQuery } from '../infrastructure/aging.query.js';
import { BaseRatesQuery } from '../infrastructure/base-rates.query.js';
import { RevenueQuery } from '../infrastructure/revenue.query.js';
import { CustomerStatementQuery } from '../infrastructure/customer-statement.query.js';
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
import { fromTo, ReportFiles } from './report-files.js';
import { assertInOrder, assertNoPage, assertPeriods } from '../wire/report-query.js';
import {
  presentBaseRevenue,
  presentPeriod,
  presentRevenue,
  RevenueBody,
  RevenueReportQuery,
} from '../wire/revenue.js';
import {
  presentCustomerStatement,
  CUSTOMER_STATEMENT_COLUMNS,
  CUSTOMER_STATEMENT_PRINTED,
  StatementBody,
  StatementQueryParameters,
  toCustomerStatementRows,
} from '../wire/customer-statement.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

/** One statement has at most so many movements. */
const MOST_MOVEMENTS = 10_000;

@ApiTags('reports')
@Controller('v1/finance')
export class ReportsController {
  constructor(
    private readonly agingQuery: AgingQuery,
    private readonly statementQuery: CustomerStatementQuery,
    private readonly revenueQuery: RevenueQuery,
    private readonly baseRates: BaseRatesQuery,
    private readonly accounts: Accounts,
    private readonly customers: Customers,
    private readonly files: ReportFiles,
  ) {}

  @Get('reports/aging', 'reports:read', {
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

  @Get('customers/:id/statement', 'reports:read', {
    summary: 'Read the statement of a customer, with running balances',
    description:
      'Every invoice, credit note, payment and refund of a time, with the balance after each. It starts with the balance before.',
    answers: { json: [StatementBody], text: ['text/csv'], html: true },
    problems: [
      DocumentRefusal.customer_not_found,
      FieldRefusal.sum_too_large,
      RequestRefusal.export_busy,
    ],
  })
  async getCustomerStatement(
    @CallerOf() { accountId }: Caller,
    @Param('id') id: string,
    @Query({ schema: StatementQueryParameters }) query: StatementQueryParameters,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const customer = await this.customers.find(accountId, customerId(id));
    const { from = null, currency = null, format = 'json' } = query;
    const to = query.to ?? (await this.accounts.today(accountId));
    assertInOrder('from', from, 'to', to);
    const filter = { customerId: customer.id, from, to, currency };
    const found = await this.statementQuery.read(accountId, filter, MOST_MOVEMENTS + 1);
    if (found.movements.length > MOST_MOVEMENTS) throw tooLong();
    const body: StatementBody = {
      customer_id: publicId('cus', customer.id),
      customer_name: customer.profile.name,
      from,
      to,
      currencies: customerStatementsOf(found.openings, found.movements).map(
        presentCustomerStatement,
      ),
    };
    if (format === 'json') {
      response.json(body);
      return;
    }
    await this.files.send({ request, response, accountId }, format, {
      name: `statement-${to}`,
      title: `Statement of ${body.customer_name}`,
      about: [fromTo(from, to)],
      columns: CUSTOMER_STATEMENT_COLUMNS,
      printed: CUSTOMER_STATEMENT_PRINTED,
      rows: onePage(toCustomerStatementRows(body)),
    });
  }

  @Get('reports/revenue', 'reports:read', {
    summary: 'Read revenue, tax and cash by period and currency',
    description:
      'Billed, credited, taxed, received and lost, from the ledger. With a base currency, its amounts stand beside the others.',
    answers: RevenueBody,
    problems: [FieldRefusal.sum_too_large],
  })
  async getRevenueReport(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: RevenueReportQuery }) query: RevenueReportQuery,
  ) {
    const { interval = 'month', currency = null } = query;
    const to = query.to ?? (await this.accounts.today(accountId));
    const from = query.from ?? `${to.slice(0, 4)}-01-01`;
    assertInOrder('from', from, 'to', to);
    assertPeriods(interval, from, to);
    const filter = { from, to, interval, currency };
    const { flows, taxes } = await this.revenueQuery.read(accountId, filter);
    const { periods, totals } = revenueReport(filter, flows, taxes);
    const wishes = periods.map((period) => ({ currency: period.currency, day: period.to }));
    const rates = await this.baseRates.forReport(accountId, wishes);
    const converted = revenueInBase(periods, rates);
    return {
      from,
      to,
      interval,
      data: converted.periods.map(presentPeriod),
      ...WHOLE,
      totals: totals.map(presentRevenue),
      base: presentBaseRevenue(converted.base),
    };
  }

  private agedCustomerLines(accountId: Uuid, filter: AgingFilter) {
    return {
      title: 'Receivables by age',
      columns: AGED_CUSTOMER_COLUMNS,
      printed: AGED_CUSTOMER_PRINTED,
      rows: eachOf(this.agingQuery.allCustomers(accountId, filter), agedCustomerRow),
    };
  }

  private agedDocumentLines(accountId: Uuid, filter: AgingFilter) {
    return {
      title: 'Open items',
      columns: AGED_DOCUMENT_COLUMNS,
      printed: AGED_DOCUMENT_PRINTED,
      rows: eachOf(this.agingQuery.allDocuments(accountId, filter), presentAgedDocument),
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
    const found = await this.agingQuery.customers(accountId, filter, after, limit + 1);
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
    const found = await this.agingQuery.documents(accountId, filter, after, limit + 1);
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

function tooLong() {
  return invalidParameter(
    'from',
    `A statement has at most ${MOST_MOVEMENTS} movements; ask for a shorter period, or for ` +
      '/v1/finance/ledger with this customer_id and format=csv.',
  );
}
