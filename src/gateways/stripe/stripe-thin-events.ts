import { z } from 'zod';
import { InvalidSignature, type NamedObject, type ProviderReport } from '../../payments/index.js';
import { promised } from '../provider-api.js';
import { Ascii, ofNoEffect, readJson, shaped } from '../signed-body.js';
import { isOfOtherMode, OTHER_MODE, StripeEvent, stripeReport } from './stripe-events.js';

/** docs.stripe.com/event-destinations: thin events have the same types, with `v1.` in front. */
const ThinEvent = z.object({
  id: Ascii,
  type: Ascii,
  created: z.iso.datetime({ offset: true }),
  livemode: z.boolean().optional(),
  related_object: z.object({ id: Ascii, type: Ascii }).nullish(),
});
const AnyEvent = z.looseObject({
  id: z.unknown().optional(),
  object: z.unknown().optional(),
  type: z.string(),
});
const ObjectId = z.string().regex(/^[a-z]{2,8}_[A-Za-z0-9_]{1,200}$/);

const PATHS = new Map([
  ['payment_intent', '/v1/payment_intents/'],
  ['checkout.session', '/v1/checkout/sessions/'],
  ['charge', '/v1/charges/'],
  ['refund', '/v1/refunds/'],
  ['dispute', '/v1/disputes/'],
  ['payout', '/v1/payouts/'],
]);
/** Their lines are not in them, so each is looked up, also where the whole payout is there. */
const PAYOUT = /^payout\.(?:paid|failed|reconciliation_completed)$/;
const PAYOUT_UNREADABLE = 'Stripe told of a payout, and not which; look at its list of events';
/** The types of which `stripeReport` makes something. Of all others no field is judged. */
const CONCERNS_US =
  /^(?:payment_intent\.(?:succeeded|processing|payment_failed|canceled)|checkout\.session\.(?:completed|async_payment_succeeded|async_payment_failed)|charge\.(?:failed|refunded|refund\.\w+|dispute\.\w+)|refund\.\w+|payout\.(?:paid|failed|reconciliation_completed))$/;

type Environment = 'live' | 'sandbox' | undefined;

/**
 * Reads a verified event, whole or thin.
 * @throws InvalidSignature when it is no event, or one that concerns us has another shape
 */
export function toldByStripe(
  rawBody: Buffer,
  environment: Environment,
): ProviderReport | NamedObject {
  const event = readJson(rawBody, AnyEvent);
  const isThin = event.object === 'v2.core.event';
  const concernsUs = isThin
    ? event.type.startsWith('v1.') && CONCERNS_US.test(event.type.slice('v1.'.length))
    : CONCERNS_US.test(event.type);
  if (!concernsUs) return ofNoEffect(event.id, event.type, rawBody);
  if (!isThin) {
    const whole = shaped(event, StripeEvent);
    if (PAYOUT.test(whole.type)) return namedPayout(whole, environment);
    return stripeReport(whole, environment);
  }
  const thin = shaped(event, ThinEvent);
  const { id: eventId, type: eventType, related_object: related } = thin;
  const reported = { eventId, eventType, fingerprint: null };
  if (isOfOtherMode(thin, environment)) {
    return { ...reported, kind: 'irrelevant', review: OTHER_MODE };
  }
  const path = PATHS.get(related?.type ?? '');
  if (!path) throw new InvalidSignature('a thin event about no object of its type');
  const objectId = `${path}${shaped(related?.id, ObjectId)}`;
  const at = new Date(thin.created);
  return { kind: 'named', objectId, eventId, eventType, at, isSigned: true };
}

function namedPayout(
  event: z.infer<typeof StripeEvent>,
  environment: Environment,
): ProviderReport | NamedObject {
  const { id: eventId, type: eventType, data } = event;
  const irrelevant = { eventId, eventType, fingerprint: null, kind: 'irrelevant' as const };
  // One of an account that is connected to ours: its money is not in these books.
  if (event.account) return irrelevant;
  if (isOfOtherMode(event, environment)) return { ...irrelevant, review: OTHER_MODE };
  const id = z.object({ object: z.object({ id: ObjectId }) }).safeParse(data).data?.object.id;
  if (id === undefined) return { ...irrelevant, review: PAYOUT_UNREADABLE };
  const at = new Date(event.created * 1000);
  const objectId = `/v1/payouts/${id}`;
  return { kind: 'named', objectId, eventId, eventType, at, isSigned: true };
}

/**
 * The event with its object as it is now.
 * @throws DomainError `unavailable` when the object is not what the API promises
 */
export function filledThinEvent(
  { eventId, eventType, at }: NamedObject,
  object: unknown,
  environment: Environment,
): ProviderReport {
  const event = {
    id: eventId ?? '',
    type: eventType.replace(/^v1\./, ''),
    created: Math.floor((at?.getTime() ?? 0) / 1000),
    data: { object },
  };
  return promised('Stripe', () => ({ ...stripeReport(event, environment), eventType }));
}
