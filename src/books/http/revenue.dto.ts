import { ApiProperty } from '@nestjs/swagger';
import { minorNumber } from '../../kernel/money.js';
import { CurrencyCode, DateText, OneOf } from '../../platform/http/fields.js';
import {
  type Asked,
  type RevenueInterval,
  INTERVALS,
  type RevenueOfCurrency,
  type RevenuePeriod,
} from '../domain/revenue.js';

export class RevenueReportQuery {
  @DateText({ optional: true, description: 'The first day; of the last day’s year when absent.' })
  from?: string;

  @DateText({ optional: true, description: 'The last day; today when absent.' })
  to?: string;

  @OneOf(INTERVALS, { optional: true, description: 'Default `month`.' })
  interval?: RevenueInterval;

  @CurrencyCode({ optional: true })
  currency?: string;
}

class AskedBody {
  @ApiProperty({ description: 'Revenue, without tax.' }) net!: number;
  @ApiProperty() tax!: number;
  @ApiProperty({ description: 'Cash rounding.' }) rounding!: number;
  @ApiProperty({ description: 'Net, tax and rounding.' }) total!: number;
}

class RevenueTaxBody {
  @ApiProperty({ example: 'S' }) tax_category!: string;
  @ApiProperty({ example: '19' }) tax_rate!: string;
  @ApiProperty({ description: 'Of all rates: the net.' }) taxable_amount!: number;
  @ApiProperty() tax_amount!: number;
}

class CashBody {
  @ApiProperty({ description: 'From customers, also what no document could take.' })
  received!: number;
  @ApiProperty({ description: 'Of payments that were recorded wrongly.' }) reversed!: number;
  @ApiProperty() refunded!: number;
  @ApiProperty({ description: 'What gateways kept.' }) fees!: number;
}

class RevenueFiguresBody {
  @ApiProperty() currency!: string;
  @ApiProperty({ type: AskedBody }) invoiced!: AskedBody;
  @ApiProperty({ type: AskedBody, description: 'Taken off.' }) invoices_voided!: AskedBody;
  @ApiProperty({ type: AskedBody, description: 'Taken off by credit notes.' }) credited!: AskedBody;
  @ApiProperty({ type: AskedBody, description: 'Added again.' }) credit_notes_voided!: AskedBody;
  @ApiProperty({ type: AskedBody, description: 'What is left of the four.' }) net!: AskedBody;
  @ApiProperty({ type: [RevenueTaxBody], description: 'The net by category and rate.' })
  taxes!: RevenueTaxBody[];
  @ApiProperty({ description: 'Written off, less what came in for it after all.' })
  bad_debt!: number;
  @ApiProperty({ description: 'Shortfalls within the tolerance.' }) waived!: number;
  @ApiProperty({ type: CashBody }) cash!: CashBody;
}

class RevenuePeriodBody extends RevenueFiguresBody {
  @ApiProperty({ format: 'date' }) from!: string;
  @ApiProperty({ format: 'date', description: 'The last day.' }) to!: string;
}

export class RevenueBody {
  @ApiProperty({ format: 'date' }) from!: string;
  @ApiProperty({ format: 'date' }) to!: string;
  @ApiProperty({ enum: INTERVALS }) interval!: RevenueInterval;
  @ApiProperty({ type: [RevenuePeriodBody], description: 'Periods in which anything was booked.' })
  data!: RevenuePeriodBody[];
  @ApiProperty({ type: [RevenueFiguresBody], description: 'From the first day to the last.' })
  totals!: RevenueFiguresBody[];
}

export function presentPeriod(period: RevenuePeriod): RevenuePeriodBody {
  return { from: period.from, to: period.to, ...presentRevenueFigures(period) };
}

export function presentRevenueFigures(figures: RevenueOfCurrency): RevenueFiguresBody {
  const { cash } = figures;
  return {
    currency: figures.currency,
    invoiced: presentAsked(figures.invoiced),
    invoices_voided: presentAsked(figures.invoicesVoided),
    credited: presentAsked(figures.credited),
    credit_notes_voided: presentAsked(figures.creditNotesVoided),
    net: presentAsked(figures.net),
    taxes: figures.taxes.map(({ category, rate, base, tax }) => ({
      tax_category: category,
      tax_rate: rate,
      taxable_amount: minorNumber(base),
      tax_amount: minorNumber(tax),
    })),
    bad_debt: minorNumber(figures.badDebt),
    waived: minorNumber(figures.waived),
    cash: {
      received: minorNumber(cash.received),
      reversed: minorNumber(cash.reversed),
      refunded: minorNumber(cash.refunded),
      fees: minorNumber(cash.fees),
    },
  };
}

function presentAsked({ net, tax, rounding }: Asked): AskedBody {
  return {
    net: minorNumber(net),
    tax: minorNumber(tax),
    rounding: minorNumber(rounding),
    total: minorNumber(net + tax + rounding),
  };
}
