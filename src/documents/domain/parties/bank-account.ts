import type { Currency } from '../../../kernel/currency.js';
import { tidyBankAccount } from '../../../kernel/tidy-text.js';
import { DocumentRefusal } from '../refusals.js';

/** An account that clients pay to: an IBAN, or the number of an account in a country without them. */
export interface BankAccount {
  holder: string | null;
  bank_name: string | null;
  iban: string | null;
  bic: string | null;
  /** BT-84, in the place of an IBAN. */
  account_number?: string;
  /** The bank by a name of its country, such as a routing number; BT-86 without a BIC. */
  bank_code?: { name: string; value: string };
  /** Only documents in it name the account; without it, all do. */
  currency?: Currency;
}

interface Paid {
  seller: { bank_accounts: readonly BankAccount[] };
  details: { payment_account?: string };
}

/** The number that a client pays to. */
export const numberOf = ({ iban, account_number: other }: BankAccount): string =>
  iban ?? other ?? '';

/** The accounts that a document names: the one that it says, else those for its currency. */
export function accountsFor({
  seller: { bank_accounts: all },
  details: { payment_account: said },
  currency,
}: Paid & { currency: Currency }): BankAccount[] {
  if (said !== undefined) return all.filter((account) => isNumberOf(account, said));
  return all.filter((account) => (account.currency ?? currency) === currency);
}

/** @throws DomainError `unknown_payment_account` */
export function assertPaymentAccount({ seller, details: { payment_account: said } }: Paid): void {
  if (said === undefined || seller.bank_accounts.some((one) => isNumberOf(one, said))) return;
  throw DocumentRefusal.unknown_payment_account.at('/payment_account');
}

const isNumberOf = (account: BankAccount, said: string) =>
  tidyBankAccount(numberOf(account)) === tidyBankAccount(said);
