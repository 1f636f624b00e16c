import type { IsoDate } from '../../../kernel/clock.js';
import { Decimal } from '../../../kernel/decimal.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Conversion, RateOrigin } from '../domain/conversion.js';

/** A conversion as JSON in the row of its payment or refund; numbers as text, which is exact. */
export interface ConversionJson {
  amount: string;
  currency: string;
  rate: string;
  worth: string;
  worthCurrency: string;
  rateFrom: RateOrigin;
  rateSource: string | null;
  rateDay: IsoDate | null;
}

/** The conversion of a payment or refund; null if it has none. @param id its key, such as `p.payment_id` */
export const conversionOf = (account: string, id: string) => `(
  SELECT jsonb_build_object('amount', x.amount::text, 'currency', x.currency,
    'rate', trim_scale(x.exchange_rate)::text, 'worth', x.worth::text,
    'worthCurrency', x.worth_currency, 'rateFrom', x.rate_from, 'rateSource', x.rate_source,
    'rateDay', x.rate_day)
  FROM conversions x WHERE x.account_id = ${account} AND x.conversion_id = ${id})`;

export function toConversion(row: ConversionJson | null): Conversion | null {
  return (
    row && {
      money: Money.of(BigInt(row.amount), row.currency),
      rate: Decimal.parse(row.rate),
      worth: Money.of(BigInt(row.worth), row.worthCurrency),
      rateFrom: row.rateFrom,
      rateSource: row.rateSource,
      rateDay: row.rateDay,
    }
  );
}

/** @param of the payment or the refund, which is written by the same transaction */
export function insertConversion(
  tx: Tx,
  of: { accountId: Uuid } & ({ paymentId: Uuid } | { refundId: Uuid }),
  conversion: Conversion | null,
): void {
  if (!conversion) return;
  const { money, rate, worth, rateFrom, rateSource, rateDay } = conversion;
  const [paymentId, refundId] = 'paymentId' in of ? [of.paymentId, null] : [null, of.refundId];
  tx.insert('conversions', {
    account_id: of.accountId,
    conversion_id: paymentId ?? refundId,
    payment_id: paymentId,
    refund_id: refundId,
    amount: money.minor,
    currency: money.currency,
    exchange_rate: rate.toString(),
    worth: worth.minor,
    worth_currency: worth.currency,
    rate_from: rateFrom,
    rate_source: rateSource,
    rate_day: rateDay,
  });
}
