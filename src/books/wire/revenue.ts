import { z } from 'zod';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { PageEnds } from '../../platform/http/paging.js';
import { minorNumber } from '../../kernel/money.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { currencyCode } from '../../platform/http/validation/text-fields.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { type BilledAmounts, INTERVALS, type RevenueOfCurrency } from '../domain/revenue.js';
import type { BaseRevenue, ConvertedPeriod } from '../domain/revenue-in-base.js';
import { BaseRateBody, BaseSumsBody, IN_BASE, presentBaseRate } from './base-currency.js';

nameWords({ RevenueInterval: INTERVALS });

export const RevenueReportQuery = queryShape({
  from: dateText({
    optional: true,
    description: 'The first day. Default: January 1 of `to`’s year.',
  }),
  to: dateText({ optional: true, description: 'The last day. Default: today.' }),
  interval: oneOf(INTERVALS, { optional: true, description: 'Default: `month`.' }),
  currency: currencyCode({ optional: true }),
});
export type RevenueReportQuery = z.output<typeof RevenueReportQuery>;

const AskedBody = answerShape('AskedBody', {
  net: z.number().describe('Revenue, without tax.'),
  tax: z.number(),
  rounding: z.number().describe('Cash rounding.'),
  total: z.number().describe('The sum of net, tax and rounding.'),
});
type AskedBody = z.output<typeof AskedBody>;

const RevenueTaxBody = answerShape('RevenueTaxBody', {
  tax_category: z.string().meta({ example: 'S' }),
  tax_rate: z.string().meta({ example: '19' }),
  taxable_amount: z.number().describe('The part of the net at this rate.'),
  tax_amount: z.number(),
});
type RevenueTaxBody = z.output<typeof RevenueTaxBody>;

const CashBody = answerShape('CashBody', {
  received: z
    .number()
    .describe('What customers paid, including money that no document could take.'),
  reversed: z.number().describe('Payments that were reversed.'),
  refunded: z.number(),
  fees: z.number().describe('Fees that gateways kept.'),
});
type CashBody = z.output<typeof CashBody>;

const RevenueFiguresBody = answerShape('RevenueFiguresBody', {
  invoiced: AskedBody,
  invoices_voided: z.lazy(() => AskedBody).describe('It is taken off.'),
  credited: z.lazy(() => AskedBody).describe('Taken off by credit notes.'),
  credit_notes_voided: z.lazy(() => AskedBody).describe('It is added.'),
  net: z.lazy(() => AskedBody).describe('The result of the four.'),
  taxes: z.array(RevenueTaxBody).describe('The net and its tax by category and rate.'),
  bad_debt: z.number().describe('What was written off, minus what was paid on it later.'),
  waived: z.number().describe('Shortfalls that were within the tolerance.'),
  tax_relief: z.number().describe('Tax of losses that was claimed back, minus what is owed again.'),
  cash: CashBody,
});
type RevenueFiguresBody = z.output<typeof RevenueFiguresBody>;

const RevenueOfCurrencyBody = answerShape('RevenueOfCurrencyBody', {
  ...RevenueFiguresBody.shape,
  currency: z.string(),
});
type RevenueOfCurrencyBody = z.output<typeof RevenueOfCurrencyBody>;

const RevenueInBaseBody = answerShape('RevenueInBaseBody', {
  ...BaseRateBody.shape,
  ...RevenueFiguresBody.shape,
});
type RevenueInBaseBody = z.output<typeof RevenueInBaseBody>;

const RevenuePeriodBody = answerShape('RevenuePeriodBody', {
  ...RevenueOfCurrencyBody.shape,
  from: z.string().meta({ format: 'date' }),
  to: z.string().meta({ format: 'date', description: 'The last day of the period.' }),
  in_base: RevenueInBaseBody.nullable().describe(
    `${IN_BASE} The rate is that of the last day of the period.`,
  ),
});
type RevenuePeriodBody = z.output<typeof RevenuePeriodBody>;

const BasePeriodBody = answerShape('BasePeriodBody', {
  ...RevenueFiguresBody.shape,
  from: z.string().meta({ format: 'date' }),
  to: z.string().meta({ format: 'date' }),
  without_rate: z.array(z.string()).describe('Currencies that have no rate in this period.'),
});
type BasePeriodBody = z.output<typeof BasePeriodBody>;

const BaseRevenueBody = answerShape('BaseRevenueBody', {
  ...BaseSumsBody.shape,
  ...RevenueFiguresBody.shape,
  periods: z.array(BasePeriodBody).describe('The sums of each period.'),
});
type BaseRevenueBody = z.output<typeof BaseRevenueBody>;

export const RevenueBody = answerShape('RevenueBody', {
  ...PageEnds.shape,
  from: z.string().meta({ format: 'date' }),
  to: z.string().meta({ format: 'date' }),
  interval: z.enum(INTERVALS),
  data: z.array(RevenuePeriodBody).describe('Periods in which something was booked.'),
  totals: z.array(RevenueOfCurrencyBody).describe('From the first day to the last.'),
  base: z.lazy(() => BaseRevenueBody).describe('The sums of all `in_base`.'),
});
export type RevenueBody = z.output<typeof RevenueBody>;

export function presentPeriod(period: ConvertedPeriod): RevenuePeriodBody {
  const { from, to, inBase } = period;
  const inBaseBody = inBase && { ...presentBaseRate(inBase.rate), ...presentFigures(inBase) };
  return { from, to, ...presentRevenue(period), in_base: inBaseBody };
}

export function presentRevenue(revenue: RevenueOfCurrency): RevenueOfCurrencyBody {
  return { currency: revenue.currency, ...presentFigures(revenue) };
}

export function presentBaseRevenue(base: BaseRevenue): BaseRevenueBody {
  return {
    currency: base.currency,
    without_rate: base.withoutRate,
    ...presentFigures(base),
    periods: base.periods.map((period) => ({
      from: period.from,
      to: period.to,
      without_rate: period.withoutRate,
      ...presentFigures(period),
    })),
  };
}

function presentFigures({
  figures,
  taxes,
}: Pick<RevenueOfCurrency, 'figures' | 'taxes'>): RevenueFiguresBody {
  const { cash } = figures;
  return {
    invoiced: presentAsked(figures.invoiced),
    invoices_voided: presentAsked(figures.invoicesVoided),
    credited: presentAsked(figures.credited),
    credit_notes_voided: presentAsked(figures.creditNotesVoided),
    net: presentAsked(figures.net),
    taxes: taxes.map(({ category, rate, base, tax }) => ({
      tax_category: category,
      tax_rate: rate,
      taxable_amount: minorNumber(base),
      tax_amount: minorNumber(tax),
    })),
    bad_debt: minorNumber(figures.badDebt),
    waived: minorNumber(figures.waived),
    tax_relief: minorNumber(figures.taxRelief),
    cash: {
      received: minorNumber(cash.received),
      reversed: minorNumber(cash.reversed),
      refunded: minorNumber(cash.refunded),
      fees: minorNumber(cash.fees),
    },
  };
}

function presentAsked({ net, tax, rounding, total }: BilledAmounts): AskedBody {
  return {
    net: minorNumber(net),
    tax: minorNumber(tax),
    rounding: minorNumber(rounding),
    total: minorNumber(total),
  };
}
