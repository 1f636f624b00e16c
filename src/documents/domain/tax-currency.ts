import { type Currency, minorDigits } from '../../kernel/currency.js';
import { Decimal } from '../../kernel/decimal.js';
import { Money } from '../../kernel/money.js';

/** The currency in which tax is also said (BT-6), and the worth of one unit of the document's. */
export interface TaxCurrency {
  currency: Currency;
  /** Decimal string. A draft may leave it to the books. */
  exchange_rate?: string;
}

/** The tax of a document in the other currency, rounded half up (BT-111); null without a rate. */
export function taxIn(other: TaxCurrency | undefined, tax: Money): Money | null {
  if (other?.exchange_rate === undefined) return null;
  const [from, to] = [minorDigits(tax.currency), minorDigits(other.currency)];
  const major = Decimal.of(tax.minor, from).times(Decimal.parse(other.exchange_rate));
  return Money.of(major.times(Decimal.of(10n ** BigInt(to))).roundHalfUp(), other.currency);
}
