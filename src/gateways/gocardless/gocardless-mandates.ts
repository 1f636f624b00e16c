import { z } from 'zod';
import type { Clock } from '../../kernel/clock.js';
import { firstCharacters } from '../../kernel/first-characters.js';
import {
  type CollectionRequest,
  DirectDebits,
  type MandatePage,
  type MandateReport,
  type MandateRequest,
  type PlacedMandate,
} from '../../payments/index.js';
import { accepted, unavailable } from '../provider-api.js';
import { refusedIsUnavailable } from '../provider-refund.js';
import { Ascii, ownIdFrom } from '../signed-body.js';
import { goCardlessUnits, moneyOfGoCardless } from './gocardless-amount.js';
import { clearAnswer, conflictingId, type GoCardlessApi } from './gocardless-api.js';
import { flowOf } from './gocardless-flow.js';
import {
  GoCardlessAccount,
  GoCardlessAccountId,
  GoCardlessMandate,
  GoCardlessPayment,
  GoCardlessPaymentId,
} from './gocardless-objects.js';

const DESCRIPTION_LIMIT = 100;
const HOUR_MS = 3_600_000;
const Made = z.object({ payments: z.object({ id: GoCardlessPaymentId }) });
const PaymentPage = z.object({
  payments: z.array(z.unknown()),
  meta: z.object({ cursors: z.object({ after: Ascii.nullish() }) }),
});

/** Debits can be asked for as soon as there is a mandate. Other words are new, and of no effect. */
const STATUS = new Map<string, MandateReport['status']>([
  ['pending_customer_approval', 'pending'],
  ['pending_submission', 'active'],
  ['submitted', 'active'],
  ['active', 'active'],
  ['blocked', 'suspended'],
  ['suspended_by_payer', 'suspended'],
  ['failed', 'failed'],
  ['cancelled', 'canceled'],
  ['expired', 'expired'],
  ['consumed', 'expired'],
]);
/** Payments that GoCardless has not sent to the bank. */
const CANCELABLE: ReadonlySet<string> = new Set([
  'pending_customer_approval',
  'pending_submission',
]);

/** Mandates that customers give at pages of GoCardless, and payments that are debited by them. */
export class GoCardlessMandates extends DirectDebits {
  constructor(
    private readonly api: GoCardlessApi,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** The mandate id is the key: one mandate, one billing request. */
  async setUp(request: MandateRequest): Promise<MandatePage> {
    const { mandateId, currency } = request;
    const metadata = { mandate_id: mandateId };
    const wish = { mandate_request: { currency, metadata }, metadata };
    const id = await this.api.createBillingRequest(wish, mandateId);
    const { url } = await this.api.createFlow(flowOf(id, request), mandateId);
    return { url, providerRequestId: id };
  }

  async lookUp(mandate: PlacedMandate): Promise<MandateReport | undefined> {
    const { mandateId, providerMandateId, providerRequestId } = mandate;
    if (providerMandateId !== null) return this.reportOf(providerMandateId, mandateId);
    if (providerRequestId === null) return undefined;
    const asked = this.api.findBillingRequest(providerRequestId);
    const request = await refusedIsUnavailable(asked, 'GoCardless');
    // GoCardless keeps all of them, so the token is of another account.
    if (!request) throw unavailable('GoCardless');
    const id = request.links.mandate_request_mandate ?? request.mandate_request?.links?.mandate;
    return id === undefined ? undefined : this.reportOf(id, mandateId);
  }

  /** How a mandate stands, as an event or a question tells; undefined for one that is not ours. */
  async reportOf(
    id: string,
    of: string | null,
    event?: { eventId: string; eventType: string; reason: string | null },
  ): Promise<MandateReport | undefined> {
    const at = this.clock.serverNow();
    const mandate = await this.read(id);
    const status = STATUS.get(mandate.status);
    const mandateId = of ?? ownIdFrom(mandate.metadata?.mandate_id);
    if (mandateId === null || !status) return undefined;
    return {
      kind: 'mandate',
      eventId: event?.eventId ?? `${id}:${mandate.status}`,
      eventType: event?.eventType ?? `mandates.${mandate.status}`,
      fingerprint: null,
      mandateId,
      providerMandateId: id,
      status,
      scheme: mandate.scheme ?? null,
      reference: mandate.reference ?? null,
      accountEnding: status === 'active' ? await this.endingOf(mandate) : null,
      reason: event?.reason ?? mandate.status,
      at,
    };
  }

  async cancel({ providerMandateId, providerRequestId }: PlacedMandate): Promise<void> {
    if (providerMandateId === null) {
      if (providerRequestId !== null) await this.api.cancelBillingRequest(providerRequestId);
      return;
    }
    if (await this.api.act('mandates', providerMandateId, 'cancel')) return;
    const status = STATUS.get((await this.read(providerMandateId)).status);
    if (status === 'active' || status === 'pending') throw unavailable('GoCardless');
  }

  /** On the day that is wished, or as soon as the mandate allows. */
  async collect(request: CollectionRequest): Promise<string> {
    const { linkId, amount, providerMandateId: mandate, chargeOn } = request;
    const units = goCardlessUnits(amount);
    const lost = request.isRepeated ? await this.find(request) : undefined;
    if (lost !== undefined) return lost;
    const { next_possible_charge_date: next } = await this.read(mandate);
    const payment = {
      amount: units,
      currency: amount.currency,
      description: firstCharacters(request.description, DESCRIPTION_LIMIT),
      // Without a day it is the next possible one.
      ...(next && chargeOn > next && { charge_date: chargeOn }),
      metadata: { payment_link_id: linkId, collected_by: 'mandate' },
      links: { mandate },
    };
    const answer = await this.api.post('/payments', { payments: payment }, linkId);
    const existing = conflictingId(answer, GoCardlessPaymentId);
    if (existing !== undefined) return this.same(request, existing);
    // It is about our credentials, and says nothing of this payment.
    if (answer.status === 401 || answer.status === 403) throw unavailable('GoCardless');
    return accepted(clearAnswer(answer), Made, 'GoCardless').payments.id;
  }

  async find(request: CollectionRequest): Promise<string | undefined> {
    const { linkId, providerMandateId: mandate, requestedAt } = request;
    // Clocks may differ.
    const since = new Date(requestedAt.getTime() - HOUR_MS).toISOString();
    const query = { mandate, 'created_at[gte]': since };
    const pages = this.api.pages('/payments', query, PaymentPage);
    for (;;) {
      const page = await refusedIsUnavailable(pages.next(), 'GoCardless');
      if (page.done) return undefined;
      for (const one of page.value.payments) {
        const { data: payment } = GoCardlessPayment.safeParse(one);
        // It may be ours, and would else be made twice.
        if (!payment) throw unavailable('GoCardless');
        if (payment.metadata?.payment_link_id === linkId) return isSame(request, payment);
      }
    }
  }

  /** One that is paid, sent or over already stays as it is. */
  async cancelPayment(id: string): Promise<void> {
    if (await this.api.act('payments', id, 'cancel')) return;
    const asked = this.api.find('payments', id, GoCardlessPayment);
    const payment = await refusedIsUnavailable(asked, 'GoCardless');
    if (!payment || CANCELABLE.has(payment.status)) throw unavailable('GoCardless');
  }

  private async read(id: string): Promise<GoCardlessMandate> {
    const asked = this.api.find('mandates', id, GoCardlessMandate);
    const mandate = await refusedIsUnavailable(asked, 'GoCardless');
    // GoCardless keeps all of them, so the token is of another account.
    if (!mandate) throw unavailable('GoCardless');
    return mandate;
  }

  private async same(request: CollectionRequest, id: string): Promise<string> {
    const asked = this.api.find('payments', id, GoCardlessPayment);
    const payment = await refusedIsUnavailable(asked, 'GoCardless');
    if (payment?.metadata?.payment_link_id !== request.linkId) throw unavailable('GoCardless');
    return isSame(request, payment);
  }

  /** Nothing depends on it, so no failure to read it is one. */
  private async endingOf({ links }: GoCardlessMandate): Promise<string | null> {
    const { data: id } = GoCardlessAccountId.safeParse(links.customer_bank_account);
    if (id === undefined) return null;
    try {
      const found = await this.api.find('customer_bank_accounts', id, GoCardlessAccount);
      return found?.account_number_ending ?? null;
    } catch {
      return null;
    }
  }
}

/** Only an answer about just this amount counts. */
function isSame({ amount }: CollectionRequest, payment: GoCardlessPayment): string {
  const taken = moneyOfGoCardless(payment.amount, payment.currency);
  if (taken?.toString() !== amount.toString()) throw unavailable('GoCardless');
  return payment.id;
}
