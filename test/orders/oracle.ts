import type { DisputeWord, Voice } from '../proof/voices/voice.js';
import {
  type Amounts,
  type Fact,
  FACTS,
  PAID,
  PAYMENT_FEE,
  payoutOf,
  refundsOf,
  type Story,
  sumAt,
} from './facts.js';

/*
 * How a payment ends, by what happened to it. It knows no order: what the provider holds, what the
 * document owes, and where each unit is.
 */

export interface Ending {
  document: { paid: number; refunded: number; due: number; status: string };
  /** Refunds that stand, by the provider's name. */
  refunds: Record<string, number>;
  disputes: Record<string, string>;
  balances: Record<string, number>;
  /** Money that went out and waits for a person, in all. */
  items: number;
}

/** A dispute as the provider's last word shows it. */
export interface HeardDispute {
  id: string;
  word: DisputeWord;
}

/** The states in which each provider has taken the disputed money. Its pages: docs/gateways.md. */
const TAKES: Record<string, readonly DisputeWord['status'][]> = {
  adyen: ['lost'],
  razorpay: ['lost'],
  mollie: ['lost'],
  gocardless: ['lost'],
};
const USUALLY: readonly DisputeWord['status'][] = ['open', 'lost'];

export function endingOf(
  facts: readonly Fact[],
  heard: readonly HeardDispute[],
  { provider, voice, story }: { provider: string; voice: Voice; story: Story },
): Ending {
  const { amounts } = story;
  const refunds = knownRefunds(facts, provider, amounts);
  const gone = sum(refunds.map(({ amount }) => amount));
  const last = lastWords(heard);
  const held = last.map(({ word }) => ({ ...word, has: heldBy(provider, word) }));
  const isTaken = facts.some((fact) => ['bounced', 'reversal', 'late_failure'].includes(fact));
  const lost = sum(held.map(({ status, has }) => (status === 'lost' ? has : 0)));
  const taken = lost + (isTaken ? PAID : 0);
  const disputed = sum(held.map(({ status, has }) => (status === 'lost' ? 0 : has)));
  const refunded = Math.min(gone, PAID);
  const unpaid = Math.min(taken, PAID - refunded);
  const due = unpaid + refunded;
  const losses = gone + taken - refunded - unpaid;
  const fee = voice.feeOf(PAYMENT_FEE);
  const disputeFees = sum(last.map(({ word }) => word.fee ?? 0));
  const payout = facts.includes('payout') ? payoutOf(voice) : { net: 0, fee: 0 };
  const fees = fee + disputeFees + payout.fee;
  return {
    document: {
      paid: PAID - unpaid,
      refunded,
      due,
      status: due === 0 ? 'paid' : due === PAID ? 'open' : 'partially_paid',
    },
    refunds: Object.fromEntries(refunds.map(({ name, amount }) => [story[name], amount])),
    disputes: Object.fromEntries(last.map(({ id, word }) => [id, word.status])),
    balances: present({
      receivables: due - PAID,
      gateway_clearing: PAID - gone - taken - disputed - fees - payout.net,
      gateway_fees: fees,
      disputed_funds: disputed,
      payment_losses: losses,
      payouts_in_transit: payout.net,
    }),
    items: missingNames(facts, provider, amounts),
  };
}

/** Of what is told by its name, or by a provider that shows all when it is asked. */
function knownRefunds(facts: readonly Fact[], provider: string, amounts: Amounts) {
  const isShown = provider === 'stripe' && facts.some((fact) => isSum(fact));
  return refundsOf(facts, amounts).filter(
    ({ told, back }) => back === null && (isShown || isKnown(facts, told)),
  );
}

/** The part that only a sum tells, and nobody can be asked about. One that failed before is not in it. */
function missingNames(facts: readonly Fact[], provider: string, amounts: Amounts): number {
  if (provider === 'stripe') return 0;
  const isTold = (fact: Fact | null) => fact !== null && facts.includes(fact);
  const missing = facts.filter(isSum).map((fact) => {
    const isOver = (back: Fact | null) => back !== null && isBefore(back, fact);
    const named = refundsOf(facts, amounts).filter(
      ({ told, back }) => (isKnown(facts, told) || isTold(back)) && !isOver(back),
    );
    return sumAt(fact, facts, amounts) - sum(named.map(({ amount }) => amount));
  });
  return Math.max(0, ...missing);
}

const isKnown = (facts: readonly Fact[], told: Fact) =>
  facts.includes(told) || (told === 'refund' && facts.includes('asked'));

const isBefore = (one: Fact, other: Fact) => FACTS.indexOf(one) < FACTS.indexOf(other);

const isSum = (fact: Fact) => fact === 'sum' || fact === 'second_sum';

function lastWords(heard: readonly HeardDispute[]): HeardDispute[] {
  const last = new Map<string, HeardDispute>();
  for (const one of heard) {
    const before = last.get(one.id);
    if (!before || before.word.at <= one.word.at) last.set(one.id, one);
  }
  return [...last.values()];
}

function heldBy(provider: string, { status, amount }: DisputeWord): number {
  return (TAKES[provider] ?? USUALLY).includes(status) ? amount : 0;
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0);

function present(balances: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(balances).filter(([, amount]) => amount !== 0));
}
