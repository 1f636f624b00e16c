import { describe, expect, it } from 'vitest';
import { Document } from '../../src/documents/domain/document.js';
import { documentNotFound } from '../../src/documents/domain/document-refusals.js';
import type { DocumentState } from '../../src/documents/domain/document-state.js';
import {
  DOCUMENT_STATUSES,
  type DocumentKind,
  type DocumentStatus,
  type Lifecycle,
} from '../../src/documents/domain/lifecycle.js';
import { aDocument, aState, EARLIER, eur, NOW, refusedBy, typesOf } from './a-document.js';

describe('a status', () => {
  const just = { lapsesAt: NOW };
  const notYet = { lapsesAt: new Date(NOW.getTime() + 1) };
  it.each<[DocumentStatus, DocumentKind, Partial<DocumentState>]>([
    ['draft', 'invoice', { lifecycle: 'draft' }],
    ['draft', 'quote', { lifecycle: 'draft', ...just }],
    ['draft', 'credit_note', { lifecycle: 'draft', total: eur(0n) }],
    ['draft', 'invoice', { lifecycle: 'draft', total: eur(0n) }],
    ['open', 'invoice', {}],
    ['open', 'invoice', just],
    ['open', 'invoice', { amountCredited: eur(9999n), creditNotesTotal: eur(9999n) }],
    ['open', 'quote', notYet],
    ['open', 'quote', { total: eur(0n) }],
    ['open', 'credit_note', { amountApplied: eur(9999n) }],
    ['open', 'credit_note', just],
    ['applied', 'credit_note', { amountApplied: eur(10_000n) }],
    ['partially_paid', 'invoice', { amountPaid: eur(1n) }],
    ['partially_paid', 'invoice', { amountPaid: eur(1n), amountCredited: eur(9998n) }],
    ['paid', 'invoice', { amountPaid: eur(10_000n) }],
    ['paid', 'invoice', { amountPaid: eur(1n), amountCredited: eur(9999n) }],
    ['paid', 'invoice', { amountCredited: eur(10_000n) }],
    ['paid', 'invoice', { total: eur(0n) }],
    ['paid', 'invoice', { lifecycle: 'uncollectible', amountPaid: eur(10_000n) }],
    ['uncollectible', 'invoice', { lifecycle: 'uncollectible', amountPaid: eur(9999n) }],
    ['accepted', 'quote', { lifecycle: 'accepted', ...just }],
    ['rejected', 'quote', { lifecycle: 'rejected', ...just }],
    ['rejected', 'invoice', { lifecycle: 'rejected', total: eur(0n) }],
    ['expired', 'quote', just],
    ['converted', 'quote', { lifecycle: 'converted', ...just }],
    ['void', 'invoice', { lifecycle: 'void', total: eur(0n) }],
    ['void', 'quote', { lifecycle: 'void', ...just }],
    ['void', 'credit_note', { lifecycle: 'void', amountApplied: eur(10_000n) }],
  ])('is %s: %s, %o', (status, kind, over) => {
    expect(aDocument({ kind, ...over }).status).toBe(status);
    expect(DOCUMENT_STATUSES).toContain(status);
  });
});

describe('what is due', () => {
  it('is the total less what is paid and credited', () => {
    const over = { amountPaid: eur(2500n), amountCredited: eur(1500n) };
    expect(aDocument(over).amountDue.minor).toBe(6000n);
    expect(aDocument({ ...over, kind: 'quote' }).amountDue.minor).toBe(0n);
  });

  it('of a credit note is nothing', () => {
    expect(aDocument({ kind: 'credit_note' }).amountDue).toEqual(eur(0n));
  });

  it('may be credited on invoices alone, up to the total', () => {
    const creditNotesTotal = eur(4000n);
    expect(aDocument({ creditNotesTotal, amountPaid: eur(9000n) }).amountCreditable.minor).toBe(
      6000n,
    );
    expect(aDocument({ creditNotesTotal, kind: 'quote' }).amountCreditable).toEqual(eur(0n));
    expect(aDocument({ kind: 'credit_note' }).amountCreditable).toEqual(eur(0n));
  });

  it.each<Lifecycle>(['draft', 'rejected', 'void'])('may not be credited when %s', (lifecycle) => {
    expect(aDocument({ lifecycle }).amountCreditable).toEqual(eur(0n));
  });

  const late = { lapsesAt: NOW };
  it.each<[string, boolean, Partial<DocumentState>]>([
    ['from the first instant after the due date', true, late],
    ['not a millisecond before', false, { lapsesAt: new Date(NOW.getTime() + 1) }],
    ['also when a part is paid', true, { ...late, amountPaid: eur(9999n) }],
    ['not when paid', false, { ...late, amountPaid: eur(10_000n) }],
    ['not when credited', false, { ...late, amountCredited: eur(10_000n) }],
    ['not when it is over nothing', false, { ...late, total: eur(0n) }],
    ['not as a quote', false, { ...late, kind: 'quote' }],
    ['not as a credit note', false, { ...late, kind: 'credit_note' }],
    ['not as a draft', false, { lifecycle: 'draft' }],
    ['not as a draft that has a date', false, { ...late, lifecycle: 'draft' }],
    ['not when void', false, { ...late, lifecycle: 'void' }],
    ['not when rejected', false, { ...late, lifecycle: 'rejected' }],
    ['not when it was given up', false, { ...late, lifecycle: 'uncollectible' }],
  ])('is overdue %s', (_, overdue, state) => {
    expect(aDocument(state).isOverdue).toBe(overdue);
  });
});

describe('an answer', () => {
  it('that declines keeps reason, time and the version that was seen', () => {
    const document = aDocument();
    document.reject('The price is wrong');
    expect(document.state.rejection).toEqual({ reason: 'The price is wrong', at: NOW, version: 7 });
    expect(document.takeFacts()).toEqual([
      {
        type: 'document.rejected',
        from: 'open',
        to: 'rejected',
        version: 8,
        data: {},
        sequence: 4,
      },
    ]);
  });

  it('is the same said twice, and a conflict said otherwise', () => {
    const document = aDocument({ kind: 'quote' });
    document.reject('No');
    document.takeFacts();
    const before = { ...document.state };
    const later = new Document({ ...before }, new Date('2026-11-21T00:00:00Z'));
    later.reject('No');
    expect([later.state, later.takeFacts(), later.hasMoved]).toEqual([before, [], false]);
    expect(refusedBy(() => later.reject('Yes'))?.code).toBe('document_not_rejectable');
    expect(refusedBy(() => later.accept())?.code).toBe('document_not_acceptable');
  });

  it('that agrees keeps its time, and is the same said twice', () => {
    const quote = aDocument({ kind: 'quote' });
    quote.accept();
    expect([quote.status, quote.state.acceptedAt]).toEqual(['accepted', NOW]);
    expect(typesOf(quote)).toEqual(['document.accepted']);
    const later = new Document({ ...quote.state }, new Date('2027-11-21T00:00:00Z'));
    later.accept();
    expect([later.state, later.takeFacts()]).toEqual([quote.state, []]);
    expect(refusedBy(() => later.reject('No'))?.code).toBe('document_not_rejectable');
  });

  it('comes too late from the first instant after the last day', () => {
    const late = { kind: 'quote' as const, lapsesAt: NOW };
    for (const answer of ['accept', 'reject'] as const) {
      const refusal = refusedBy(() =>
        answer === 'accept' ? aDocument(late).accept() : aDocument(late).reject('No'),
      );
      expect(refusal?.context).toEqual({ document_status: 'expired' });
    }
    const inTime = aDocument({ kind: 'quote', lapsesAt: new Date(NOW.getTime() + 1) });
    inTime.accept();
    expect(inTime.status).toBe('accepted');
  });
});

describe('voiding', () => {
  it('keeps the number, and the answer of a client who rejected', () => {
    const document = aDocument({ lifecycle: 'rejected' });
    document.void();
    expect(document.state).toMatchObject({
      number: 'INV-00001',
      voidedAt: NOW,
      rejection: { reason: 'No' },
    });
    expect(document.takeFacts()).toMatchObject([
      { type: 'document.voided', from: 'rejected', to: 'void', version: 8 },
    ]);
  });

  it('takes back that an invoice over nothing was settled', () => {
    const document = aDocument({ total: eur(0n), settledAt: EARLIER });
    document.void();
    expect([document.status, document.state.settledAt]).toEqual(['void', null]);
  });

  it('has a name of its own for credit notes', () => {
    const note = aDocument({ kind: 'credit_note' });
    note.void();
    expect(typesOf(note)).toEqual(['credit_note.voided']);
  });
});

describe('giving up', () => {
  it('keeps when, and says why', () => {
    const document = aDocument({ amountPaid: eur(1n) });
    document.writeOff('Insolvent');
    expect(document.state.writtenOffAt).toEqual(NOW);
    expect(document.takeFacts()).toMatchObject([
      {
        type: 'document.written_off',
        from: 'partially_paid',
        to: 'uncollectible',
        data: { reason: 'Insolvent' },
      },
    ]);
  });
});

describe('converting', () => {
  it('keeps when, and may be undone', () => {
    const quote = aDocument({ kind: 'quote', lifecycle: 'accepted' });
    quote.convert();
    expect([quote.status, quote.state.convertedAt]).toEqual(['converted', NOW]);
    expect(quote.takeFacts()).toMatchObject([
      { type: 'document.converted', from: 'accepted', to: 'converted' },
    ]);
    quote.unconvert();
    expect([quote.status, quote.state.convertedAt]).toEqual(['accepted', null]);
    quote.convert();
    expect(quote.state.version).toBe(10);
  });
});

describe('labelling', () => {
  it.each(['draft', 'open', 'void'] as const)('is free while %s', (lifecycle) => {
    const document = aDocument({ lifecycle });
    const changes = [{ field: '/metadata/team', from: null, to: 'red' }];
    document.label(changes);
    expect(document.state).toEqual({ ...aState({ lifecycle }), version: 8, eventSequence: 3 });
    expect(document.hasMoved).toBe(false);
    expect(document.takeFacts()).toEqual([
      {
        type: 'document.updated',
        from: lifecycle,
        to: lifecycle,
        version: 8,
        data: { changes },
        sequence: 4,
      },
    ]);
  });
});

describe('the version', () => {
  it('is asserted where one is expected', () => {
    const document = aDocument();
    document.assertVersion(null);
    document.assertVersion([7]);
    document.assertVersion([3, 7]);
    for (const expected of [[6], [8], []]) {
      expect(refusedBy(() => document.assertVersion(expected))).toMatchObject({
        kind: 'stale',
        code: 'version_mismatch',
        context: { version: 7 },
      });
    }
  });
});

it('a document that is not there is not found', () => {
  expect(documentNotFound()).toMatchObject({ kind: 'not_found', code: 'document_not_found' });
});
