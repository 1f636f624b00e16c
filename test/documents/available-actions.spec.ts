import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  type DocumentAction,
  DOCUMENT_ACTIONS,
} from '../../src/documents/domain/available-actions.js';
import { Document } from '../../src/documents/domain/document.js';
import { amountKept } from '../../src/documents/domain/document-sums.js';
import type { DocumentState } from '../../src/documents/domain/document-state.js';
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type Lifecycle,
  NEXT,
} from '../../src/documents/domain/lifecycle.js';
import {
  aState,
  CREDIT_NOTE_ID,
  EARLIER,
  eur,
  LATER,
  NOW,
  refusedBy,
  STEPS,
} from './a-document.js';
import { runsOf } from '../support/share.js';

/** The states that steps lead to, from a draft on. */
function reachable(kind: DocumentKind): Lifecycle[] {
  const found: Lifecycle[] = ['draft'];
  for (const one of found) {
    found.push(...NEXT[kind][one].filter((next) => !found.includes(next)));
  }
  return found;
}

const aKindAndLifecycle = fc.constantFrom(
  ...DOCUMENT_KINDS.flatMap((kind) => reachable(kind).map((lifecycle) => ({ kind, lifecycle }))),
);

/** All, nothing or a part of an amount. */
const aShare = fc.oneof(fc.constantFrom(0n, 1000n), fc.bigInt({ min: 0n, max: 1000n }));

/** Every state that the CHECKs of the database allow. */
const aPossibleState: fc.Arbitrary<DocumentState> = fc
  .record({
    of: aKindAndLifecycle,
    total: fc.oneof(fc.constantFrom(0n, 1n, 100n), fc.bigInt({ min: 0n, max: 30_000n })),
    paid: aShare,
    refunded: aShare,
    waived: fc.boolean(),
    credited: aShare,
    beyond: aShare,
    lapsed: fc.boolean(),
    accepted: fc.boolean(),
    reason: fc.constantFrom('No', 'Too late'),
  })
  .map(({ of: { kind, lifecycle }, total, lapsed, accepted, reason, ...shares }) => {
    const collects = kind === 'invoice' && ['open', 'uncollectible'].includes(lifecycle);
    const part = (whole: bigint, share: bigint) => (collects ? (whole * share) / 1000n : 0n);
    const paid = part(total, shares.paid);
    const refunded = part(paid, shares.refunded);
    const kept = paid - refunded;
    const credited = part(total - kept, shares.credited);
    const waived = collects && shares.waived ? total - kept - credited : 0n;
    const notes = credited + part(total - credited, shares.beyond);
    const state = aState({ kind, lifecycle });
    return {
      ...state,
      total: eur(total),
      amountPaid: eur(paid),
      amountRefunded: eur(refunded),
      amountWaived: eur(waived),
      amountCredited: eur(credited),
      creditNotesTotal: eur(notes),
      amountApplied: eur(kind === 'credit_note' ? (total * shares.credited) / 1000n : 0n),
      settledAt: collects && kept + credited + waived === total ? EARLIER : null,
      lapsesAt: state.lapsesAt && (lapsed ? EARLIER : LATER),
      acceptedAt: state.acceptedAt ?? (lifecycle === 'converted' && accepted ? EARLIER : null),
      rejection: state.rejection && { ...state.rejection, reason },
    };
  });

const copyOf = (state: DocumentState) => new Document({ ...state }, NOW);

/** The same answer given twice: it may not be given any more, and is no error. */
function isSaid(action: DocumentAction, { lifecycle, rejection }: DocumentState): boolean {
  if (action === 'accept') return lifecycle === 'accepted';
  return action === 'reject' && rejection?.reason === 'Too late';
}

const anAction = fc.constantFrom(...DOCUMENT_ACTIONS);
const MANY = runsOf(5000);

describe('what may be done', () => {
  it('is what the domain does, in any state', () => {
    fc.assert(
      fc.property(aPossibleState, anAction, (state, action) => {
        const document = copyOf(state);
        const [refusal, isRepeated] = [document.refusalOf(action), isSaid(action, state)];
        const thrown = refusedBy(() => STEPS[action](document));
        if (isRepeated) {
          expect([thrown, document.takeFacts()]).toEqual([null, []]);
          return;
        }
        expect(thrown?.code ?? null).toBe(refusal?.refusal.code ?? null);
        if (!thrown) return;
        expect(thrown).toMatchObject({
          kind: 'conflict',
          context: { document_status: copyOf(state).status },
        });
        expect(document.state).toEqual(state);
        expect(document.takeFacts()).toEqual([]);
      }),
      MANY,
    );
  });

  it('keeps the books: nothing is negative, nothing above the total', () => {
    fc.assert(
      fc.property(aPossibleState, fc.array(anAction, { maxLength: 6 }), (state, actions) => {
        const document = copyOf(state);
        for (const action of actions) {
          refusedBy(() => STEPS[action](document));
          const { total, amountCredited, creditNotesTotal, settledAt } = document.state;
          expect(
            document.amountPayable.isNegative() || document.amountCreditable.isNegative(),
          ).toBe(false);
          expect(amountCredited.compare(creditNotesTotal) <= 0).toBe(true);
          expect(creditNotesTotal.compare(total) <= 0).toBe(true);
          const { kind, lifecycle } = document.state;
          const collects =
            kind === 'invoice' && (lifecycle === 'open' || lifecycle === 'uncollectible');
          expect(settledAt !== null).toBe(collects && document.amountPayable.isZero());
          expect(document.status === 'paid').toBe(settledAt !== null);
          const touched = amountKept(document.state).isPositive() || creditNotesTotal.isPositive();
          expect(touched && !collects).toBe(false);
        }
      }),
      runsOf(2000),
    );
  });
});

/** The actions that a way out names, in the words that every one of them uses. */
const NAMED: [RegExp, DocumentAction][] = [
  [/\bissue it\b/i, 'issue'],
  [/\bvoid it\b/i, 'void'],
  [/\brevise\b/i, 'revise'],
  [/\bduplicate\b/i, 'duplicate'],
  [/\bconvert it\b/i, 'convert'],
  [/\bchange the draft\b/i, 'edit'],
  [/\bdelete the draft\b/i, 'delete'],
  [/\bmake a credit note\b/i, 'credit'],
  [/\bask the sender for a new version\b/i, 'revise'],
];

const KIND_NAMES = { invoice: 'invoice', quote: 'quote', credit_note: 'credit note' };

describe('a refusal', () => {
  it('has a code, names the state, and a way out that is open', () => {
    fc.assert(
      fc.property(aPossibleState, anAction, (state, action) => {
        const document = copyOf(state);
        const refusal = document.refusalOf(action);
        if (!refusal) return;
        const { reason, wayOut } = refusal;
        expect(refusal.refusal.code).toMatch(/^[a-z]+(_[a-z]+)+$/);
        expect(reason).toMatch(/^Only an? .+; this .+ is \w+\.$/);
        expect(reason).toContain(`this ${KIND_NAMES[state.kind]} is ${document.status}.`);
        expect(wayOut).toMatch(/^[A-Z].+\.$/);
        for (const [words, named] of NAMED) {
          if (!words.test(wayOut)) continue;
          expect({ wayOut, named, refusal: document.refusalOf(named) }).toMatchObject({
            refusal: null,
          });
        }
      }),
      MANY,
    );
  });

  // But for what is over nothing: it is settled as soon as it is issued.
  it('that names a first step is gone after it', () => {
    fc.assert(
      fc.property(aPossibleState, anAction, (state, action) => {
        const document = copyOf(state);
        const { wayOut = '' } = document.refusalOf(action) ?? {};
        if (!wayOut.includes(' first') || state.total.isZero()) return;
        if (wayOut.includes('credit notes')) {
          const { creditNotesTotal, amountCredited } = document.state;
          expect(creditNotesTotal.isPositive()).toBe(true);
          document.uncredit(creditNotesTotal, amountCredited, CREDIT_NOTE_ID);
        } else if (wayOut.startsWith('Refund')) {
          document.refund(amountKept(document.state));
          if (document.state.creditNotesTotal.isPositive()) return;
        } else {
          expect(wayOut.toLowerCase()).toContain('issue it');
          STEPS.issue(document);
        }
        const then = { wayOut, state: document.status, refusal: document.refusalOf(action) };
        expect(then).toMatchObject({ refusal: null });
      }),
      MANY,
    );
  });
});
