import { describe, expect, it } from 'vitest';
import { Document } from '../../src/documents/domain/document.js';
import type { DocumentState } from '../../src/documents/domain/document-state.js';
import { Money } from '../../src/kernel/money.js';
import { aDocument, aState, eur, NOW, refusedBy, termsOf, TODAY, typesOf } from './a-document.js';

const aDraft = (over: Partial<DocumentState> = {}) => aDocument({ lifecycle: 'draft', ...over });

const NUMBER = {
  number: 'INV-00042',
  series: 'invoice',
  numbered: { period: '', sequence: 42n },
  numberBefore: null,
};
const issue = (document: Document, terms = 30, timeZone = 'UTC') =>
  document.issue(NUMBER, { issueDate: document.state.issueDate ?? TODAY, terms, timeZone });

describe('a draft', () => {
  const terms = { ...termsOf(aDraft()), accountId: 'account', id: 'document', origin: null };
  const draft = { ...terms, kind: 'invoice' as const, revision: 1 };

  it('begins with nothing but what it was made of', () => {
    const document = Document.draft({ ...draft, currency: 'JPY', total: Money.of(5n, 'JPY') }, NOW);
    const zero = Money.of(0n, 'JPY');
    expect(document.state).toEqual({
      ...aState({ lifecycle: 'draft' }),
      currency: 'JPY',
      total: Money.of(5n, 'JPY'),
      amountPaid: zero,
      amountPrepaid: zero,
      amountRefunded: zero,
      amountUndecided: zero,
      amountWaived: zero,
      amountDisputed: zero,
      amountProcessing: zero,
      amountCredited: zero,
      creditNotesTotal: zero,
      amountApplied: zero,
      amountMoved: zero,
      version: 1,
      eventSequence: 0,
      createdAt: NOW,
      updatedAt: NOW,
    });
    expect([document.status, document.hasMoved]).toEqual(['draft', false]);
    expect(document.takeFacts()).toEqual([
      {
        type: 'document.created',
        from: null,
        to: 'draft',
        version: 1,
        data: {},
        sequence: 1,
      },
    ]);
  });

  it('keeps its kind, origin and revision', () => {
    const origin = { relation: 'credit' as const, documentId: 'invoice' };
    const note = Document.draft({ ...draft, kind: 'credit_note', origin, revision: 3 }, NOW);
    expect(note.state).toMatchObject({ kind: 'credit_note', origin, revision: 3 });
    expect(typesOf(note)).toEqual(['credit_note.created']);
  });

  it('is not due before it is issued', () => {
    const dates = { issueDate: '2026-11-20', dueDate: '2026-11-19' };
    const refusal = expect.objectContaining({ kind: 'invalid', code: 'due_before_issue' });
    expect(() => Document.draft({ ...draft, ...dates }, NOW)).toThrow(refusal);
    const document = aDraft();
    expect(() => document.edit({ ...terms, ...dates }, [])).toThrow(refusal);
    expect(document.state).toEqual(aState({ lifecycle: 'draft' }));
    for (const right of [
      { ...dates, dueDate: TODAY },
      { ...dates, issueDate: null },
    ]) {
      expect(Document.draft({ ...draft, ...right }, NOW).state).toMatchObject(right);
    }
  });

  it('takes other terms, and says what changed', () => {
    const document = aDraft({ eventSequence: 1 });
    const changes = [{ field: '/notes', from: null, to: 'Thanks' }];
    const other = { ...terms, customerId: 'another', total: eur(5n), dueDate: '2027-01-01' };
    document.edit(other, changes);
    expect(document.state).toMatchObject({
      customerId: 'another',
      total: eur(5n),
      dueDate: '2027-01-01',
      lifecycle: 'draft',
      version: 8,
    });
    expect(document.hasMoved).toBe(false);
    expect(document.takeFacts()).toEqual([
      {
        type: 'document.updated',
        from: 'draft',
        to: 'draft',
        version: 8,
        data: { changes },
        sequence: 2,
      },
    ]);
  });

  it('changes its currency as a whole', () => {
    const document = aDraft();
    document.edit({ ...terms, currency: 'JPY', total: Money.of(300n, 'JPY') }, []);
    expect(document.amountPayable).toEqual(Money.of(300n, 'JPY'));
    expect(document.amountCreditable).toEqual(Money.zero('JPY'));
    issue(document);
    expect(document.recordPayment(Money.of(300n, 'JPY'), 'reject').applied.minor).toBe(300n);
  });

  it('is deleted with a fact', () => {
    const document = aDraft({ kind: 'credit_note' });
    document.discard();
    expect(document.takeFacts()).toMatchObject([
      { type: 'credit_note.deleted', from: 'draft', to: 'draft' },
    ]);
  });
});

describe('issuing', () => {
  it('gives number and dates: today, and the terms from there', () => {
    const document = aDraft({ series: 'asked' });
    issue(document);
    expect(document.state).toMatchObject({
      ...NUMBER,
      lifecycle: 'open',
      issueDate: TODAY,
      dueDate: '2026-12-20',
      lapsesAt: new Date('2026-12-21T00:00:00Z'),
      issuedAt: NOW,
      settledAt: null,
      version: 8,
    });
    expect(document.takeFacts()).toEqual([
      {
        type: 'document.issued',
        from: 'draft',
        to: 'open',
        version: 8,
        data: {
          issue_date: TODAY,
          figures: { net_total: 10_000, tax_total: 0, rounding: 0 },
        },
        sequence: 4,
      },
    ]);
  });

  it('keeps dates that were asked for', () => {
    const dated = aDraft({ issueDate: '2026-12-01', dueDate: '2026-12-01' });
    issue(dated);
    expect(dated.state).toMatchObject({ issueDate: '2026-12-01', dueDate: '2026-12-01' });
    const atOnce = aDraft();
    issue(atOnce, 0);
    expect(atOnce.state.dueDate).toBe(TODAY);
    const past = aDraft({ issueDate: '2020-01-01', dueDate: '2020-01-01' });
    issue(past);
    expect([past.status, past.isOverdue]).toEqual(['open', true]);
  });

  it('lapses at the end of the due date, where the account is', () => {
    for (const [timeZone, end] of [
      ['Europe/Berlin', '2026-12-04T23:00:00.000Z'],
      ['Pacific/Kiritimati', '2026-12-04T10:00:00.000Z'],
      ['America/Los_Angeles', '2026-12-05T08:00:00.000Z'],
    ] as const) {
      const document = aDraft({ dueDate: '2026-12-04' });
      issue(document, 30, timeZone);
      expect(document.state.lapsesAt?.toISOString()).toBe(end);
    }
  });

  it('settles an invoice over nothing, and no other document', () => {
    for (const [kind, minor, settledAt] of [
      ['invoice', 0n, NOW],
      ['invoice', 1n, null],
      ['quote', 0n, null],
      ['credit_note', 100n, null],
    ] as const) {
      const document = aDraft({ kind, total: eur(minor) });
      issue(document);
      expect(document.state.settledAt).toEqual(settledAt);
    }
  });

  it('refuses a due date that has passed meanwhile', () => {
    const late = aDraft({ dueDate: '2026-11-19' });
    const before = { ...late.state };
    expect(refusedBy(() => issue(late))).toMatchObject({
      kind: 'conflict',
      code: 'due_date_passed',
      context: { document_status: 'draft' },
    });
    expect(late.state).toEqual(before);
    expect(refusedBy(() => late.assertIssuable('2026-11-20'))?.code).toBe('due_date_passed');
    expect(refusedBy(() => late.assertIssuable('2026-11-19'))).toBeNull();
    const dated = aDraft({ dueDate: '2026-11-19', issueDate: '2026-11-19' });
    expect(refusedBy(() => dated.assertIssuable(TODAY))).toBeNull();
  });

  it('of a credit note says how much of it reduced the invoice', () => {
    const note = aDraft({ kind: 'credit_note' });
    note.apply(eur(10_000n));
    issue(note, 0);
    expect([note.status, typesOf(note)]).toEqual(['applied', ['credit_note.issued']]);
  });
});
