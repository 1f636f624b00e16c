import { randomBytes } from 'node:crypto';
import type { StatedPayout } from '../../bank/index.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import {
  type Dispute,
  MANDATE_STATUSES,
  type PaymentLink,
  type Refund,
  type SampleEvent,
  type SampleOf,
} from '../../payments/index.js';
import { newMessageId } from '../standard-signature.js';
import { SANDBOX_OUTCOME_NAMES, sandboxEvent, type SandboxEvent } from './sandbox-outcomes.js';
import type { RefundStanding } from './sandbox-refund-book.js';
import { sandboxRefundId } from './sandbox.gateway.js';

/** The outcomes that the sandbox may be told, by the kind of their object. */
export const SANDBOX_TELLS = {
  payment_link: SANDBOX_OUTCOME_NAMES,
  mandate: MANDATE_STATUSES,
  payment: [
    ...(['refunded', 'reversed', 'dispute_inquiry', 'dispute_opened', 'paid_out'] as const),
    ...(['refunds_succeed', 'refunds_pend', 'refunds_fail', 'refunds_unanswered'] as const),
  ],
  refund: ['pending', 'succeeded', 'failed'],
  dispute: ['opened', 'updated', 'won', 'lost', 'closed'],
  payout: ['failed'],
} as const;
export type SandboxKind = keyof typeof SANDBOX_TELLS;

/** The outcomes that may be about a part of a payment. */
export const OF_A_PART: ReadonlySet<string> = new Set([
  'refunded',
  'dispute_inquiry',
  'dispute_opened',
]);

type SandboxPayout = Pick<StatedPayout, 'providerPayoutId' | 'amount' | 'fee' | 'sentOn' | 'lines'>;

/** A thing at a sandbox, as far as its events have to name it. */
export type SandboxThing =
  | { kind: 'payment_link'; link: PaymentLink }
  | { kind: 'mandate'; id: Uuid }
  | { kind: 'payment'; of: SampleOf }
  | { kind: 'refund'; refund: Refund }
  | { kind: 'dispute'; dispute: Dispute }
  | { kind: 'payout'; payout: SandboxPayout };

/** Refunds to come of a payment. */
const REFUNDS_TO_COME: Readonly<Record<string, RefundStanding>> = {
  refunds_succeed: 'succeeded',
  refunds_pend: 'pending',
  refunds_fail: 'failed',
  refunds_unanswered: 'unanswered',
};

/** The part of a decision that the sandbox keeps: a look-up tells the same as the event. */
export function standingOf(
  thing: SandboxThing,
  outcome: string,
): { subject: string; standing: RefundStanding } | undefined {
  if (thing.kind === 'refund') {
    return { subject: publicId('rfnd', thing.refund.id), standing: outcome as RefundStanding };
  }
  const standing = REFUNDS_TO_COME[outcome];
  return thing.kind === 'payment' && standing
    ? { subject: thing.of.paymentId, standing }
    : undefined;
}

/** The event of an outcome; undefined where nothing is told. @param part null: all of it */
export function toldEvent(
  thing: Exclude<SandboxThing, { kind: 'payment_link' }>,
  outcome: string,
  part: Money | null,
  at: Date,
): SandboxEvent | undefined {
  const told = typeAndData(thing, outcome, part, at);
  return told && { id: newMessageId(), ...told, at };
}

function typeAndData(
  thing: Exclude<SandboxThing, { kind: 'payment_link' }>,
  outcome: string,
  part: Money | null,
  time: Date,
): Pick<SandboxEvent, 'type' | 'data'> | undefined {
  const at = time.toISOString();
  switch (thing.kind) {
    case 'mandate':
      return { type: `mandate.${outcome}`, data: { mandate_id: publicId('mand', thing.id), at } };
    case 'payment':
      return ofPayment({ ...thing.of, amount: part ?? thing.of.amount }, outcome, time);
    case 'refund': {
      const {
        id,
        providerRefundId,
        providerPaymentId: payment_id,
        amount,
        clientId,
      } = thing.refund;
      const refundId = publicId('rfnd', id);
      const data = {
        sandbox_refund_id: providerRefundId ?? sandboxRefundId(refundId),
        ...(clientId !== null && { refund_id: refundId }),
        payment_id,
        ...inMinor(amount),
        at,
      };
      return { type: `refund.${outcome}`, data };
    }
    case 'dispute': {
      const { providerDisputeId: dispute_id, providerPaymentId: payment_id } = thing.dispute;
      const data = { dispute_id, payment_id, ...inMinor(thing.dispute.amount), at };
      return { type: `dispute.${outcome}`, data };
    }
    case 'payout': {
      const { providerPayoutId: payout_id, amount, fee, sentOn: sent_on } = thing.payout;
      // Its lines say whose it is.
      const lines = thing.payout.lines.map((line) => ({
        kind: line.kind,
        amount: line.amount.toMinorNumber(),
        fee: line.fee.toMinorNumber(),
        provider_id: line.providerId,
      }));
      const data = { payout_id, ...inMinor(amount), fee: fee.toMinorNumber(), sent_on, at, lines };
      return { type: 'payout.failed', data };
    }
  }
}

const SAMPLES: Readonly<Record<string, SampleEvent>> = {
  reversed: 'reversed',
  dispute_inquiry: 'dispute.inquiry',
  dispute_opened: 'dispute.opened',
  paid_out: 'payout',
};

function ofPayment(of: SampleOf, outcome: string, time: Date) {
  const sample = SAMPLES[outcome];
  if (sample) return sandboxEvent(sample, of, time);
  if (outcome !== 'refunded') return undefined;
  // Several parts may go back, one after the other.
  const { type, data } = sandboxEvent('refunded', of, time);
  const sandbox_refund_id = `sbx_refund_${randomBytes(12).toString('hex')}`;
  return { type, data: { ...data, sandbox_refund_id } };
}

function inMinor(amount: Money) {
  return { amount: amount.toMinorNumber(), currency: amount.currency };
}
