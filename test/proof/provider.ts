import { setTimeout } from 'node:timers/promises';
import { DomainError } from '../../src/kernel/domain-error.js';
import type { Gateway } from '../../src/payments/port/domain/gateway.js';
import { Gateways } from '../../src/payments/index.js';
import type { TestService } from '../support/service.js';
import type { Voices } from './voices/all-voices.js';

/** The gateway of what no other can do, and of services that have no other. */
export const SANDBOX = 'sandbox';

/**
 * The provider's treatment of one request. `lost` is done, but the answer never comes. `deaf` is
 * not done, and no answer comes. `pending` is accepted, and decided later.
 */
export type Mood = 'done' | 'no' | 'pending' | 'lost' | 'deaf';

type Said = 'succeeded' | 'failed' | 'pending' | 'nothing';
interface Kept {
  /** The provider's own id of the payment. */
  of: string;
  amount: number;
  currency: string;
  /** `bounced`: it went, and the payer's bank sent it back. */
  status: Exclude<Said, 'nothing'> | 'bounced';
}

type Asked = Parameters<Gateway['refund']>[0];
/** With our own id of it, of which each provider makes one of its own. */
interface Outcome {
  status: Said | 'not_found';
  reason?: string;
  providerRefundId?: string;
}

function decide(refund: Kept, mood: Mood): void {
  if (refund.status === 'pending' && mood === 'no') refund.status = 'failed';
  if (refund.status === 'pending' && mood === 'done') refund.status = 'succeeded';
}

/** A provider that remembers what it gave back, and that answers as it is told to. */
export class Provider {
  /** Of each of our refund ids that it took: what became of it. */
  private readonly kept = new Map<string, Kept>();
  private readonly elsewhere = new Map<string, Pick<Kept, 'of' | 'amount'>>();
  private readonly said = new Map<string, Set<Said>>();
  private readonly moods = new Map<string, Mood>();
  private jobs: Promise<unknown> = Promise.resolve();

  /** In place of what the gateways of this service would ask, so that its answers are chosen here. */
  constructor(service: TestService, voices: Voices) {
    for (const [name, voice] of voices) {
      if (voice.refunds === false) continue;
      const said = (outcome: Outcome) =>
        outcome.providerRefundId === undefined
          ? outcome
          : { ...outcome, providerRefundId: voice.refundId(outcome.providerRefundId) };
      Object.assign(service.app.get(Gateways).get(name), {
        tellsRefunds: true,
        refund: async (asked: Asked) => said(await this.refund(asked)),
        lookUpRefund: async (asked: Asked) => said(await this.lookUp(asked)),
      });
    }
  }

  /** For the next request about it: a payment that is to be refunded, or a refund. */
  feel(id: string, mood: Mood): void {
    this.moods.set(id, mood);
  }

  /** Whether it ever answered so about a refund. */
  hasSaid(refund: string, what: Said): boolean {
    return this.said.get(refund)?.has(what) ?? false;
  }

  /** The amount that it sent by a refund, and be it that it bounced; null if it is not decided. */
  gave(refund: string): number | null {
    const { status, amount } = this.kept.get(refund) ?? {};
    if (status === 'pending') return null;
    return status === 'failed' ? 0 : (amount ?? 0);
  }

  hasBounced(refund: string): boolean {
    return this.kept.get(refund)?.status === 'bounced';
  }

  /**
   * Decides what is pending, or has what went bounce, and is about to tell of it by itself; null of
   * what it never got.
   */
  tell(refund: string, mood: Mood, bounces: boolean): Kept | null {
    const known = this.kept.get(refund);
    if (!known) return null;
    if (known.status === 'succeeded' && bounces) known.status = 'bounced';
    decide(known, mood);
    this.answer(refund, false);
    return { ...known };
  }

  /** The amounts that went back of some payments, by refund. */
  allThatWentBack(payments: readonly string[]): Record<string, number> {
    const went = [...this.kept].filter(
      ([, { of, status }]) => status === 'succeeded' && payments.includes(of),
    );
    const made = [...this.elsewhere].filter(([, { of }]) => payments.includes(of));
    return Object.fromEntries([...went, ...made].map(([id, { amount }]) => [id, amount]));
  }

  /** In its dashboard, for our id of it. */
  madeElsewhere(refund: string, of: string, amount: number): void {
    this.elsewhere.set(refund, { of, amount });
  }

  cameBack(refund: string): void {
    this.elsewhere.delete(refund);
  }

  /** One at a time: the job takes whatever is due, and be it of another lane. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.jobs.then(work);
    this.jobs = turn.catch(() => undefined);
    return turn;
  }

  private async refund(asked: Asked): Promise<Outcome> {
    const { refundId, providerPaymentId, amount } = asked;
    const mood = this.moodOf(refundId) ?? this.moodOf(providerPaymentId) ?? 'done';
    await setTimeout(1);
    // One refund for one id, however often it is asked for.
    if (!this.kept.has(refundId) && mood !== 'deaf') {
      const status = mood === 'no' ? 'failed' : mood === 'pending' ? mood : 'succeeded';
      const { currency } = amount;
      const of = providerPaymentId;
      this.kept.set(refundId, { of, amount: amount.toMinorNumber(), currency, status });
    }
    return this.answer(refundId, mood === 'lost' || mood === 'deaf');
  }

  private async lookUp({ refundId }: Asked): Promise<Outcome> {
    await setTimeout(1);
    const known = this.kept.get(refundId);
    // Of what it never got it says so, and then is asked for it: that takes the mood.
    if (!known) return { status: 'not_found' };
    const mood = this.moodOf(refundId) ?? 'done';
    decide(known, mood);
    return this.answer(refundId, mood === 'lost' || mood === 'deaf');
  }

  private answer(refundId: string, isLost: boolean): Outcome {
    const { status } = this.kept.get(refundId) ?? {};
    const told = status === 'bounced' ? 'failed' : status;
    const said = isLost || told === undefined ? 'nothing' : told;
    this.said.set(refundId, (this.said.get(refundId) ?? new Set()).add(said));
    switch (said) {
      case 'nothing':
        throw DomainError.unavailable('gateway_unavailable', 'No answer.');
      case 'failed':
        return { status: said, reason: 'charge_disputed' };
      default:
        return { status: said, providerRefundId: refundId };
    }
  }

  private moodOf(id: string): Mood | undefined {
    const mood = this.moods.get(id);
    this.moods.delete(id);
    return mood;
  }
}
