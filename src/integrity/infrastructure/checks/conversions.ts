import { CURRENCIES, minorDigits } from '../../../kernel/currency.js';
import { type IntegrityCheck, ours } from './integrity-check.js';

/** Joins the conversion `x` of a payment or a refund `t`. */
export const converted = (id: 'payment_id' | 'refund_id', join: 'JOIN' | 'LEFT JOIN') =>
  `${join} conversions x ON (x.account_id, x.conversion_id) = (t.account_id, t.${id})`;

/** Of a payment `t` that was converted: its worth, and the gain. */
export const EXCHANGED_IN = {
  exchange: 'coalesce(x.worth, 0)',
  gains: '-coalesce(greatest(x.worth - t.amount, 0), 0)',
  exchangeLosses: 'coalesce(greatest(t.amount - x.worth, 0), 0)',
};

/** The same of a refund. */
export const EXCHANGED_OUT = {
  exchange: '-coalesce(x.worth, 0)',
  gains: '-coalesce(greatest(t.amount - x.worth, 0), 0)',
  exchangeLosses: 'coalesce(greatest(x.worth - t.amount, 0), 0)',
};

/** The money of a converted payment, in its own currency, with its fee. */
export const RECEIVED = {
  cash: 'CASE WHEN t.receipt_id IS NULL THEN x.amount ELSE 0 END',
  unmatched: 'CASE WHEN t.receipt_id IS NULL THEN 0 ELSE x.amount END',
  exchange: '-x.amount',
  clearing: '-coalesce(t.fee, 0)',
  fees: 'coalesce(t.fee, 0)',
};

/** The money of a converted refund, in its own currency. */
export const PAID_OUT = {
  exchange: 'x.amount',
  cash: `CASE t.paid_from WHEN 'cash' THEN -x.amount ELSE 0 END`,
  clearing: `CASE t.paid_from WHEN 'gateway_clearing' THEN -x.amount ELSE 0 END`,
};

/** Payments with `received` and `received_in`: the money as it came in, whatever it counts for. */
export const PAYMENTS_AS_RECEIVED = `(
  SELECT p.*, coalesce(x.amount, p.amount) AS received,
    coalesce(x.currency, p.currency) AS received_in
  FROM payments p LEFT JOIN conversions x
    ON (x.account_id, x.conversion_id) = (p.account_id, p.payment_id))`;

/** Digits behind the point of a currency, if these are not two. */
const DIGITS = (column: string) =>
  `CASE ${[0, 3]
    .map((digits) => {
      const codes = CURRENCIES.filter((code) => minorDigits(code) === digits);
      return `WHEN ${column} IN (${codes.map((code) => `'${code}'`).join(', ')}) THEN ${digits}`;
    })
    .join(' ')} ELSE 2 END`;

export const CONVERSION_CHECKS: readonly IntegrityCheck[] = [
  {
    name: 'a conversion is of the currency of its payment or refund, and its worth follows its rate',
    prefix: null,
    sql: `SELECT x.conversion_id AS id,
        CASE WHEN x.payment_id IS NULL THEN 'rfnd' ELSE 'pay' END AS prefix,
        format('%s %s', x.worth, x.worth_currency) AS stored,
        format('%s %s', due.worth, coalesce(p.currency, r.currency)) AS derived
      FROM conversions x
        LEFT JOIN payments p ON (p.account_id, p.payment_id) = (x.account_id, x.payment_id)
        LEFT JOIN refunds r ON (r.account_id, r.refund_id) = (x.account_id, x.refund_id)
        CROSS JOIN LATERAL (SELECT round(x.amount * x.exchange_rate
          * power(10::numeric, ${DIGITS('x.worth_currency')} - ${DIGITS('x.currency')})) AS worth) due
      WHERE ${ours('x')} AND (x.worth, x.worth_currency)
        IS DISTINCT FROM (due.worth, coalesce(p.currency, r.currency))`,
  },
];
