import { z } from 'zod';
import { answerShape, requestShape } from '../../platform/http/validation/shapes.js';
import type { FieldError } from '../../kernel/domain-error.js';
import { MONEY_METHODS } from '../../kernel/payment-method.js';
import { tidyBankAccount } from '../../kernel/tidy-text.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { currencyCode, matching } from '../../platform/http/validation/text-fields.js';
import { type CashAccount, namedPlace } from '../domain/cash-account.js';
import { accountNumber, saidTwice } from './chart-fields.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

nameWords({ MoneyMethod: MONEY_METHODS });

/** As long as a bank's file may name its account. */
const LONGEST_NAME = 140;

export const CashAccountRequest = requestShape('CashAccountRequest', {
  bank_account: matching(
    {
      refusal: FieldRefusal.invalid_text,
      test: (text) => text.length <= LONGEST_NAME && tidyBankAccount(text) !== null,
      message: `must be an IBAN or another name of an account, of 1 to ${LONGEST_NAME} characters`,
    },
    {
      optional: true,
      example: 'DE89370400440532013000',
      schema: { minLength: 1, maxLength: LONGEST_NAME },
      description:
        'As the statements of the bank name it: an IBAN, or what stands in its place. Spaces do not ' +
        'matter in an IBAN. Send it or `method`.',
    },
  ),
  method: oneOf(MONEY_METHODS, {
    optional: true,
    example: 'cash',
    description: 'Of payments and refunds that people record, and of accounts that no line names.',
  }),
  currency: currencyCode({
    optional: true,
    description: 'Absent: each one that no other line names.',
  }),
  number: accountNumber(),
});
export type CashAccountRequest = z.output<typeof CashAccountRequest>;

export const CashAccountBody = answerShape('CashAccountBody', {
  bank_account: z.string().nullable().meta({ example: 'DE89370400440532013000' }),
  method: z.enum(MONEY_METHODS).nullable(),
  currency: z.string().nullable().meta({ example: 'EUR' }),
  number: z.string().meta({ example: '1200' }),
});
export type CashAccountBody = z.output<typeof CashAccountBody>;

export function presentCash(line: CashAccount): CashAccountBody {
  const { bankAccount, method, currency, number } = line;
  return { bank_account: bankAccount, method, currency, number };
}

export function toCash(line: CashAccountRequest): CashAccount {
  return {
    bankAccount: tidyBankAccount(line.bank_account),
    method: line.method ?? null,
    currency: line.currency ?? null,
    number: line.number,
  };
}

/** Each line says a bank account or a method, and no two the same. */
export function mistakesInCash(lines: readonly CashAccountRequest[], field: string): FieldError[] {
  const wrong = lines.flatMap(({ bank_account: account, method }, index): FieldError[] => {
    const at = `/${field}/${index}`;
    if (account != null && method != null) {
      const message = 'Send either bank_account or method.';
      return [FieldRefusal.said_twice.field(`${at}/method`, message)];
    }
    if (account != null || method != null) return [];
    const message = 'Send bank_account, or method for money that people record.';
    return [FieldRefusal.one_value_required.field(`${at}/bank_account`, message)];
  });
  return [...wrong, ...saidTwice(lines.map(toCash), field, namedPlace)];
}
