import type { Currency } from '../../kernel/currency.js';
import type { MoneyMethod } from '../../kernel/payment-method.js';
import { tidyBankAccount } from '../../kernel/tidy-text.js';

/** The place that money of `cash` moved on: a bank account, if a bank told it, else a method. */
export interface CashPlace {
  bankAccount: string | null;
  method: MoneyMethod | null;
  currency: Currency;
}

/** The number of a bank account or of a till: exactly one of account and method is there. */
export interface CashAccount {
  bankAccount: string | null;
  method: MoneyMethod | null;
  /** Null: each currency that no other line names. */
  currency: Currency | null;
  number: string;
}

/** Of two lines with the same one, only the first would ever count. */
export function namedPlace({ bankAccount, method, currency }: CashAccount): string {
  return JSON.stringify([bankAccount, method, currency]);
}

/** The most exact line: a bank account comes before a method, and a currency before none. */
export function cashLineOf(
  lines: readonly CashAccount[],
  { bankAccount, method, currency }: CashPlace,
): CashAccount | undefined {
  // The account that a caller told with a file is kept as it was written.
  const account = tidyBankAccount(bankAccount);
  const ofAccount = lines.filter((line) => account !== null && line.bankAccount === account);
  const ofMethod = lines.filter((line) => method !== null && line.method === method);
  return [ofAccount, ofMethod]
    .flatMap((of) => [
      of.find((line) => line.currency === currency),
      of.find((line) => line.currency === null),
    ])
    .find((line) => line !== undefined);
}
