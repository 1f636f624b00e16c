import { ApiProperty } from '@nestjs/swagger';
import { PageEnds } from '../../platform/http/paging.js';
import { BothOf } from '../../platform/http/validation/composed-bodies.js';
import { minorNumber } from '../../kernel/money.js';
import { CurrencyCode, DateText, OneOf } from '../../platform/http/validation/fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import {
  type BilledAmounts,
  type RevenueInterval,
  INTERVALS,
  type RevenueOfCurrency,
} from '../domain/revenue.js';
import type { BaseRevenue, ConvertedPeriod } from '../domain/revenue-in-base.js';
import { BaseRateBody, BaseSumsBody, IN_BASE, presentBaseRate } from './base-currency.dto.js';

nameWords({ RevenueInterval: INTERVALS });

export class RevenueReportQuery {
  @DateText({ optional: true, description: 'The first day. Default: January 1 of `to`’s year.' })
  from?: string;

  @DateText({ optional: true, description: 'The last day. Default: today.' })
  to?: string;

  @OneOf(INTERVALS, { optional: true, description: 'Default: `month`.' })
  interval?: RevenueInterval;

  @CurrencyCode({ optional: true })
  currency?: string;
}

class AskedBody {
  @ApiProperty({ description: 'Revenue, without tax.' }) net!: number;
  @ApiProperty() tax!: number;
  @ApiProperty({ description: 'Cash rounding.' }) rounding!: number;
  @ApiProperty({ description: 'The sum of net, tax and rounding.' }) total!: number;
}

class RevenueTaxBody {
  @ApiProperty({ example: 'S' }) tax_category!: string;
  @ApiProperty({ example: '19' }) tax_rate!: string;
  @ApiProperty({ description: 'The part of the net at this rate.' }) taxable_amount!: number;
  @ApiProperty() tax_amount!: number;
}

class CashBody {
  @ApiProperty({ description: 'What customers paid, including money that no document could take.' })
  received!: number;
  @ApiProperty({ description: 'Payments that were reversed.' }) reversed!: number;
  @ApiProperty() refunded!: number;
  @ApiProperty({ description: 'Fees that gateways kept.' }) fees!: number;
}

class RevenueFiguresBody {
  @ApiProperty({ type: AskedBody }) invoiced!: AskedBody;
  @ApiProperty({ type: AskedBody, description: 'It is taken off.' }) invoices_voided!: AskedBody;
  @ApiProperty({ type: AskedBody, description: 'Taken off by credit notes.' }) credited!: AskedBody;
  @ApiProperty({ type: AskedBody, description: 'It is added.' }) credit_notes_voided!: AskedBody;
  @ApiProperty({ type: AskedBody, description: 'The result of the four.' }) net!: AskedBody;
  @ApiProperty({ type: [RevenueTaxBody], description: 'The net and its tax by category and rate.' })
  taxes!: RevenueTaxBody[];
  @ApiProperty({ description: 'What was written off, minus what was paid on it later.' })
  bad_debt!: number;
  @ApiProperty({ description: 'Shortfalls that were within the tolerance.' }) waived!: number;
  @ApiProperty({ description: 'Tax of losses that was claimed back, minus what is owed again.' })
  tax_relief!: number;
  @ApiProperty({ type: CashBody }) cash!: CashBody;
}

class RevenueOfCurrencyBody extends RevenueFiguresBody {
  @ApiProperty() currency!: string;
}

class RevenueInBaseBody extends BothOf(BaseRateBody, RevenueFiguresBody) {}

class RevenuePeriodBody extends RevenueOfCurrencyBody {
  @ApiProperty({ format: 'date' }) from!: string;
  @ApiProperty({ format: 'date', description: 'The last day of the period.' }) to!: string;
  @ApiProperty({
    type: RevenueInBaseBody,
    nullable: true,
    description: `${IN_BASE} The rate is that of the last day of the period.`,
  })
  in_base!: RevenueInBaseBody | null;
}

class BasePeriodBody extends RevenueFiguresBody {
  @ApiProperty({ format: 'date' }) from!: string;
  @ApiProperty({ format: 'date' }) to!: string;
  @ApiProperty({ type: [String], description: 'Currencies that have no rate in this period.' })
  without_rate!: string[];
}

class BaseRevenueBody extends BothOf(BaseSumsBody, RevenueFiguresBody) {
  @ApiProperty({ type: [BasePeriodBody], description: 'The sums of each period.' })
  periods!: BasePeriodBody[];
}

export class RevenueBody extends PageEnds {
  @ApiProperty({ format: 'date' }) from!: string;
  @ApiProperty({ format: 'date' }) to!: string;
  @ApiProperty({ enum: INTERVALS }) interval!: RevenueInterval;
  @ApiProperty({ type: [RevenuePeriodBody], description: 'Periods in which something was booked.' })
  data!: RevenuePeriodBody[];
  @ApiProperty({ type: [RevenueOfCurrencyBody], description: 'From the first day to the last.' })
  totals!: RevenueOfCurrencyBody[];
  @ApiProperty({ type: BaseRevenueBody, description: 'The sums of all `in_base`.' })
  base!: BaseRevenueBody;
}

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
