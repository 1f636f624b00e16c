import { minorDigits } from '../../kernel/currency.js';
import type { Money } from '../../kernel/money.js';
import type { PayoutLineKind, ProviderReport } from '../../payments/index.js';
import { moneyMoved } from '../provider-amount.js';
import { payoutReport, type ReadPayoutLine, roundedFees } from '../told-payout.js';
import { moneyOfGoCardless } from './gocardless-amount.js';
import type { GoCardlessPayout, GoCardlessPayoutItem } from './gocardless-objects.js';
import { type Happening, reportedOf } from './gocardless-reports.js';

/** A late failure and a refund that came back are told, and not booked with the payout. */
const KINDS: ReadonlyMap<string, PayoutLineKind> = new Map<string, PayoutLineKind>([
  ['payment_paid_out', 'payment'],
  ['payment_refunded', 'refund'],
  ['refund', 'refund'],
  ['payment_charged_back', 'dispute'],
  ['gocardless_fee', 'fee'],
  ['app_fee', 'fee'],
  ['surcharge_fee', 'fee'],
  ['revenue_share', 'fee'],
]);
const SENT: ReadonlySet<string> = new Set(['paid', 'bounced']);
const UNIT = 10n;

/**
 * Whether it was sent or came back is the word of the event, because the object may be newer.
 * GoCardless takes its fees off before: the amount is what arrives.
 * @param items null: GoCardless does not tell them any more
 */
export function reportOfPayout(
  happening: Happening,
  payout: GoCardlessPayout,
  items: readonly GoCardlessPayoutItem[] | null,
): ProviderReport {
  const reported = reportedOf(happening);
  const hasFailed = happening.eventType !== 'payouts.paid';
  if (!hasFailed && !SENT.has(payout.status)) return { ...reported, kind: 'irrelevant' };
  const { id: payoutId, amount: units, currency } = payout;
  const amount = arriving(payout);
  return payoutReport(
    reported,
    {
      payoutId,
      status: hasFailed ? 'failed' : 'sent',
      sentOn: payout.created_at.toISOString().slice(0, 10),
      arrivesOn: payout.arrival_date ?? null,
      descriptor: payout.reference ?? null,
      reason: hasFailed ? (happening.reason ?? 'bounced') : null,
      at: happening.at,
    },
    {
      amount,
      fee: amount && inUnits(0n, amount.currency),
      lines: items && linesOf(units, currency, items),
    },
  );
}

/**
 * Fees are told in tenths of a unit, and their sum is rounded once, for the whole payout. So they are
 * one line: what is missing from the others, if that is their sum but for a part of a unit.
 */
function linesOf(
  units: bigint,
  currency: string,
  items: readonly GoCardlessPayoutItem[],
): ReadPayoutLine[] {
  const lines = items.filter((item) => kindOf(item) !== 'fee');
  const fees = items.filter((item) => kindOf(item) === 'fee');
  const none = inUnits(0n, currency);
  const read = lines.map((item) => ({
    kind: kindOf(item),
    providerId: item.links?.refund ?? item.links?.payment ?? null,
    amount: item.amount % UNIT === 0n ? inUnits(item.amount / UNIT, currency) : undefined,
    fee: none,
  }));
  const missing = units * UNIT - sum(lines.map(({ amount }) => amount));
  const told = sum(fees.map(({ amount }) => amount));
  const taxes = sum(fees.flatMap((item) => (item.taxes ?? []).map(({ amount }) => amount)));
  const fee = roundedFees(missing, [told, told + taxes], UNIT);
  if (fee === 0n) return read;
  return [...read, { kind: 'fee', providerId: null, amount: inUnits(fee, currency), fee: none }];
}

const kindOf = ({ type }: GoCardlessPayoutItem) => KINDS.get(type) ?? 'adjustment';

function sum(tenths: readonly bigint[]): bigint {
  return tenths.reduce((total, one) => total + one, 0n);
}

/** A refund, or a fee, is below zero. */
function inUnits(units: bigint, currency: string): Money | undefined {
  const isKnown = moneyOfGoCardless(1n, currency) !== undefined;
  return isKnown ? moneyMoved({ units, digits: minorDigits(currency) }, currency) : undefined;
}

function arriving({ amount, currency, fx }: GoCardlessPayout): Money | undefined {
  const { fx_currency: other, fx_amount: converted } = fx ?? {};
  if (!other || other === currency) return inUnits(amount, currency);
  return converted ? inUnits(converted, other) : undefined;
}
