import { z } from 'zod';
import type { RefundFound, RefundOutcome, RefundRequest } from '../../payments/index.js';
import type { RefundApi } from '../gateway-with-api.js';
import { accepted, errorCode, unavailable } from '../provider-api.js';
import { refusedIsUnavailable } from '../provider-refund.js';
import { Ascii } from '../signed-body.js';
import { goCardlessUnits, moneyOfGoCardless } from './gocardless-amount.js';
import { clearAnswer, conflictingId, type GoCardlessApi } from './gocardless-api.js';
import { GoCardlessPayment, GoCardlessRefund, GoCardlessRefundId } from './gocardless-objects.js';

const Made = z.object({ refunds: GoCardlessRefund });
const RefundPage = z.object({
  refunds: z.array(z.unknown()),
  meta: z.object({ cursors: z.object({ after: Ascii.nullish() }) }),
});
/** Others refund at the same moment. */
const TRIES = 3;
/** No money goes to the payer, or it has come back. */
const FAILED: ReadonlySet<string> = new Set(['cancelled', 'failed', 'bounced', 'funds_returned']);

/** Refunds of a payment. GoCardless makes them only if they are switched on for the account. */
export class GoCardlessRefunds implements RefundApi {
  constructor(private readonly api: GoCardlessApi) {}

  /**
   * GoCardless wants to be told the sum of all refunds of the payment, with this one. If it was made
   * before, that sum has it already, so it is looked for first.
   */
  async createRefund(request: RefundRequest): Promise<RefundOutcome> {
    const units = goCardlessUnits(request.amount);
    const made = await refusedIsUnavailable(this.search(request), 'GoCardless');
    if (made.status !== 'not_found') return made;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const outcome = await this.send(request, units);
      if (outcome) return outcome;
    }
    throw unavailable('GoCardless');
  }

  /** Undefined where another refund of the payment was made since its sum was read. */
  private async send(request: RefundRequest, units: number): Promise<RefundOutcome | undefined> {
    const { refundId, providerPaymentId: payment } = request;
    const refund = {
      amount: units,
      total_amount_confirmation: (await this.refundedOf(payment)) + units,
      links: { payment },
      metadata: { refund_id: refundId },
    };
    const raw = await this.api.post('/refunds', { refunds: refund }, refundId);
    const existing = conflictingId(raw, GoCardlessRefundId);
    if (existing !== undefined) {
      return refusedIsUnavailable(this.byId(request, existing), 'GoCardless');
    }
    const answer = clearAnswer(raw);
    if (errorCode(answer.json) === 'total_amount_confirmation_invalid') return undefined;
    return outcomeFor(request, accepted(answer, Made, 'GoCardless').refunds);
  }

  async findRefund(request: RefundRequest): Promise<RefundFound> {
    const { providerRefundId: id } = request;
    return id ? this.byId(request, id) : this.search(request);
  }

  /** As GoCardless lists them. */
  async of(paymentId: string): Promise<unknown[]> {
    const all: unknown[] = [];
    for await (const page of this.api.pages('/refunds', { payment: paymentId }, RefundPage)) {
      all.push(...page.refunds);
    }
    return all;
  }

  private async byId(request: RefundRequest, id: string): Promise<RefundOutcome> {
    const refund = await this.api.find('refunds', id, GoCardlessRefund);
    if (!refund) throw unavailable('GoCardless');
    return outcomeFor(request, refund);
  }

  private async search(request: RefundRequest): Promise<RefundFound> {
    for (const one of await this.of(request.providerPaymentId)) {
      const { data: refund } = GoCardlessRefund.safeParse(one);
      // It may be ours, and would else be made twice.
      if (!refund) throw unavailable('GoCardless');
      if (refund.metadata?.refund_id === request.refundId) return outcomeFor(request, refund);
    }
    return { status: 'not_found' };
  }

  private async refundedOf(paymentId: string): Promise<number> {
    const payment = await refusedIsUnavailable(
      this.api.find('payments', paymentId, GoCardlessPayment),
      'GoCardless',
    );
    if (payment?.amount_refunded === undefined) throw unavailable('GoCardless');
    return Number(payment.amount_refunded);
  }
}

/** The outcome that a refund tells: only `paid` has left GoCardless. */
export function goCardlessOutcome({ id, status }: GoCardlessRefund): RefundOutcome {
  if (FAILED.has(status)) return { status: 'failed', reason: status };
  return { status: status === 'paid' ? 'succeeded' : 'pending', providerRefundId: id };
}

/** Only an answer about the refund that was asked for counts. */
function outcomeFor(request: RefundRequest, refund: GoCardlessRefund): RefundOutcome {
  const isNamed = request.isOurs
    ? refund.metadata?.refund_id === request.refundId
    : refund.id === request.providerRefundId;
  const amount = moneyOfGoCardless(refund.amount, refund.currency);
  const isSame =
    isNamed &&
    refund.links.payment === request.providerPaymentId &&
    amount?.toString() === request.amount.toString();
  if (!isSame) throw unavailable('GoCardless');
  return goCardlessOutcome(refund);
}
