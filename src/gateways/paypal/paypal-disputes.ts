import { Money } from '../../kernel/money.js';
import type { DisputeReport, ProviderReport } from '../../payments/index.js';
import { disputeWord } from '../dispute-words.js';
import { decimalAmount, moneyTaken } from '../provider-amount.js';
import { type PayPalApi, PayPalDispute, type PayPalMoney } from './paypal-api.js';

type Reported = Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>;
type Said = Pick<DisputeReport, 'status' | 'withdrawn'>;

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
    const stage = disputeWord('paypal', dispute.dispute_life_cycle_stage ?? '');
    const isUndecided = stage?.status === 'inquiry' || stage?.status === 'open';
    const word = isUndecided ? stage : disputeWord('paypal', 'CHARGEBACK');
    return word && { status: word.status, withdrawn: withdrawn ?? word.withdrawnOf(amount) };
  }
  const { outcome_code: code, amount_refunded: refunded } = dispute.dispute_outcome ?? {};
  const word = code === undefined ? undefined : disputeWord('paypal', code);
  if (!word || word.status === 'inquiry' || word.status === 'open') return undefined;
  const taken = word.status === 'lost' && refunded ? moneyOf(refunded) : undefined;
  const said = withdrawn ?? (taken?.currency === amount.currency ? taken : null);
  return { status: word.status, withdrawn: said ?? word.withdrawnOf(amount) };
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
  let sum = Money.zero(currency);
  for (const { amount: said, type } of own) {
    const amount = moneyOf(said);
    if (amount?.currency !== currency) return null;
    sum = type === 'DEBIT' ? sum.plus(amount) : sum.minus(amount);
  }
  return sum.atLeastZero();
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
