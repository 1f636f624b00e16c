import { Controller, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Customers, Documents, DocumentRefusal } from '../../documents/index.js';
import type { Uuid } from '../../kernel/ids.js';
import { csvOf } from '../wire/csv.js';
import { type Download, Downloads } from '../../platform/http/downloads.js';
import { instantIn } from '../../platform/http/validation/date-fields.js';
import { pageById } from '../../platform/http/paging.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { idIn } from '../../platform/http/validation/standard-fields.js';
import type { Transfer } from '../domain/transfer.js';
import { type LedgerFilter, LedgerQuery } from '../infrastructure/ledger.query.js';
import { LEDGER_COLUMNS, LedgerPage, ListLedgerQuery, presentTransfer } from '../wire/ledger.js';
import { assertInOrder, assertNoPage } from '../wire/report-query.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';
import { eachOf, jsonLinesOf } from './chunks.js';

@ApiTags('reports')
@Controller('v1/finance/ledger')
export class LedgerController {
  constructor(
    private readonly ledger: LedgerQuery,
    private readonly documents: Documents,
    private readonly customers: Customers,
    private readonly downloads: Downloads,
  ) {}

  @Get('', 'reports:read', {
    summary: 'List transfers of the ledger, or export all of them',
    description:
      'Each transfer moves one amount from one account to another, for one fact, and none ever changes. `csv` and `jsonl` have all of them, not a page.',
    answers: { json: [LedgerPage], text: ['text/csv', 'application/x-ndjson'] },
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.customer_not_found,
      RequestRefusal.export_busy,
    ],
  })
  async listLedger(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: ListLedgerQuery }) query: ListLedgerQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const { format = 'json', sort = '-recorded_at' } = query;
    const filter = toFilter(query);
    await this.assertKnown(accountId, filter);
    if (format !== 'json') {
      assertNoPage(query);
      const pages = this.ledger.all(accountId, filter, sort);
      return this.downloads.send(request, response, asFile(format, pages));
    }
    response.json(
      await pageById({ list: 'ledger', sort, filter }, query, {
        rows: async (after, count) => this.ledger.list(accountId, filter, sort, after, count),
        present: presentTransfer,
        total: async (most) => this.ledger.count(accountId, filter, most),
      }),
    );
  }

  private async assertKnown(accountId: Uuid, filter: LedgerFilter): Promise<void> {
    const { documentId, customerId } = filter;
    if (documentId) await this.documents.assertExists(accountId, documentId);
    if (customerId) await this.customers.find(accountId, customerId);
  }
}

function toFilter(query: ListLedgerQuery): LedgerFilter {
  const { account, currency, fact } = query;
  const effective = { from: query.effective_from, to: query.effective_to };
  const recorded = { from: instantIn(query.recorded_from), to: instantIn(query.recorded_to) };
  assertInOrder('effective_from', effective.from, 'effective_to', effective.to);
  assertInOrder('recorded_from', recorded.from, 'recorded_to', recorded.to);
  return {
    account,
    currency,
    fact,
    documentId: idIn('doc', query.document_id),
    customerId: idIn('cus', query.customer_id),
    effective,
    recorded,
  };
}

function asFile(format: 'csv' | 'jsonl', pages: AsyncGenerator<Transfer[], void>): Download {
  const presented = eachOf(pages, presentTransfer);
  return format === 'csv'
    ? { type: 'text/csv', fileName: 'ledger.csv', chunks: csvOf(LEDGER_COLUMNS, presented) }
    : { type: 'application/x-ndjson', fileName: 'ledger.jsonl', chunks: jsonLinesOf(presented) };
}
