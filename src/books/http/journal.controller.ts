import { Controller, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Uuid } from '../../kernel/ids.js';
import { Downloads } from '../../platform/http/downloads.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { Cursors, DEFAULT_PAGE_SIZE, toPage } from '../../platform/http/paging.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';
import { ChartsOfAccounts } from '../application/charts-of-accounts.service.js';
import type { ChartsByMonth } from '../domain/charts-by-month.js';
import { type JournalLine, journalLines, type JournalTransfer } from '../domain/journal.js';
import { type JournalFilter, JournalQuery } from '../infrastructure/journal.query.js';
import {
  JOURNAL_COLUMNS,
  JOURNAL_PRINTED,
  JournalPage,
  JournalReportQuery,
  presentJournalLine,
} from '../wire/journal.js';
import { DatevDownloads } from './datev-downloads.js';
import { fromTo, ReportFiles } from './report-files.js';
import { assertInOrder, assertNoPage } from '../wire/report-query.js';
import { BooksRefusal } from '../domain/refusals.js';
import { eachOf } from './chunks.js';

/** The journal, also as files for the accountant's own program. */
@ApiTags('reports')
@Controller('v1/finance/reports')
export class JournalController {
  constructor(
    private readonly charts: ChartsOfAccounts,
    private readonly journal: JournalQuery,
    private readonly downloads: Downloads,
    private readonly files: ReportFiles,
    private readonly datev: DatevDownloads,
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
      const file = await this.datev.of(accountId, { ...query, format }, charts);
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
