import { z } from 'zod';
import { STRIPE_LINE_KINDS } from '../../bank/index.js';
import type { NamedObject, ProviderReport } from '../../payments/index.js';
import { promised, unavailable } from '../provider-api.js';
import { Ascii, shaped } from '../signed-body.js';
import { Descriptor, payoutReport, type ReadPayoutLine } from '../told-payout.js';
import { movedAtStripe } from './stripe-amount.js';
import { Reference, type StripeApi } from './stripe-api.js';

const CurrencyCode = z.string().regex(/^[a-z]{3,5}$/);
const Seconds = z.int().min(0).max(253_402_300_799);
const Category = z.string().max(255);

/** docs.stripe.com/api/payouts/object */
const Payout = z.object({
  id: Ascii,
  amount: z.int(),
  currency: CurrencyCode,
  arrival_date: Seconds,
  automatic: z.boolean(),
  status: Ascii,
  failure_code: Ascii.nullish().catch(null),
  statement_descriptor: Descriptor.nullish().catch(null),
  /** `in_progress`: what it is made of is not known yet. */
  reconciliation_status: Ascii.nullish().catch(null),
  balance_transaction: z.object({ fee: z.int() }).nullish().catch(null),
});
/** docs.stripe.com/api/balance_transactions/object, with its source. */
const Transaction = z.object({
  id: Ascii,
  amount: z.int(),
  fee: z.int(),
  net: z.int(),
  currency: CurrencyCode,
  reporting_category: Category,
  source: z
    .union([
      Ascii.transform((id) => ({ id, payment_intent: null })),
      z.object({ id: Ascii, payment_intent: Reference.nullish().catch(null) }),
    ])
    .nullish(),
});
type Transaction = z.infer<typeof Transaction>;

/** A payout as Stripe shows it, and what it is made of. */
export interface ShownStripePayout {
  payout: z.infer<typeof Payout>;
  /** Null where Stripe does not say, or where it is too much. */
  transactions: readonly Transaction[] | null;
}

const SENT: ReadonlySet<string> = new Set(['paid', 'failed']);
const PATH = '/v1/payouts/';

/** The id of the payout that an event names; undefined for any other object. */
export function stripePayoutIn({ objectId }: NamedObject): string | undefined {
  return objectId.startsWith(PATH) ? objectId.slice(PATH.length) : undefined;
}

/** @throws DomainError `unavailable` when it is not what the API promises */
export async function shownPayout(api: StripeApi, id: string): Promise<ShownStripePayout> {
  const object = await api.findObject(`${PATH}${id}`, 'expand[]=balance_transaction');
  const payout = promised('Stripe', () => shaped(object, Payout));
  // Of one that somebody asked for, Stripe knows no payments: it is without lines.
  if (!payout.automatic) return { payout, transactions: [] };
  if (isUnfinished(payout)) return { payout, transactions: null };
  const all = await api.transactionsOf(id);
  return {
    payout,
    transactions: all?.map((one) => promised('Stripe', () => shaped(one, Transaction))) ?? null,
  };
}

/**
 * Whether it was sent or came back is the word of the event, because the object may be newer.
 * @throws DomainError `unavailable` when the transactions contradict themselves
 */
export function stripePayout(
  { eventId, eventType, at }: NamedObject,
  { payout, transactions }: ShownStripePayout,
): ProviderReport {
  const reported = { eventId: eventId ?? '', eventType, fingerprint: null };
  const { currency, arrival_date: arrival } = payout;
  const status = statusOf(eventType, payout.status);
  // `payout.reconciliation_completed` comes once its lines are known.
  if (!status || isUnfinished(payout)) return { ...reported, kind: 'irrelevant' };
  const own = transactions?.find((one) => isItself(one, payout.id)) ?? payout.balance_transaction;
  const lines = transactions?.filter((one) => !isItself(one, payout.id)).map(lineOf) ?? null;
  // Stripe's reports give its day, at midnight UTC, as the one on which it leaves the balance.
  const arrivesAt = new Date(arrival * 1000);
  const day = arrivesAt.toISOString().slice(0, 10);
  return payoutReport(
    reported,
    {
      payoutId: payout.id,
      status,
      sentOn: day,
      arrivesOn: day,
      descriptor: payout.statement_descriptor ?? null,
      reason: status === 'failed' ? (payout.failure_code ?? 'failed') : null,
      at: status === 'failed' ? (at ?? arrivesAt) : arrivesAt,
    },
    {
      amount: movedAtStripe(payout.amount, currency),
      fee: movedAtStripe(own?.fee ?? 0, currency),
      lines,
    },
  );
}

function statusOf(eventType: string, stands: string): 'sent' | 'failed' | undefined {
  const type = eventType.replace(/^v1\./, '');
  if (type === 'payout.failed') return 'failed';
  if (!SENT.has(stands)) return undefined;
  return type === 'payout.reconciliation_completed' && stands === 'failed' ? 'failed' : 'sent';
}

function isUnfinished({ automatic, reconciliation_status: status }: z.infer<typeof Payout>) {
  return automatic && status === 'in_progress';
}

function isItself({ reporting_category: category, source }: Transaction, id: string): boolean {
  return category === 'payout' && source?.id === id;
}

/** As in Stripe's itemized report: payments go by their PaymentIntent. */
function lineOf(one: Transaction): ReadPayoutLine {
  const { id, currency, reporting_category: category, source } = one;
  if (one.amount - one.fee !== one.net) throw unavailable('Stripe');
  const kind = STRIPE_LINE_KINDS.get(category) ?? 'adjustment';
  const named = source?.id ?? id;
  return {
    kind,
    amount: movedAtStripe(one.amount, currency),
    fee: movedAtStripe(one.fee, currency),
    providerId: kind === 'payment' ? (source?.payment_intent ?? named) : named,
  };
}
