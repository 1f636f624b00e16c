import { z } from 'zod';
import type { NamedObject, ProviderReport } from '../../payments/index.js';
import { ofNoEffect, readJson } from '../signed-body.js';
import {
  GoCardlessRequestId,
  GoCardlessEvent,
  GoCardlessMandateId,
  GoCardlessPayment,
  GoCardlessPaymentId,
  GoCardlessPayout,
  GoCardlessPayoutId,
  GoCardlessPayoutItem,
  GoCardlessRefundId,
} from './gocardless-objects.js';
import { reportOfPayout } from './gocardless-payouts.js';
import { concernsPayments, type Happening, reportOfPayment } from './gocardless-reports.js';

const Linked = z.array(z.unknown()).catch([]);

/**
 * Up to 250 events, which need have nothing in common. `linked` has objects of theirs, as in the API's
 * list of events; GoCardless's own webhooks have none, and samples have.
 */
const Batch = z.object({
  events: z.array(z.unknown()).min(1),
  linked: z
    .object({ payments: Linked, payouts: Linked, payout_items: Linked })
    .nullish()
    .catch(null),
});

const NOTHING: Linked = { payments: [], payouts: [], payout_items: [] };
const UNREADABLE = 'GoCardless sent an event that cannot be read; look it up in its list of events';
const BOUNCED = 'a payout came back to GoCardless, and its event does not say which';

const AnyEvent = z.object({
  id: z.unknown().optional(),
  resource_type: z.string(),
  action: GoCardlessEvent.shape.action.nullable().catch(null),
});
/** The actions of which something is made, by what they happen to; null: all. */
const ACTIONS = new Map<string, ReadonlySet<string> | null>([
  ['payments', null],
  ['refunds', null],
  ['mandates', null],
  ['payouts', new Set(['paid', 'bounced'])],
  ['creditors', new Set(['bounced_payout'])],
  ['billing_requests', new Set(['fulfilled', 'cancelled'])],
]);

type Linked = NonNullable<z.infer<typeof Batch>['linked']>;
type Told = ProviderReport | NamedObject;

/** Reads a verified delivery. @throws InvalidSignature when it is no list of events */
export function toldByGoCardless(rawBody: Buffer): readonly Told[] {
  const { events, linked } = readJson(rawBody, Batch);
  return events.map((one) => {
    const { data: event } = GoCardlessEvent.safeParse(one);
    return event ? toldBy(event, linked ?? NOTHING) : unreadable(one);
  });
}

/** The event as its reports need it. */
export function happeningOf(event: GoCardlessEvent): Happening {
  const { id: eventId, resource_type: of, action, created_at: at, details } = event;
  return { eventId, eventType: `${of}.${action}`, at, reason: details?.cause ?? null };
}

function toldBy(event: GoCardlessEvent, brought: Linked): Told {
  const { resource_type: of, action, links } = event;
  const happening = happeningOf(event);
  const irrelevant = irrelevantOf(happening);
  switch (of) {
    case 'payments': {
      if (!concernsPayments(action)) return irrelevant;
      const linked = brought.payments
        .flatMap((one) => GoCardlessPayment.safeParse(one).data ?? [])
        .find(({ id }) => id === links.payment);
      if (linked) return reportOfPayment(happening, linked);
      return named(happening, 'payments', GoCardlessPaymentId.safeParse(links.payment).data);
    }
    case 'refunds':
      return named(happening, 'refunds', GoCardlessRefundId.safeParse(links.refund).data);
    case 'mandates': {
      const { data: mandate } = GoCardlessMandateId.safeParse(links.mandate);
      return mandate ? named(happening, 'mandates', mandate) : irrelevant;
    }
    case 'payouts': {
      if (action !== 'paid' && action !== 'bounced') return irrelevant;
      const { data: id } = GoCardlessPayoutId.safeParse(links.payout);
      return broughtPayout(happening, id, brought) ?? named(happening, 'payouts', id);
    }
    case 'creditors': {
      if (action !== 'bounced_payout') return irrelevant;
      const { data: payout } = GoCardlessPayoutId.safeParse(links.payout);
      return payout ? named(happening, 'payouts', payout) : { ...irrelevant, review: BOUNCED };
    }
    case 'billing_requests':
      return reportOfRequest(happening, event);
    default:
      return irrelevant;
  }
}

/** All items are of the one payout, as they do not say of which they are. */
function broughtPayout(
  happening: Happening,
  id: string | undefined,
  { payouts, payout_items: items }: Linked,
): ProviderReport | undefined {
  const payout = GoCardlessPayout.safeParse(payouts[0]).data;
  const told = z.array(GoCardlessPayoutItem).min(1).safeParse(items).data;
  if (payouts.length !== 1 || payout?.id !== id || !payout || !told) return undefined;
  return reportOfPayout(happening, payout, told);
}

/** The pay page: its own id is enough to find the link. Money is told by the payment's events. */
export function reportOfRequest(happening: Happening, event: GoCardlessEvent): ProviderReport {
  const { action, links, details } = event;
  const { at, reason } = happening;
  const irrelevant = irrelevantOf(happening);
  const { data: providerObjectId } = GoCardlessRequestId.safeParse(links.billing_request);
  if (providerObjectId === undefined) return irrelevant;
  const of = { ...irrelevant, linkId: null, providerObjectId };
  if (action === 'fulfilled' && links.payment_request_payment !== undefined) {
    return { ...of, kind: 'processing', at };
  }
  // Our own call closes the page of a link that is closed here.
  if (action !== 'cancelled' || details?.origin === 'api') return irrelevant;
  const failed = { providerPaymentId: null, amount: null, reference: null, isFinal: true };
  return { ...of, kind: 'failed', ...failed, reason: reason ?? 'cancelled', at };
}

function named(happening: Happening, collection: string, id: string | undefined): Told {
  const { eventId, eventType, at, reason } = happening;
  if (id === undefined) {
    // The dashboard sends test events about objects that do not exist.
    if (eventId.startsWith('EVTEST')) return irrelevantOf(happening);
    return { ...irrelevantOf(happening), review: UNREADABLE };
  }
  const objectId = `${collection}/${id}`;
  return { kind: 'named', objectId, eventId, eventType, at, reason, isSigned: true };
}

/** For a person, if it may have an effect: whether it is about something that has one. */
function unreadable(event: unknown): ProviderReport {
  const content = JSON.stringify(event);
  const { data } = AnyEvent.safeParse(event);
  if (!data || concernsUs(data)) return { ...ofNoEffect(null, null, content), review: UNREADABLE };
  const { id, resource_type: of, action } = data;
  return ofNoEffect(id, `${of}.${action}`, content);
}

/** Whether something is made of such events. Of all others no field is judged. */
function concernsUs({ resource_type: of, action }: z.infer<typeof AnyEvent>): boolean {
  const actions = ACTIONS.get(of);
  if (action === null) return actions !== undefined;
  return of === 'payments' ? concernsPayments(action) : (actions?.has(action) ?? actions === null);
}

function irrelevantOf({ eventId, eventType }: Happening) {
  return { eventId, eventType, fingerprint: null, kind: 'irrelevant' as const };
}
