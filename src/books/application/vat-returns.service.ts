import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { type BaseRates, convertedHalfUp } from '../domain/base-currency.js';
import { type Days, monthsOf } from '../domain/period.js';
import type { TaxLine } from '../domain/tax-report.js';
import {
  fillVatReturn,
  type VatReturn,
  type VatReturnForm,
  type WorthLine,
} from '../domain/vat-returns/vat-return.js';
import { BaseRatesQuery } from '../infrastructure/base-rates.query.js';
import { TaxReportQuery } from '../infrastructure/tax-report.query.js';

/** Tax that is due, by the boxes of a country's form. */
@Injectable()
export class VatReturns {
  constructor(
    private readonly report: TaxReportQuery,
    private readonly rates: BaseRatesQuery,
  ) {}

  /** Other currencies count month by month, at the rate of its last day to the base currency. */
  async read(accountId: Uuid, form: VatReturnForm, days: Days): Promise<VatReturn> {
    const months = monthsOf(days);
    const lines = (await this.report.readEach(accountId, months)).flatMap((found, index) =>
      found.map((line) => ({ line, day: months[index]?.to ?? days.to })),
    );
    const wishes = lines.map(({ line: { currency }, day }) => ({ currency, day }));
    const rates = await this.rates.forReport(accountId, wishes);
    return fillVatReturn(
      form,
      lines.map(({ line, day }) => inCurrencyOf(form, line, day, rates)),
    );
  }
}

function inCurrencyOf(
  { currency }: VatReturnForm,
  line: TaxLine,
  day: string,
  rates: BaseRates,
): WorthLine {
  const sums = { base: line.base, tax: line.tax };
  if (line.currency === currency) return { line, worth: sums };
  const rate = rates.currency === currency ? rates.find({ currency: line.currency, day }) : null;
  return { line, worth: rate && convertedHalfUp(sums, line.currency, rate, currency) };
}
