import { ApiProperty } from '@nestjs/swagger';
import { Decimal } from '../../kernel/decimal.js';
import { DecimalText, NestedList, WholeNumber } from '../../platform/http/validation/fields.js';
import { DomainError } from '../../kernel/domain-error.js';
import {
  type CashDiscountTerm,
  MOST_CASH_DISCOUNTS,
  orderErrors,
} from '../domain/cash-discount.js';

export class CashDiscountRequest {
  @DecimalText({ min: '0.01', max: '10', places: 2, example: '2', description: 'Of the total.' })
  percent!: string | number;

  @WholeNumber({ min: 1, max: 3650, example: 14, description: 'From the issue date on.' })
  days!: number;
}

export class CashDiscountTermBody {
  @ApiProperty({ example: '2' }) percent!: string;
  @ApiProperty({ type: 'integer', description: 'From the issue date on.' }) days!: number;
}

/** Agreed reductions for those who pay early. */
export const CashDiscounts = (description: string) =>
  NestedList(() => CashDiscountRequest, {
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

/** For a default, which no document judges. @throws DomainError `cash_discounts_out_of_order` */
export function orderedDiscounts(body: readonly CashDiscountRequest[]): CashDiscountTerm[] {
  const terms = toCashDiscounts(body);
  const errors = orderErrors(terms);
  if (errors.length > 0) throw DomainError.invalidFields(errors);
  return terms;
}
