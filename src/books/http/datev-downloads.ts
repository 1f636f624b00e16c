import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Download } from '../../platform/http/downloads.js';
import { invalidParameter } from '../../platform/http/request-refusals.js';
import { DatevFiles } from '../application/datev-files.service.js';
import type { ChartsByMonth } from '../domain/charts-by-month.js';
import { isForDatev, isOneFiscalYear } from '../domain/datev.js';
import type { JournalReportQuery } from '../wire/journal.js';

/** A query of the journal that asks for a file of DATEV. */
export type DatevQuery = Pick<JournalReportQuery, 'from' | 'to' | 'currency'> & {
  format: 'datev' | 'datev_debtors';
};

/** The journal as DATEV reads it: one currency, days of one fiscal year. */
@Injectable()
export class DatevDownloads {
  constructor(
    private readonly datev: DatevFiles,
    private readonly accounts: Accounts,
  ) {}

  async of(accountId: Uuid, query: DatevQuery, charts: ChartsByMonth): Promise<Download> {
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
}
