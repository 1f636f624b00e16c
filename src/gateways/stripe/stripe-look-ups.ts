import { z } from 'zod';
import type { ProviderReport } from '../../payments/index.js';
import { idAt, promised } from '../provider-api.js';
import { Ascii, shaped } from '../signed-body.js';
import type { StripeApi } from './stripe-api.js';
import { stripeReport } from './stripe-events.js';

type Environment = 'live' | 'sandbox' | undefined;

const Seconds = z.int().min(0).max(253_402_300_799);
const Session = z.looseObject({
  id: Ascii,
  status: Ascii.nullish(),
  payment_status: Ascii,
  livemode: z.boolean().optional(),
  payment_intent: Ascii.nullish(),
});
const Intent = z.looseObject({
  id: Ascii,
  status: Ascii,
  created: Seconds,
  livemode: z.boolean().optional(),
  latest_charge: z
    .looseObject({ created: Seconds, disputed: z.boolean().optional().catch(undefined) })
    .nullish(),
});
const Later = z.looseObject({
  id: Ascii,
  status: Ascii,
  created: Seconds,
  livemode: z.boolean().optional(),
  balance_transactions: z.array(z.unknown()).nullish().catch(null),
});

/**
 * A session and its payment, told as the events that Stripe would have sent.
 * @throws DomainError `unavailable` when Stripe does not say
 */
export async function sessionReports(
  api: StripeApi,
  id: string,
  now: Date,
  environment: Environment,
): Promise<ProviderReport[]> {
  const session = read(
    Session,
    await api.findObject(`/v1/checkout/sessions/${idAt('Stripe', id)}`),
  );
  const { payment_intent: intentId } = session;
  if (!intentId) return [];
  const intent = read(
    Intent,
    await api.findObject(
      `/v1/payment_intents/${idAt('Stripe', intentId)}`,
      'expand[]=latest_charge.balance_transaction',
    ),
  );
  const isComplete = session.status === 'complete';
  const told = intentReports(intent, now, environment, isComplete);
  return [...told, ...(await moneyBack(api, intent, now, environment))];
}

/** The refunds of a PaymentIntent, told as the events that Stripe would have sent. */
export async function refundReports(
  api: StripeApi,
  intent: string,
  now: Date,
  environment: Environment,
): Promise<ProviderReport[]> {
  const refunds = await api.listOfPayment('/v1/refunds', intent);
  return refunds.map((refund) => later('refund.updated', read(Later, refund), now, environment));
}

/** The payments of links that succeeded, page by page. */
export async function* intentsTold(
  api: StripeApi,
  { from, to }: { from: Date; to: Date },
  environment: Environment,
): AsyncGenerator<ProviderReport[]> {
  for await (const page of api.intentsBetween(from, to)) {
    const intents = page.map((intent) => read(Intent, intent));
    yield intents
      .filter(({ status }) => status === 'succeeded')
      .flatMap((intent) => intentReports(intent, to, environment, true))
      .filter((told) => told.kind !== 'paid' || told.linkId !== null);
  }
}

/** @param isComplete the payer has done all there is to do, so what is unpaid has failed */
function intentReports(
  intent: z.infer<typeof Intent>,
  now: Date,
  environment: Environment,
  isComplete: boolean,
): ProviderReport[] {
  const { id, status, created, livemode, latest_charge: charge } = intent;
  const since = charge?.created ?? created;
  const event = (type: string, at: number) =>
    report({ id: `${id}:${status}`, type, created: at, livemode }, intent, environment);
  const nowSeconds = Math.floor(now.getTime() / 1000);
  if (status === 'succeeded') return [event('payment_intent.succeeded', since)];
  if (status === 'processing') return [event('payment_intent.processing', since)];
  // Stripe does not say since when: it is so now.
  if (status === 'canceled') return [event('payment_intent.canceled', nowSeconds)];
  if (status === 'requires_payment_method' && isComplete) {
    const failed = event('payment_intent.payment_failed', nowSeconds);
    return [failed.kind === 'failed' ? { ...failed, isFinal: true } : failed];
  }
  return [];
}

async function moneyBack(
  api: StripeApi,
  { id, status, latest_charge: charge }: z.infer<typeof Intent>,
  now: Date,
  environment: Environment,
): Promise<ProviderReport[]> {
  if (status !== 'succeeded') return [];
  const reports = await refundReports(api, id, now, environment);
  if (charge?.disputed !== true) return reports;
  for (const dispute of await api.listOfPayment('/v1/disputes', id)) {
    reports.push(later('charge.dispute.updated', read(Later, dispute), now, environment));
  }
  return reports;
}

/** A decision counts for now, as Stripe dates only the beginning of a dispute. */
function later(
  type: string,
  object: z.infer<typeof Later>,
  now: Date,
  environment: Environment,
): ProviderReport {
  const { id, status, created, livemode, balance_transactions: moved } = object;
  const isDecided = /^(?:won|lost|warning_closed|prevented|failed|canceled)$/.test(status);
  const at = isDecided ? Math.floor(now.getTime() / 1000) : created;
  const state = `${id}:${status}${moved ? `:${moved.length}` : ''}`;
  return report({ id: state, type, created: at, livemode }, object, environment);
}

function report(
  event: { id: string; type: string; created: number; livemode?: boolean | undefined },
  object: unknown,
  environment: Environment,
): ProviderReport {
  return promised('Stripe', () => stripeReport({ ...event, data: { object } }, environment));
}

function read<T>(schema: z.ZodType<T>, object: unknown): T {
  return promised('Stripe', () => shaped(object, schema));
}
