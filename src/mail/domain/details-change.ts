import { mailboxOf } from '../../kernel/mailbox.js';
import { maskedNumber } from '../../kernel/masked-number.js';

/** The particulars of a seller that say where its money goes, and where it is written to. */
export interface SellerDetails {
  name: string;
  email: string | null;
  bankAccounts: readonly {
    holder: string | null;
    bank_name: string | null;
    iban: string | null;
    bic: string | null;
    account_number?: string;
    bank_code?: { value: string };
  }[];
  payee: { name: string; id: string | null; registration_id: string | null } | null;
  /** Texts that stand on each document, and may name an account, too. */
  words: readonly string[];
}

/** As it is kept and told: nobody who reads it can pay by it. */
interface ShownDetails {
  /** With their last four characters. */
  bankAccounts: string[];
  payee: string | null;
  email: string | null;
}

/** A change that the seller is told of, in words and zone of before: they may be changed along. */
export interface DetailsChange {
  sellerName: string;
  language: string;
  timeZone: string;
  /** ISO 8601. */
  at: string;
  by: { type: string; id: string | null; address: string | null };
  /** A change need not show in what is kept: of a BIC, for instance. */
  changed: (keyof ShownDetails)[];
  before: ShownDetails;
  after: ShownDetails;
}

/** An IBAN in a text. */
const NUMBER_IN_WORDS = /\b[A-Z]{2}\d{2} ?[A-Z\d]{4}(?: ?\d{4}){1,6}(?: ?\d{1,3})?\b/gi;

/** The particulars that are others now. */
export function changedDetails(
  before: SellerDetails,
  after: SellerDetails,
): DetailsChange['changed'] {
  const [was, is] = [compared(before), compared(after)];
  return (['bankAccounts', 'payee', 'email'] as const).filter((name) => was[name] !== is[name]);
}

export function shownDetails({ bankAccounts, payee, email, words }: SellerDetails): ShownDetails {
  return {
    bankAccounts: [
      ...bankAccounts.map(({ holder, bank_name: bank, iban, account_number: number = '' }) =>
        [holder, bank, maskedNumber(iban ?? number)].filter(Boolean).join(', '),
      ),
      ...numbersIn(words).map(maskedNumber),
    ],
    payee: payee && [payee.name, payee.id, payee.registration_id].filter(Boolean).join(', '),
    email,
  };
}

/** In one order: PostgreSQL keeps fields in an order of its own. */
function compared({ bankAccounts, payee, email, words }: SellerDetails) {
  return {
    bankAccounts: JSON.stringify([
      bankAccounts.map(
        ({ holder, bank_name: bank, iban, bic, account_number: number, bank_code: code }) => [
          holder,
          bank,
          iban,
          bic,
          ...(number === undefined ? [] : [number]),
          ...(code === undefined ? [] : [code.value]),
        ],
      ),
      numbersIn(words),
    ]),
    payee: JSON.stringify(payee && [payee.name, payee.id, payee.registration_id]),
    email: email === null ? '' : (mailboxOf(email)?.name ?? email),
  };
}

function numbersIn(words: readonly string[]): string[] {
  const numbers = words.flatMap((text) => text.match(NUMBER_IN_WORDS) ?? []);
  return [...new Set(numbers.map((number) => number.replaceAll(' ', '').toUpperCase()))];
}
