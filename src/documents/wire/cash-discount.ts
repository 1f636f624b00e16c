import { z } from 'zod';
import { invalidFields } from '../../kernel/field-refusals.js';
import { answerShape, requestShape } from '../../platform/http/validation/shapes.js';
import { Decimal } from '../../kernel/decimal.js';
import { decimalText, nestedList, wholeNumber } from '../../platform/http/validation/fields.js';
import {
  type CashDiscountTerm,
  MOST_CASH_DISCOUNTS,
  orderErrors,
} from '../domain/cash-discount.js';

export const CashDiscountRequest = requestShape('CashDiscountRequest', {
  percent: decimalText({
    min: '0.01',
    max: '10',
    places: 2,
    example: '2',
    description: 'Of the total.',
  }),
  days: wholeNumber({ min: 1, max: 3650, example: 14, description: 'From the issue date on.' }),
});
export type CashDiscountRequest = z.output<typeof CashDiscountRequest>;

export const CashDiscountTermBody = answerShape('CashDiscountTermBody', {
  percent: z.string().meta({ example: '2' }),
  days: z.number().meta({ type: 'integer', description: 'From the issue date on.' }),
});
export type CashDiscountTermBody = z.output<typeof CashDiscountTermBody>;

/** Agreed reductions for those who pay early. */
export const cashDiscounts = (description: string) =>
  nestedList(() => CashDiscountRequest, {
    min: 0,
    max: MOST_CASH_DISCOUNTS,
    optional: true,
    description,
  });

export function toCashDiscounts(body: readonly CashDiscountRequest[]): CashDiscountTerm[] {
  return body.map(({ percent, days }) => ({
    percent: Decimal.parse(String(percent)).toString(),
    days,
  }));
}

/** For a default, which no document judges. */
export function orderedDiscounts(body: readonly CashDiscountRequest[]): CashDiscountTerm[] {
  const terms = toCashDiscounts(body);
  const errors = orderErrors(terms);
  if (errors.length > 0) throw invalidFields(errors);
  return terms;
}
