import { Money } from '../../kernel/money.js';
import type { DisputeReport, ProviderReport } from '../../payments/index.js';
import { decimalAmount, moneyTaken } from '../provider-amount.js';
import { type PayPalApi, PayPalDispute, type PayPalMoney } from './paypal-api.js';

type Reported = Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>;
type Said = Pick<DisputeReport, 'status' | 'withdrawn'>;

/**
 * The outcome codes of PayPal's Disputes API. A claim that the seller accepts is paid by a refund,
 * which is told for itself; PayPal pays `RESOLVED_WITH_PAYOUT` out of its own money.
 */
const OUTCOMES = new Map<string, DisputeReport['status']>([
  ['RESOLVED_BUYER_FAVOUR', 'lost'],
  ['ACCEPTED', 'closed'],
  ['RESOLVED_SELLER_FAVOUR', 'won'],
  ['RESOLVED_WITH_PAYOUT', 'won'],
  ['CANCELED_BY_BUYER', 'won'],
  ['DENIED', 'won'],
]);

/** Undefined where it cannot be read, or is about several payments at once. */
export function disputeReport(
  reported: Reported,
  resource: unknown,
  told: { at: Date; review: string },
): DisputeReport | undefined {
  const { data: dispute } = PayPalDispute.safeParse(resource);
  const amount = dispute && moneyOf(dispute.dispute_amount);
  const [transaction, ...others] = dispute?.disputed_transactions ?? [];
  const providerPaymentId = transaction?.seller_transaction_id;
  if (!amount || !providerPaymentId || others.length > 0) return undefined;
  const said = saidOf(dispute, amount);
  if (!said) return undefined;
  const { seller_response_due_date: dueBy, update_time: time } = dispute;
  return {
    ...reported,
    kind: 'dispute',
    disputeId: dispute.dispute_id,
    providerPaymentId,
    amount,
    ...said,
    fee: moved(dispute.money_movements, amount, true),
    reason: dispute.reason.toLowerCase(),
    evidenceDueBy: dueBy ? new Date(dueBy) : null,
    at: time ? new Date(time) : told.at,
    review: told.review,
  };
}

/** PayPal asks before it holds anything: that is an inquiry, until it moves to another stage. */
function saidOf(dispute: PayPalDispute, amount: Money): Said | undefined {
  const withdrawn = moved(dispute.money_movements, amount, false);
  if (dispute.status !== 'RESOLVED') {
    const isInquiry = dispute.dispute_life_cycle_stage === 'INQUIRY';
    return { status: isInquiry ? 'inquiry' : 'open', withdrawn };
  }
  const { outcome_code: code, amount_refunded: refunded } = dispute.dispute_outcome ?? {};
  const status = code === undefined ? undefined : OUTCOMES.get(code);
  if (!status) return undefined;
  const taken = status === 'lost' && refunded ? moneyOf(refunded) : undefined;
  const isSame = taken?.currency === amount.currency;
  return { status, withdrawn: withdrawn ?? (isSame ? taken : null) };
}

/** The seller's movements, fees or money; null where PayPal tells none. */
function moved(
  movements: PayPalDispute['money_movements'],
  { currency }: Money,
  ofFees: boolean,
): Money | null {
  const own = (movements ?? []).filter(
    (one) => one.affected_party === 'SELLER' && /FEE/.test(one.reason ?? '') === ofFees,
  );
  if (own.length === 0) return null;
  const zero = Money.zero(currency);
  let sum = zero;
  for (const { amount: said, type } of own) {
    const amount = moneyOf(said);
    if (amount?.currency !== currency) return null;
    sum = type === 'DEBIT' ? sum.plus(amount) : sum.minus(amount);
  }
  return sum.isNegative() ? zero : sum;
}

/**
 * The dispute as PayPal itself shows it, as the body may be forged.
 * @throws InvalidSignature when PayPal knows no such dispute
 */
export async function confirmedDispute(
  api: PayPalApi,
  report: DisputeReport,
): Promise<ProviderReport> {
  const { eventId, eventType, fingerprint, at, review } = report;
  const resource = await api.findDispute(report.disputeId);
  const reported = { eventId, eventType, fingerprint };
  const truth = disputeReport(reported, resource, { at, review });
  if (truth) return truth;
  const { disputeId: reference, providerPaymentId, amount } = report;
  const money = { direction: 'out', reference, providerPaymentId, amount } as const;
  return { ...reported, kind: 'irrelevant', review, moved: money };
}

function moneyOf({ value, currency_code: currency }: PayPalMoney): Money | undefined {
  return moneyTaken(decimalAmount(value), currency);
}
