import { Controller, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Accounts } from '../../auth/index.js';
import type { Uuid } from '../../kernel/ids.js';
import { type Download, Downloads, eachOf, onePage } from '../../platform/http/downloads.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { Cursors, DEFAULT_PAGE_SIZE, toPage, WHOLE } from '../../platform/http/paging.js';
import { invalidParameter, RequestRefusal } from '../../platform/http/request-refusals.js';
import { ChartsOfAccounts } from '../application/charts-of-accounts.service.js';
import { DatevFiles } from '../application/datev-files.service.js';
import type { ChartsByMonth } from '../domain/charts-by-month.js';
import { isForDatev, isOneFiscalYear } from '../domain/datev.js';
import { type JournalLine, journalLines, type JournalTransfer } from '../domain/journal.js';
import { type JournalFilter, JournalQuery } from '../infrastructure/journal.query.js';
import { EcSalesQuery } from '../infrastructure/ec-sales.query.js';
import { OssQuery } from '../infrastructure/oss.query.js';
import {
  EC_SALES_COLUMNS,
  EC_SALES_PRINTED,
  EcSalesReportBody,
  JOURNAL_COLUMNS,
  JOURNAL_PRINTED,
  JournalPage,
  JournalReportQuery,
  OSS_COLUMNS,
  OSS_PRINTED,
  OssReportBody,
  presentEcSalesLine,
  presentJournalLine,
  presentOssLine,
} from '../wire/journal.js';
import { fromTo, ReportFiles } from './report-files.js';
import { assertInOrder, assertNoPage, DaysQuery } from '../wire/report-query.js';
import { BooksRefusal } from '../domain/refusals.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

/** Files for the accountant's own program. */
@ApiTags('reports')
@Controller('v1/finance/reports')
export class AccountantController {
  constructor(
    private readonly charts: ChartsOfAccounts,
    private readonly journal: JournalQuery,
    private readonly ossQuery: OssQuery,
    private readonly ecSales: EcSalesQuery,
    private readonly accounts: Accounts,
    private readonly downloads: Downloads,
    private readonly files: ReportFiles,
    private readonly datev: DatevFiles,
  ) {}

  @Get('journal', 'reports:read', {
    summary: 'Read the journal, or export it for your accountant',
    description:
      'One row for each booking, under the numbers of your chart: as a file, a page to print, or JSON in pages. `datev` is a posting batch (EXTF) from one day to another, and `datev_debtors` the master data of the customers in it.',
    answers: { json: [JournalPage], text: ['text/csv'], html: true },
    problems: [BooksRefusal.datev_not_configured, RequestRefusal.export_busy],
  })
  async exportJournal(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: JournalReportQuery }) query: JournalReportQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const { from, to, format = 'csv' } = query;
    assertInOrder('from', from, 'to', to);
    const charts = await this.charts.byMonth(accountId);
    if (format === 'json') {
      response.json(await this.page(accountId, query, charts));
      return;
    }
    assertNoPage(query);
    if (format === 'datev' || format === 'datev_debtors') {
      const file = await this.datevFile(accountId, query, charts);
      await this.downloads.send(request, response, file);
      return;
    }
    const lines = this.linesOf(accountId, filterOf(query), charts);
    await this.files.send({ request, response, accountId }, format, {
      name: `journal-${from}-${to}`,
      title: 'Journal',
      about: [fromTo(from, to)],
      columns: JOURNAL_COLUMNS,
      printed: JOURNAL_PRINTED,
      rows: eachOf(lines, presentJournalLine),
    });
  }

  @Get('oss', 'reports:read', {
    summary: 'Read sales to consumers of other EU countries by country and rate',
    description:
      'Net and tax from one day to another, as the One Stop Shop wants them for a quarter.',
    answers: { json: [OssReportBody], text: ['text/csv'], html: true },
    problems: [FieldRefusal.sum_too_large, RequestRefusal.export_busy],
  })
  async getOssReport(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: DaysQuery }) { from, to, format = 'json' }: DaysQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    assertInOrder('from', from, 'to', to);
    const data = (await this.ossQuery.read(accountId, from, to)).map(presentOssLine);
    if (format === 'json') {
      response.json({ from, to, data, ...WHOLE });
      return;
    }
    await this.files.send({ request, response, accountId }, format, {
      name: `oss-${from}-${to}`,
      title: 'Sales to consumers of other EU countries',
      about: [fromTo(from, to)],
      columns: OSS_COLUMNS,
      printed: OSS_PRINTED,
      rows: onePage(data),
    });
  }

  @Get('ec-sales', 'reports:read', {
    summary: 'Read sales to businesses of other EU countries by VAT number',
    description:
      'Net from one day to another, as a recapitulative statement (EC sales list) wants them. Credit notes and losses whose tax is claimed back are taken off.',
    answers: { json: [EcSalesReportBody], text: ['text/csv'], html: true },
    problems: [FieldRefusal.sum_too_large, RequestRefusal.export_busy],
  })
  async getEcSalesReport(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: DaysQuery }) { from, to, format = 'json' }: DaysQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    assertInOrder('from', from, 'to', to);
    const data = (await this.ecSales.read(accountId, from, to)).map(presentEcSalesLine);
    if (format === 'json') {
      response.json({ from, to, data, ...WHOLE });
      return;
    }
    await this.files.send({ request, response, accountId }, format, {
      name: `ec-sales-${from}-${to}`,
      title: 'Sales to businesses of other EU countries',
      about: [fromTo(from, to)],
      columns: EC_SALES_COLUMNS,
      printed: EC_SALES_PRINTED,
      rows: onePage(data),
    });
  }

  private async page(
    accountId: Uuid,
    query: JournalReportQuery,
    charts: ChartsByMonth,
  ): Promise<JournalPage> {
    const { from, to, limit = DEFAULT_PAGE_SIZE, cursor } = query;
    const filter = filterOf(query);
    const cursors = new Cursors({ list: 'journal', filter }, []);
    const after = cursors.read(cursor)?.id ?? null;
    const transfers = await this.journal.list(accountId, filter, after, limit + 1);
    const keyOf = ({ id }: { id: Uuid }) => cursors.keyOf({ keys: [], id });
    const linesOf = (transfer: JournalTransfer) =>
      journalLines(transfer, charts.on(transfer.effectiveOn)).map(presentJournalLine);
    const { data, ...ends } = toPage(transfers, limit, keyOf, linesOf);
    return { from, to, data: data.flat(), ...ends };
  }

  private async datevFile(
    accountId: Uuid,
    query: JournalReportQuery,
    charts: ChartsByMonth,
  ): Promise<Download> {
    const { from, to } = query;
    const currency = query.currency ?? (await this.accounts.find(accountId)).currency;
    if (!isForDatev(currency)) {
      throw invalidParameter(
        'currency',
        `DATEV keeps two decimal places, and ${currency} has three: use csv.`,
      );
    }
    const { fiscalYearStart } = charts.current.datev ?? { fiscalYearStart: '01-01' };
    if (!isOneFiscalYear(from, to, fiscalYearStart)) {
      throw invalidParameter(
        'to',
        'A DATEV file holds days of one fiscal year; ask for one file a month, for instance.',
      );
    }
    const wish = { from, to, currency };
    const [name, chunks] =
      query.format === 'datev'
        ? ['Buchungsstapel', await this.datev.postings(accountId, wish, charts)]
        : ['Debitoren', await this.datev.masterData(accountId, wish, charts)];
    const fileName = `EXTF_${name}_${currency}_${from}_${to}.csv`;
    return { type: 'text/csv', charset: 'windows-1252', fileName, chunks };
  }

  private async *linesOf(
    accountId: Uuid,
    filter: JournalFilter,
    charts: ChartsByMonth,
  ): AsyncGenerator<JournalLine[], void> {
    for await (const page of this.journal.all(accountId, filter)) {
      yield page.flatMap((transfer) => journalLines(transfer, charts.on(transfer.effectiveOn)));
    }
  }
}

const filterOf = ({ from, to, currency }: JournalReportQuery): JournalFilter => ({
  from,
  to,
  currency: currency ?? null,
});
