import { Controller, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Accounts } from '../../auth/index.js';
import type { Uuid } from '../../kernel/ids.js';
import { csvOf } from '../../platform/http/csv.js';
import { type Download, Downloads, eachOf, onePage } from '../../platform/http/downloads.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { WHOLE } from '../../platform/http/paging.js';
import { invalidParameter } from '../../platform/http/problem.js';
import { ChartsOfAccounts } from '../application/charts-of-accounts.service.js';
import { DatevFiles } from '../application/datev-files.service.js';
import type { ChartsByMonth } from '../domain/charts-by-month.js';
import { isForDatev, isOneFiscalYear } from '../domain/datev.js';
import { type JournalLine, journalLines } from '../domain/journal.js';
import { type JournalFilter, JournalQuery } from '../infrastructure/journal.query.js';
import { EcSalesQuery } from '../infrastructure/ec-sales.query.js';
import { OssQuery } from '../infrastructure/oss.query.js';
import {
  EC_SALES_COLUMNS,
  EcSalesReportBody,
  JOURNAL_COLUMNS,
  JournalReportQuery,
  OSS_COLUMNS,
  OssReportBody,
  presentEcSalesLine,
  presentJournalLine,
  presentOssLine,
  ReturnQuery,
} from './journal.dto.js';
import { assertInOrder } from './report-query.js';

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
    private readonly datev: DatevFiles,
  ) {}

  @Get('journal', 'reports:read', {
    summary: 'Export the journal for your accountant, as CSV or for DATEV',
    description:
      'One row for each booking, under the numbers of your chart. `datev` is a posting batch (EXTF) from one day to another, and `datev_debtors` the master data of the customers in it.',
    answers: { text: ['text/csv'] },
    problems: ['datev_not_configured', 'export_busy'],
  })
  async exportJournal(
    @CallerOf() { accountId }: Caller,
    @Query() query: JournalReportQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    assertInOrder('from', query.from, 'to', query.to);
    const charts = await this.charts.byMonth(accountId);
    const file =
      (query.format ?? 'csv') === 'csv'
        ? this.csvFile(accountId, query, charts)
        : await this.datevFile(accountId, query, charts);
    return this.downloads.send(request, response, file);
  }

  @Get('oss', 'reports:read', {
    summary: 'Read sales to consumers of other EU countries by country and rate',
    description:
      'Net and tax from one day to another, as the One Stop Shop wants them for a quarter.',
    answers: { json: [OssReportBody], text: ['text/csv'] },
    problems: ['sum_too_large', 'export_busy'],
  })
  async getOssReport(
    @CallerOf() { accountId }: Caller,
    @Query() { from, to, format }: ReturnQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    assertInOrder('from', from, 'to', to);
    const data = (await this.ossQuery.read(accountId, from, to)).map(presentOssLine);
    if (format !== 'csv') {
      response.json({ from, to, data, ...WHOLE });
      return;
    }
    const chunks = csvOf(OSS_COLUMNS, onePage(data));
    await this.downloads.send(request, response, {
      type: 'text/csv',
      fileName: `oss-${from}-${to}.csv`,
      chunks,
    });
  }

  @Get('ec-sales', 'reports:read', {
    summary: 'Read sales to businesses of other EU countries by VAT number',
    description:
      'Net from one day to another, as a recapitulative statement (EC sales list) wants them. Credit notes and losses whose tax is claimed back are taken off.',
    answers: { json: [EcSalesReportBody], text: ['text/csv'] },
    problems: ['sum_too_large', 'export_busy'],
  })
  async getEcSalesReport(
    @CallerOf() { accountId }: Caller,
    @Query() { from, to, format }: ReturnQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    assertInOrder('from', from, 'to', to);
    const data = (await this.ecSales.read(accountId, from, to)).map(presentEcSalesLine);
    if (format !== 'csv') {
      response.json({ from, to, data, ...WHOLE });
      return;
    }
    const chunks = csvOf(EC_SALES_COLUMNS, onePage(data));
    await this.downloads.send(request, response, {
      type: 'text/csv',
      fileName: `ec-sales-${from}-${to}.csv`,
      chunks,
    });
  }

  private csvFile(
    accountId: Uuid,
    { from, to, currency }: JournalReportQuery,
    charts: ChartsByMonth,
  ): Download {
    const pages = this.linesOf(accountId, { from, to, currency: currency ?? null }, charts);
    const chunks = csvOf(JOURNAL_COLUMNS, eachOf(pages, presentJournalLine));
    return { type: 'text/csv', fileName: `journal-${from}-${to}.csv`, chunks };
  }

  /** @throws DomainError `datev_not_configured` */
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
