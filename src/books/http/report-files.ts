import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { FileFormat, PrintedColumn } from '../wire/report-query.js';
import { Accounts } from '../../auth/index.js';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { type Cell, csvOf } from '../wire/csv.js';
import { Downloads } from '../../platform/http/downloads.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { REPORT_PAGE_POLICY, reportPage } from './report-page.js';

/** Lines of a report, for a file or for a page to print. */
export interface ReportLines<Column extends string> {
  /** Of the file, without its ending. */
  name: string;
  title: string;
  /** Days and filters, each as a sentence for the page. */
  about: readonly string[];
  /** Those of the file. */
  columns: readonly Column[];
  /** Those of the page. */
  printed: readonly PrintedColumn<NoInfer<Column>>[];
  rows: AsyncGenerator<readonly Readonly<Record<Column | 'currency', Cell>>[], void>;
}

/** Reports as files, and as pages to print. */
@Injectable()
export class ReportFiles {
  constructor(
    private readonly downloads: Downloads,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {}

  async send<Column extends string>(
    to: { request: ApiRequest; response: Response; accountId: Uuid },
    format: FileFormat,
    report: ReportLines<Column>,
  ): Promise<void> {
    const { name, columns, rows } = report;
    const { request, response } = to;
    if (format === 'csv') {
      const chunks = csvOf(columns, rows);
      const fileName = `${name}.csv`;
      await this.downloads.send(request, response, { type: 'text/csv', fileName, chunks });
      return;
    }
    const { title, about, printed } = report;
    const { seller } = await this.accounts.find(to.accountId);
    const madeAt = `${this.clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    const chunks = reportPage({ title, seller: seller.name, about, madeAt }, printed, rows);
    const page = { type: 'text/html', fileName: `${name}.html`, chunks } as const;
    await this.downloads.send(request, response, { ...page, policy: REPORT_PAGE_POLICY });
  }
}

/** As a page says it. */
export const fromTo = (from: string | null, to: string) =>
  from === null ? `Until ${to}` : `From ${from} to ${to}`;
