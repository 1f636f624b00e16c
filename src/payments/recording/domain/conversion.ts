import type { FoundRate, LedgerAccount } from '../../../books/index.js';
import type { IsoDate } from '../../../kernel/clock.js';
import type { Currency } from '../../../kernel/currency.js';
import type { Decimal } from '../../../kernel/decimal.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { LARGEST_AMOUNT_MINOR, Money } from '../../../kernel/money.js';
import { PaymentRefusal } from '../../port/domain/payment-refusals.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';

/** `stated`: the caller sent the rate. `table`: the account's exchange rates have it. */
export const RATE_ORIGINS = ['stated', 'table'] as const;
export type RateOrigin = (typeof RATE_ORIGINS)[number];

/** Money that moved in another currency than that of the documents. It never changes. */
export interface Conversion {
  /** The money as it moved. */
  money: Money;
  /** The worth of one unit of it. */
  rate: Decimal;
  /** The worth of all of it, in the currency of the documents. */
  worth: Money;
  rateFrom: RateOrigin;
  /** The one who says so, such as ECB. */
  rateSource: string | null;
  /** The day of the rate, if it is of the table. */
  rateDay: IsoDate | null;
}

/** Money in another currency, as a caller tells of it. */
export interface ForeignMoney {
  amountMinor: bigint;
  currency: Currency;
  /** Null: the table has it. */
  rate: Decimal | null;
  rateSource: string | null;
  field: ForeignField;
}

/** The amount that money counts for in another currency than its own. */
export interface CountedAs extends Pick<ForeignMoney, 'rate' | 'rateSource'> {
  amountMinor: bigint;
  currency: Currency;
}

export function foreignFrom(money: Money, { rate, rateSource }: CountedAs): ForeignMoney {
  const { minor: amountMinor, currency } = money;
  return { amountMinor, currency, rate, rateSource, field: 'counts_as' };
}

/** The field of a request that tells of money in another currency. */
export type ForeignField = 'received' | 'paid_out' | 'counts_as';

export function conversionAt(
  { amountMinor, currency, rate, rateSource, field }: ForeignMoney,
  found: FoundRate | null,
  into: Currency,
): Conversion {
  const used = rate ?? found?.rate;
  if (!used) throw rateRequired(currency, into, field);
  const money = Money.of(amountMinor, currency);
  const worth = money.exchangedHalfUp(used, into);
  if (worth.minor < 1n || worth.minor > LARGEST_AMOUNT_MINOR) {
    throw PaymentRefusal.worth_out_of_range.at(
      `/${field}/exchange_rate`,
      `${money} would be worth ${worth}; send the price of one ${currency} in ${into}.`,
    );
  }
  return rate
    ? { money, rate, worth, rateFrom: 'stated', rateSource, rateDay: null }
    : {
        money,
        rate: used,
        worth,
        rateFrom: 'table',
        rateSource: found?.source ?? null,
        rateDay: found?.day ?? null,
      };
}

/** The account that documents are paid out of, if the money came to `account`. */
export function settlingAccount<Account extends LedgerAccount>(
  account: Account,
  conversion: Conversion | null,
): Account | 'currency_exchange' {
  return conversion ? 'currency_exchange' : account;
}

export function assertForeign({ currency, field }: ForeignMoney, into: Currency): void {
  if (currency !== into) return;
  throw FieldRefusal.same_currency.at(
    `/${field}/currency`,
    `The money and the amount are both in ${into}; leave ${field} out.`,
  );
}

function rateRequired(from: Currency, into: Currency, field: ForeignField): DomainError {
  return PaymentRefusal.exchange_rate_required.at(
    `/${field}/exchange_rate`,
    `No rate of ${from} in ${into} is known for that day; send ${field}.exchange_rate, the price ` +
      `of one ${from} in ${into}, or set it with PUT /v1/finance/exchange-rates.`,
    { from, into },
  );
}
