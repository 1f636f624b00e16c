import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Document, type DocumentState } from '../../src/documents/domain/document.js';
import { type DocumentKind, type Lifecycle, NEXT } from '../../src/documents/domain/lifecycle.js';
import type { DomainError } from '../../src/kernel/domain-error.js';
import { Money } from '../../src/kernel/money.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const TODAY = '2026-11-20';
const eur = (minor: bigint) => Money.of(minor, 'EUR');

/** An open invoice over 100.00 with nothing paid, issued today, due in 14 days. */
function aDocument(over: Partial<DocumentState> = {}): Document {
  const lifecycle = over.lifecycle ?? 'open';
  const issued = lifecycle !== 'draft';
  return new Document({
    accountId: 'account',
    id: 'document',
    kind: 'invoice',
    lifecycle,
    number: issued ? 'INV-00001' : null,
    currency: 'EUR',
    customerId: 'customer',
    issueDate: issued ? TODAY : null,
    dueDate: issued ? '2026-12-04' : null,
    paymentTermsDays: 14,
    total: eur(10_000n),
    amountPaid: eur(0n),
    acceptedAt: lifecycle === 'accepted' ? NOW : null,
    rejection: lifecycle === 'rejected' ? { reason: 'No', at: NOW, version: 2 } : null,
    version: 7,
    eventSequence: 3,
    createdAt: NOW,
    issuedAt: issued ? NOW : null,
    voidedAt: lifecycle === 'void' ? NOW : null,
    ...over,
  });
}

type State =
  'draft' | 'open' | 'partially_paid' | 'paid' | 'free' | 'accepted' | 'rejected' | 'void';

/** `free`: over nothing, so that it is paid as soon as it is issued. */
function inState(kind: DocumentKind, state: State): Document {
  const money: Partial<Record<State, Partial<DocumentState>>> = {
    partially_paid: { amountPaid: eur(2500n) },
    paid: { amountPaid: eur(10_000n) },
    free: { total: eur(0n) },
  };
  const lifecycle: Lifecycle =
    state === 'draft' || state === 'accepted' || state === 'rejected' || state === 'void'
      ? state
      : 'open';
  return aDocument({ kind, lifecycle, ...money[state] });
}

const ACTIONS = {
  issue: (document: Document) => document.issue('INV-00002', TODAY, 30, NOW),
  pay: (document: Document) => document.recordPayment(eur(100n), 'credit'),
  accept: (document: Document) => document.accept(NOW),
  reject: (document: Document) => document.reject('Too late', NOW),
  void: (document: Document) => document.void(NOW),
};
type Action = keyof typeof ACTIONS;

/** The public status afterwards, or the code of the refusal. Every cell, legal and illegal. */
const NOT_DRAFT = 'document_not_draft';
const NOT_PAYABLE = 'document_not_payable';
const NOT_REJECTABLE = 'document_not_rejectable';
const NOT_ACCEPTABLE = 'document_not_acceptable';
/** Nothing happens: the client has said the same before. */
const SAID = 'said';
const NOT_VOIDABLE = 'document_not_voidable';
const MATRIX: [DocumentKind, State, Record<Action, string>][] = (
  [
    ['invoice', 'draft', 'open', NOT_PAYABLE, NOT_REJECTABLE, NOT_VOIDABLE],
    ['invoice', 'open', NOT_DRAFT, 'partially_paid', 'rejected', 'void'],
    ['invoice', 'partially_paid', NOT_DRAFT, 'partially_paid', NOT_REJECTABLE, NOT_VOIDABLE],
    ['invoice', 'paid', NOT_DRAFT, 'paid', NOT_REJECTABLE, NOT_VOIDABLE],
    ['invoice', 'free', NOT_DRAFT, 'paid', NOT_REJECTABLE, 'void'],
    ['invoice', 'rejected', NOT_DRAFT, NOT_PAYABLE, NOT_REJECTABLE, 'void'],
    ['invoice', 'void', NOT_DRAFT, NOT_PAYABLE, NOT_REJECTABLE, NOT_VOIDABLE],
    ['quote', 'draft', 'open', NOT_PAYABLE, NOT_REJECTABLE, NOT_VOIDABLE],
    ['quote', 'open', NOT_DRAFT, NOT_PAYABLE, 'rejected', 'void', 'accepted'],
    ['quote', 'free', NOT_DRAFT, NOT_PAYABLE, 'rejected', 'void', 'accepted'],
    ['quote', 'accepted', NOT_DRAFT, NOT_PAYABLE, NOT_REJECTABLE, 'void', SAID],
    ['quote', 'rejected', NOT_DRAFT, NOT_PAYABLE, NOT_REJECTABLE, 'void'],
    ['quote', 'void', NOT_DRAFT, NOT_PAYABLE, NOT_REJECTABLE, NOT_VOIDABLE],
  ] as const
).map(([kind, state, issue, pay, reject, voided, accept = NOT_ACCEPTABLE]) => [
  kind,
  state,
  { issue, pay, reject, void: voided, accept },
]);

function outcomeOf(document: Document, action: (document: Document) => unknown): string {
  try {
    action(document);
    return document.status;
  } catch (error) {
    return (error as DomainError).code;
  }
}

describe.each(MATRIX)('%s, %s', (kind, state, outcomes) => {
  it.each(Object.entries(outcomes) as [Action, string][])('%s gives %s', (action, outcome) => {
    const document = inState(kind, state);
    const [before, status] = [{ ...document.state }, document.status];
    expect(outcomeOf(document, ACTIONS[action])).toBe(outcome === SAID ? status : outcome);
    if (outcome === SAID) {
      expect([document.state, document.takeFacts()]).toEqual([before, []]);
      return;
    }
    if (!outcome.startsWith('document_')) {
      expect(document.state.version).toBe(before.version + 1);
      expect(document.takeFacts().length).toBeGreaterThan(0);
      return;
    }
    expect(document.state).toEqual(before);
    expect(document.takeFacts()).toEqual([]);
    try {
      ACTIONS[action](document);
    } catch (error) {
      expect(error).toMatchObject({ kind: 'conflict', context: { document_status: status } });
    }
  });
});

it('moves only along the data of its lifecycle', () => {
  expect(NEXT).toEqual({
    draft: ['open'],
    open: ['accepted', 'rejected', 'void'],
    accepted: ['void'],
    rejected: ['void'],
    void: [],
  });
});

const aDraft = (over: Partial<DocumentState> = {}) => aDocument({ lifecycle: 'draft', ...over });

describe('issuing', () => {
  it('gives number and dates: today, and the terms from there', () => {
    const document = aDraft();
    document.issue('INV-00042', TODAY, 30, NOW);
    expect(document.state).toMatchObject({
      number: 'INV-00042',
      issueDate: TODAY,
      dueDate: '2026-12-04',
      issuedAt: NOW,
    });
    expect(document.takeFacts()).toEqual([{ type: 'document.issued', sequence: 4 }]);
  });

  it('keeps dates that were asked for, and has terms when none are', () => {
    const dated = aDraft({ issueDate: '2026-12-01', dueDate: '2026-12-01' });
    dated.issue('INV-1', TODAY, 30, NOW);
    expect(dated.state).toMatchObject({ issueDate: '2026-12-01', dueDate: '2026-12-01' });
    const plain = aDraft({ paymentTermsDays: null });
    plain.issue('INV-1', TODAY, 30, NOW);
    expect(plain.state.dueDate).toBe('2026-12-20');
    const atOnce = aDraft({ paymentTermsDays: 0 });
    atOnce.issue('INV-1', TODAY, 30, NOW);
    expect(atOnce.state.dueDate).toBe(TODAY);
  });

  it('refuses a due date that has passed meanwhile', () => {
    const late = aDraft({ dueDate: '2026-11-19' });
    expect(outcomeOf(late, ACTIONS.issue)).toBe('due_date_passed');
    expect(late.state).toMatchObject({ lifecycle: 'draft', number: null });
  });

  it('refuses a draft that is due before it is issued', () => {
    const { lifecycle: _, ...state } = aDraft().state;
    const wrong = { ...state, issueDate: '2026-11-20', dueDate: '2026-11-19' };
    expect(() => Document.draft(wrong)).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'due_before_issue' }),
    );
    expect(Document.draft({ ...wrong, dueDate: TODAY }).takeFacts()).toEqual([
      { type: 'document.created', sequence: 1 },
    ]);
  });
});

describe('payments', () => {
  it('add up to the total, with a fact each', () => {
    const document = aDocument();
    expect(document.recordPayment(eur(2500n), 'reject').applied.minor).toBe(2500n);
    expect(document.amountDue.minor).toBe(7500n);
    document.recordPayment(eur(7499n), 'reject');
    document.recordPayment(eur(1n), 'reject');
    expect([document.status, document.amountDue.minor]).toEqual(['paid', 0n]);
    expect(document.takeFacts()).toEqual([
      { type: 'document.partially_paid', sequence: 4 },
      { type: 'document.partially_paid', sequence: 5 },
      { type: 'document.paid', sequence: 6 },
    ]);
    expect(document.takeFacts()).toEqual([]);
    expect(document.nextSequence()).toBe(7);
  });

  it('above what is due are refused, with what is due', () => {
    const document = aDocument({ amountPaid: eur(9000n) });
    expect(() => document.recordPayment(eur(1001n), 'reject')).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        code: 'amount_exceeds_due',
        context: { amount_due: 1000, currency: 'EUR' },
        errors: [expect.objectContaining({ pointer: '/amount', code: 'amount_exceeds_due' })],
      }),
    );
    expect(document.state).toMatchObject({ amountPaid: eur(9000n), version: 7 });
    expect(document.takeFacts()).toEqual([]);
  });

  it('above what is due become credit where that was asked for', () => {
    const document = aDocument({ amountPaid: eur(9000n) });
    const { applied, excess } = document.recordPayment(eur(1500n), 'credit');
    expect([applied.minor, excess.minor]).toEqual([1000n, 500n]);
    expect(document.takeFacts().map(({ type }) => type)).toEqual([
      'document.paid',
      'document.overpaid',
    ]);
    const again = document.recordPayment(eur(20n), 'credit');
    expect([again.applied.minor, again.excess.minor]).toEqual([0n, 20n]);
    expect(document.takeFacts()).toEqual([{ type: 'document.overpaid', sequence: 6 }]);
  });

  it('of nothing, or of another currency, are a bug of ours', () => {
    expect(() => aDocument().recordPayment(eur(0n), 'credit')).toThrow('assertion');
    expect(() => aDocument().recordPayment(eur(-1n), 'credit')).toThrow('assertion');
    expect(() => aDocument().recordPayment(Money.of(1n, 'JPY'), 'credit')).toThrow('assertion');
  });

  it('never lose or make money, whatever comes', () => {
    const payments = fc.array(fc.tuple(fc.bigInt({ min: 1n, max: 6000n }), fc.boolean()));
    fc.assert(
      fc.property(payments, fc.bigInt({ min: 0n, max: 20_000n }), (payments, total) => {
        const document = aDocument({ total: eur(total) });
        let [taken, credited] = [0n, 0n];
        for (const [minor, credit] of payments) {
          try {
            const parts = document.recordPayment(eur(minor), credit ? 'credit' : 'reject');
            expect(parts.applied.plus(parts.excess).minor).toBe(minor);
            taken += minor;
            credited += parts.excess.minor;
          } catch (error) {
            expect(error).toMatchObject({ code: 'amount_exceeds_due' });
            expect(!credit && minor > document.amountDue.minor).toBe(true);
          }
          const { amountPaid } = document.state;
          expect(amountPaid.minor + credited).toBe(taken);
          expect(amountPaid.minor <= total && document.amountDue.minor >= 0n).toBe(true);
          expect(document.status === 'paid').toBe(amountPaid.minor === total);
        }
        const facts = document.takeFacts().map(({ sequence }) => sequence);
        expect(facts).toEqual(facts.map((_, at) => 4 + at));
      }),
    );
  });
});

describe('rejecting', () => {
  it('keeps reason, time and the version that was seen', () => {
    const document = aDocument();
    document.reject('The price is wrong', NOW);
    expect(document.state.rejection).toEqual({ reason: 'The price is wrong', at: NOW, version: 7 });
    expect(document.takeFacts()).toEqual([{ type: 'document.rejected', sequence: 4 }]);
  });

  it('is the same said twice, and a conflict said otherwise', () => {
    const document = aDocument();
    document.reject('No', NOW);
    document.takeFacts();
    const before = { ...document.state };
    document.reject('No', new Date('2026-11-21T00:00:00Z'));
    expect(document.state).toEqual(before);
    expect(document.takeFacts()).toEqual([]);
    expect(outcomeOf(document, (it) => it.reject('Yes', NOW))).toBe(NOT_REJECTABLE);
  });
});

describe('voiding', () => {
  it('keeps the number, and the answer of a client who rejected', () => {
    const document = aDocument({ lifecycle: 'rejected' });
    document.void(NOW);
    expect(document.state).toMatchObject({
      number: 'INV-00001',
      voidedAt: NOW,
      rejection: { reason: 'No' },
    });
    expect(document.takeFacts()).toEqual([{ type: 'document.voided', sequence: 4 }]);
  });
});

describe('being overdue', () => {
  it.each<[string, boolean, Partial<DocumentState>]>([
    ['the day after its due date', true, { dueDate: '2026-11-19' }],
    ['not on its due date', false, { dueDate: TODAY }],
    ['also when a part is paid', true, { dueDate: '2026-11-19', amountPaid: eur(1n) }],
    ['not when paid', false, { dueDate: '2026-11-19', amountPaid: eur(10_000n) }],
    ['not when it is over nothing', false, { dueDate: '2026-11-19', total: eur(0n) }],
    ['not as a quote', false, { dueDate: '2026-11-19', kind: 'quote' }],
    ['not as a draft', false, { dueDate: '2026-11-19', lifecycle: 'draft' }],
    ['not when void', false, { dueDate: '2026-11-19', lifecycle: 'void' }],
    ['not when rejected', false, { dueDate: '2026-11-19', lifecycle: 'rejected' }],
  ])('is %s', (_, overdue, state) => {
    expect(aDocument(state).isOverdue(TODAY)).toBe(overdue);
  });
});
