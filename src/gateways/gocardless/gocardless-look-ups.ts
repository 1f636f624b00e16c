import type { ZodType } from 'zod';
import type { NamedObject, PlacedCheckout, ProviderReport } from '../../payments/index.js';
import { ObjectLookUps } from '../object-look-ups.js';
import { unavailable } from '../provider-api.js';
import { refusedIsUnavailable } from '../provider-refund.js';
import type { GoCardlessApi } from './gocardless-api.js';
import { happeningOf, reportOfRequest } from './gocardless-events.js';
import {
  type GoCardlessRequest,
  GoCardlessPayment,
  GoCardlessPayout,
  GoCardlessRefund,
  GoCardlessPaymentId,
} from './gocardless-objects.js';
import { reportOfPayout } from './gocardless-payouts.js';
import type { GoCardlessMandates } from './gocardless-mandates.js';
import type { GoCardlessRefunds } from './gocardless-refunds.js';
import {
  COLLECTED,
  concernsPayments,
  type Happening,
  reportOfListedRefund,
  reportOfPayment,
  reportOfRefund,
} from './gocardless-reports.js';

/** The names are signed, so nobody else asks: calls that come together are shared, and none waits. */
const NO_PAUSE_MS = 0;

/** Asks GoCardless for the objects that its events only name, and for all that became of a page. */
export class GoCardlessLookUps {
  private readonly payments = this.objects('payments', GoCardlessPayment);
  private readonly madeRefunds = this.objects('refunds', GoCardlessRefund);
  private readonly payouts = this.objects('payouts', GoCardlessPayout);
  private readonly items = this.shared(async (id) => this.api.itemsOf(id));
  private readonly events = this.shared(async (id) => this.api.eventsOf('payment', id));

  constructor(
    private readonly api: GoCardlessApi,
    private readonly refunds: GoCardlessRefunds,
    private readonly mandates: GoCardlessMandates,
  ) {}

  /** An event stays true, and its object has the amount: a later state has an event of its own. */
  async reportOf(named: NamedObject): Promise<ProviderReport> {
    const { eventId, eventType, at, reason = null } = named;
    if (eventId === null || at === null) throw unavailable('GoCardless');
    const happening = { eventId, eventType, at, reason };
    const [collection, id = ''] = named.objectId.split('/');
    if (collection === 'refunds') return reportOfRefund(happening, await this.madeRefunds.of(id));
    if (collection === 'payouts') {
      const [payout, items] = await Promise.all([this.payouts.of(id), this.items.of(id)]);
      return reportOfPayout(happening, payout, items);
    }
    if (collection === 'mandates') {
      const report = await this.mandates.reportOf(id, null, { eventId, eventType, reason });
      return report ?? { eventId, eventType, fingerprint: null, kind: 'irrelevant' };
    }
    const payment = await this.payments.of(id);
    const [, action = ''] = eventType.split('.');
    const events = COLLECTED.has(action) ? await this.events.of(id) : [];
    return reportOfPayment(happening, payment, events);
  }

  /** A page that is cancelled, or all that became of its payment, or of a debit. */
  async ofCheckout({ linkId, providerObjectId }: PlacedCheckout): Promise<ProviderReport[]> {
    const { data: debit } = GoCardlessPaymentId.safeParse(providerObjectId);
    if (debit !== undefined) return this.ofPayment(debit);
    const asked = this.api.findBillingRequest(providerObjectId);
    const request = await refusedIsUnavailable(asked, 'GoCardless');
    // GoCardless keeps all of them, so the token is of another account.
    if (!request) throw unavailable('GoCardless');
    const paymentId =
      request.links.payment_request_payment ?? request.payment_request?.links?.payment;
    if (paymentId !== undefined) return this.ofPayment(paymentId, { linkId, providerObjectId });
    return request.status === 'cancelled' ? this.ofCancelled(request) : [];
  }

  /** Payments that were confirmed in a time, page by page, each once, with all that became of it. */
  async *confirmedBetween(from: Date, to: Date): AsyncGenerator<ProviderReport[]> {
    const told = new Set<string>();
    const pages = this.api.confirmedBetween(from, to);
    for (;;) {
      const page = await refusedIsUnavailable(pages.next(), 'GoCardless');
      if (page.done) return;
      const reports: ProviderReport[] = [];
      for (const { links } of page.value) {
        const { data: id } = GoCardlessPaymentId.safeParse(links.payment);
        if (id === undefined || told.has(id)) continue;
        told.add(id);
        reports.push(...(await this.ofPayment(id)));
      }
      yield reports;
    }
  }

  private async ofPayment(
    id: string,
    of?: Pick<PlacedCheckout, 'linkId' | 'providerObjectId'>,
  ): Promise<ProviderReport[]> {
    const [found, events, refunds] = await Promise.all([
      this.payments.of(id),
      this.events.of(id),
      refusedIsUnavailable(this.refunds.of(id), 'GoCardless'),
    ]);
    const payment: GoCardlessPayment = of
      ? {
          ...found,
          metadata: { payment_link_id: of.linkId },
          links: { billing_request: of.providerObjectId },
        }
      : found;
    const happened = events
      .filter((event) => event.resource_type === 'payments' && concernsPayments(event.action))
      .map(happeningOf);
    return [
      ...(happened.length > 0 ? happened : [stateOf(payment)])
        .map((one) => ({ ...one, eventId: `${id}:${one.eventId}` }))
        .map((one) => reportOfPayment(one, payment, events)),
      ...refunds.map((refund) => reportOfListedRefund(id, refund)),
    ];
  }

  /** Cancelled by somebody else: a call of ours is for a link that is closed here. */
  private async ofCancelled({ id }: GoCardlessRequest): Promise<ProviderReport[]> {
    const events = await refusedIsUnavailable(
      this.api.eventsOf('billing_request', id),
      'GoCardless',
    );
    return events
      .filter(({ resource_type: of }) => of === 'billing_requests')
      .map((event) => reportOfRequest(happeningOf(event), event))
      .filter(({ kind }) => kind === 'failed')
      .map((report) => ({ ...report, eventId: `${id}:${report.eventId}` }));
  }

  /** A payment, refund or payout that GoCardless signed for. */
  private objects<T extends { id: string }>(
    collection: string,
    schema: ZodType<T>,
  ): ObjectLookUps<T> {
    return this.shared(async (id) => {
      const found = await this.api.find(collection, id, schema);
      // It names the object, so the token is of another account, and may be set right.
      if (!found) throw unavailable('GoCardless');
      return found;
    });
  }

  private shared<T>(lookUp: (id: string) => Promise<T>): ObjectLookUps<T> {
    const asked = async (id: string) => refusedIsUnavailable(lookUp(id), 'GoCardless');
    return new ObjectLookUps('GoCardless', asked, NO_PAUSE_MS);
  }
}

/** The state of a payment whose events are too old to be listed. */
function stateOf({ status, created_at: at }: GoCardlessPayment): Happening {
  return { eventId: status, eventType: `payments.${status}`, at, reason: null };
}
