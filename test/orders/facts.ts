import { DEAF_STRIPE } from '../proof/voices/all-voices.js';
import type { Charge, DisputeWord, Spoken, Voice } from '../proof/voices/voice.js';

/*
 * All that a provider can tell of one payment, in the order in which it happens there. Calls come in any
 * other order.
 */

export const PAID = 11_900;
export const PAYMENT_FEE = 25;
const PAYOUT_FEE = 100;
const MINUTE = 60_000;

/** The amounts of a history. */
export interface Amounts {
  refund: number;
  secondRefund: number;
  /** Null: the first dispute is over all of it, so there is no second one. */
  dispute: number | null;
  secondDispute: number;
}

export const PARTS: Amounts = {
  refund: 5000,
  secondRefund: 3000,
  dispute: 8000,
  secondDispute: 3900,
};
export const WHOLE: Amounts = { ...PARTS, dispute: PAID };
/** In another currency the payer may dispute more than came. */
export const ABOVE: Amounts = { ...PARTS, dispute: 12_500 };

export const FACTS = [
  'paid',
  'asked',
  'refund',
  'sum',
  'refund_back',
  'second_refund',
  'second_sum',
  'refund_again',
  'opened',
  'updated',
  'lost',
  'won',
  'reopened',
  'second_opened',
  'second_lost',
  'bounced',
  'reversal',
  'late_failure',
  'payout',
] as const;
export type Fact = (typeof FACTS)[number];

export const OF_DISPUTES: ReadonlySet<Fact> = new Set([
  'opened',
  'updated',
  'lost',
  'won',
  'reopened',
  'second_opened',
  'second_lost',
]);
/** Each takes all of the payment, and for good. */
const ENDS: ReadonlySet<Fact> = new Set(['bounced', 'reversal', 'late_failure']);

/** How a dispute stands once a fact of it has happened. */
const STATUS: Partial<Record<Fact, DisputeWord['status']>> = {
  opened: 'open',
  updated: 'open',
  lost: 'lost',
  won: 'won',
  reopened: 'open',
  second_opened: 'open',
  second_lost: 'lost',
};

/** The names of one payment and of all that happens to it. */
export interface Story {
  charge: Charge;
  /** Our id of the document. */
  invoice: string;
  /** Our id of the first refund, once we have asked for it. */
  refund: string | null;
  amounts: Amounts;
  refundName: string;
  secondName: string;
  againName: string;
  reversalName: string;
  payoutId: string;
  startedAt: number;
}

function timeOf(fact: Fact, { startedAt }: Pick<Story, 'startedAt'>): number {
  return startedAt + FACTS.indexOf(fact) * MINUTE;
}

export interface Refunded {
  told: Fact;
  name: keyof Story & `${string}Name`;
  amount: number;
  at: Fact;
  back: Fact | null;
}

/** The refunds that have happened, if these facts are told. */
export function refundsOf(facts: readonly Fact[], { refund, secondRefund }: Amounts): Refunded[] {
  const has = (...names: Fact[]) => names.some((name) => facts.includes(name));
  const first = has('asked', 'refund', 'sum', 'refund_back', 'second_sum');
  const back = has('refund_back') ? ('refund_back' as const) : null;
  return [
    ...(first
      ? [{ told: 'refund', name: 'refundName', amount: refund, at: 'refund', back } as const]
      : []),
    ...(has('second_refund', 'second_sum')
      ? [one('second_refund', 'secondName', secondRefund)]
      : []),
    ...(has('refund_again') ? [one('refund_again', 'againName', PAID)] : []),
  ];
}

function one(told: Fact, name: Refunded['name'], amount: number): Refunded {
  return { told, name, amount, at: told, back: null };
}

/** The sum that its provider tells: of all refunds up to then that have not come back. */
export function sumAt(sum: Fact, facts: readonly Fact[], amounts: Amounts): number {
  const before = (fact: Fact) => FACTS.indexOf(fact) <= FACTS.indexOf(sum);
  return refundsOf(facts, amounts)
    .filter(({ at, back }) => before(at) && !(back && before(back)))
    .reduce((total, { amount }) => total + amount, 0);
}

/** Whether all of it can have happened to one payment of this provider. */
export function isLegal(facts: readonly Fact[], provider: string, voice: Voice): boolean {
  const has = (name: Fact) => facts.includes(name);
  const ends = facts.filter((fact) => ENDS.has(fact));
  if (!has('paid') || !facts.every((fact) => canTell(fact, provider, voice))) return false;
  if (ends.length > 1) return false;
  if (ends.length === 1 && facts.some((fact) => OF_DISPUTES.has(fact))) return false;
  if (has('reopened') && !has('lost') && !has('won')) return false;
  // All of it goes back again, so nothing else is out.
  if (has('refund_again')) {
    return has('refund_back') && !has('second_refund') && !has('second_sum') && !has('sum');
  }
  return true;
}

function canTell(fact: Fact, provider: string, voice: Voice): boolean {
  switch (fact) {
    case 'asked':
      return voice.refunds !== false && provider !== DEAF_STRIPE;
    case 'sum':
    case 'second_sum':
      return provider.startsWith('stripe');
    case 'bounced':
      return voice.reversed?.names === undefined
        ? voice.reversed !== undefined
        : voice.reversed.names.isOptional === true;
    case 'reversal':
      return voice.reversed?.names !== undefined;
    case 'late_failure':
      return voice.failed?.of === 'ofPaid';
    case 'payout':
      return voice.payout !== undefined;
    case 'second_opened':
    case 'second_lost':
      return voice.dispute.isWhole !== true && canSay(fact, voice);
    default:
      return STATUS[fact] === undefined || canSay(fact, voice);
  }
}

function canSay(fact: Fact, { dispute }: Voice): boolean {
  const status = STATUS[fact];
  // At some providers an event of the same name is the same event.
  if (dispute.saysOnce && (fact === 'updated' || fact === 'reopened')) return false;
  return status !== undefined && dispute.statuses.includes(status);
}

/** Whether it can be told in this order: what we ask for ourselves is told of afterwards. */
export function canCome(told: readonly Fact[]): boolean {
  const asked = told.indexOf('asked');
  const isAbout = (fact: Fact) => ['refund', 'sum', 'refund_back', 'second_sum'].includes(fact);
  const first = told.findIndex(isAbout);
  return asked < 0 || (told.indexOf('paid') < asked && (first < 0 || asked < first));
}

/** The event of a fact, and how a dispute is heard to stand by it. */
export function say(
  fact: Fact,
  facts: readonly Fact[],
  story: Story,
  voice: Voice,
): { spoken: Spoken; word?: DisputeWord } {
  const { charge, amounts } = story;
  const { id: payment, currency } = charge;
  const at = timeOf(fact, story);
  const status = STATUS[fact];
  if (status) return disputed(fact, status, story, voice);
  const refund = refundsOf(facts, amounts).find(({ told, back }) => fact === told || fact === back);
  if (refund) {
    const { name, amount, back } = refund;
    const outcome = fact === back ? 'failed' : 'succeeded';
    const ours = name === 'refundName' ? story.refund : null;
    const of = { id: String(story[name]), ours, payment, amount, currency };
    return { spoken: voice.refund({ ...of, status: outcome, at }) };
  }
  switch (fact) {
    case 'paid':
      return { spoken: voice.paid(charge, PAYMENT_FEE, at) };
    case 'sum':
    case 'second_sum':
      return { spoken: voice.refundedInAll!(charge, sumAt(fact, facts, amounts), at) };
    case 'bounced':
      return { spoken: voice.reversed!.told(charge, at, null) };
    case 'reversal':
      return { spoken: voice.reversed!.told(charge, at, story.reversalName) };
    case 'late_failure':
      return { spoken: voice.failed!.told(charge, at) };
    case 'payout':
      return { spoken: paidOut(story, voice, at) };
    default:
      throw new Error(`nobody says ${fact}`);
  }
}

function disputed(
  fact: Fact,
  status: DisputeWord['status'],
  { charge, amounts, startedAt }: Story,
  { dispute }: Voice,
) {
  const isSecond = fact.startsWith('second');
  const amount = isSecond ? amounts.secondDispute : (amounts.dispute ?? PAID);
  const at = timeOf(fact, { startedAt });
  return dispute.told(charge, dispute.id(charge.id, isSecond ? 1 : 0), {
    status,
    amount,
    fee: 15,
    at,
  });
}

function paidOut({ charge, payoutId }: Story, voice: Voice, at: number): Spoken {
  const { id: provider_id, amount, currency } = charge;
  const lines = [{ kind: 'payment', amount, fee: voice.feeOf(PAYMENT_FEE), provider_id }];
  const sent_on = new Date(at).toISOString().slice(0, 10);
  const net = amount - voice.feeOf(PAYMENT_FEE) - PAYOUT_FEE;
  const word = { payout_id: payoutId, amount: net, currency, fee: PAYOUT_FEE, sent_on, lines };
  return voice.payout!(word, 'paid', at);
}

/** The amount that a payout brings to the bank, and its cost. */
export function payoutOf(voice: Voice): { net: number; fee: number } {
  return { net: PAID - voice.feeOf(PAYMENT_FEE) - PAYOUT_FEE, fee: PAYOUT_FEE };
}
