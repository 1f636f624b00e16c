import { Injectable } from '@nestjs/common';
import { addDays, Clock, type IsoDate } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { numbersOf } from '../domain/chart-of-accounts.js';
import type { ChartsByMonth } from '../domain/charts-by-month.js';
import { type DatevWords, datevHead, datevLines, fiscalYearOf } from '../domain/datev.js';
import { debtorLine, debtorsHead } from '../domain/datev-debtors.js';
import {
  accountDigits,
  DATEV_ACCOUNT,
  type DatevHeader,
  mostDebtors,
} from '../domain/datev-format.js';
import { journalLines } from '../domain/journal.js';
import { BaseRatesQuery } from '../infrastructure/base-rates.query.js';
import { DebtorsRepository } from '../infrastructure/debtors.repository.js';
import { type JournalFilter, JournalQuery } from '../infrastructure/journal.query.js';
import { BooksRefusal } from '../domain/refusals.js';

/** Days of one currency. */
type Wish = JournalFilter & { currency: string };

/** Files of postings and of the debtors in them, under the numbers of a chart. */
@Injectable()
export class DatevFiles {
  constructor(
    private readonly journal: JournalQuery,
    private readonly debtors: DebtorsRepository,
    private readonly rates: BaseRatesQuery,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async postings(accountId: Uuid, wish: Wish, charts: ChartsByMonth) {
    const { from, to, currency } = wish;
    const header = await this.begin(accountId, wish, charts);
    const wishes = eachDay(from, to).map((day) => ({ currency, day }));
    const rates = await this.rates.forReport(accountId, wishes);
    const words: DatevWords = {
      digits: header.digits,
      customersOn: (day) => charts.on(day).numbers.receivables,
      rateOn: (day) => rates.find({ currency, day })?.rate ?? null,
      base: rates.currency,
    };
    const head = datevHead({ ...header, days: { from, to }, currency: rates.currency });
    return chunksOf(head, this.journal.all(accountId, wish), (page) =>
      page
        .flatMap((transfer) => journalLines(transfer, charts.on(transfer.effectiveOn)))
        .map((line) => datevLines(line, words))
        .join(''),
    );
  }

  async masterData(accountId: Uuid, wish: Wish, charts: ChartsByMonth) {
    const header = await this.begin(accountId, wish, charts);
    return chunksOf(debtorsHead(header), this.debtors.named(accountId, wish), (page) =>
      page.map((debtor) => debtorLine(debtor, header.digits)).join(''),
    );
  }

  /** From here on each customer of the file has a number. */
  private async begin(accountId: Uuid, wish: Wish, charts: ChartsByMonth): Promise<DatevHeader> {
    const { datev, template } = charts.current;
    const numbers = charts.within(wish.from, wish.to).flatMap(numbersOf);
    if (!datev || !numbers.every((number) => DATEV_ACCOUNT.test(number))) throw notForDatev();
    const digits = accountDigits(numbers);
    const now = this.clock.now();
    const most = await this.uow.run(async (tx) => this.debtors.number(tx, accountId, wish, now));
    if (most > mostDebtors(digits)) throw tooManyDebtors();
    const year = fiscalYearOf(wish.from, datev.fiscalYearStart);
    const code = { plain: '', skr03: '03', skr04: '04' }[template];
    return { ...datev, year, digits, madeAt: now, chart: code };
  }
}

/** All of one fiscal year at most. */
function eachDay(from: IsoDate, to: IsoDate): IsoDate[] {
  const days = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

async function* chunksOf<Line>(
  first: string,
  pages: AsyncIterable<Line[]>,
  written: (page: Line[]) => string,
): AsyncGenerator<string, void> {
  let head = first;
  for await (const page of pages) {
    yield head + written(page);
    head = '';
  }
}

function notForDatev(): DomainError {
  return BooksRefusal.datev_not_configured.of(
    'Set datev (consultant_number, client_number) with PATCH /v1/finance/chart-of-accounts, and ' +
      'numbers of at most 8 digits.',
  );
}

function tooManyDebtors(): DomainError {
  return BooksRefusal.datev_not_configured.of(
    'There are more customers than numbers of debtors: give the accounts of your chart one digit more.',
  );
}
