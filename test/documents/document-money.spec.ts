import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { amountKept, canBeWaived } from '../../src/documents/domain/document-sums.js';
import { Money } from '../../src/kernel/money.js';
import { publicId } from '../../src/kernel/ids.js';
import { aDocument, CREDIT_NOTE_ID, EARLIER, eur, NOW, refusedBy, typesOf } from './a-document.js';
import { sum } from './credited-invoice.js';
import { runsOf } from '../support/share.js';

/** The result of a payment that falls short by so much. */
const short = (minor: bigint, tolerance: bigint | null, over = {}) => {
  const document = aDocument(over);
  const amount = document.amountPayable.minus(eur(minor));
  const { waived } = document.recordPayment(
    amount,
    'reject',
    tolerance === null ? null : { most: eur(tolerance), taxes: null },
  );
  expect(document.state.amountWaived).toEqual(waived);
  expect(document.amountPayable.plus(waived)).toEqual(eur(minor));
  return [waived.minor, document.status, document.state.settledAt];
};

describe('what was paid and is taken back', () => {
  const paid = { amountPaid: eur(9970n), amountWaived: eur(30n), settledAt: EARLIER };

  it('is due again, with what was waived: a refund stands beside what was paid', () => {
    const document = aDocument(paid);
    expect(document.refund(eur(100n))).toEqual(eur(30n));
    expect(document.state).toMatchObject({
      amountPaid: eur(9970n),
      amountRefunded: eur(100n),
      amountWaived: eur(0n),
      settledAt: null,
      version: 8,
    });
    expect([document.amountPayable, amountKept(document.state)]).toEqual([eur(130n), eur(9870n)]);
    expect(document.takeFacts()).toMatchObject([
      { type: 'document.reopened', from: 'paid', to: 'partially_paid', version: 8 },
    ]);
    expect(document.refund(eur(9870n))).toEqual(eur(0n));
    expect([document.status, document.takeFacts()]).toEqual(['open', []]);
    expect(document.refusalOf('void')).toBeNull();
  });

  it('was never paid here where it was wrong, or belongs elsewhere', () => {
    const document = aDocument(paid);
    expect(document.unpay(eur(9970n))).toEqual(eur(30n));
    expect(document.state).toMatchObject({ amountPaid: eur(0n), amountRefunded: eur(0n) });
    expect([document.status, document.amountPayable]).toEqual(['open', eur(10_000n)]);
    expect(document.takeFacts()).toMatchObject([{ type: 'document.reopened', to: 'open' }]);
  });

  it('of what was written off is lost again', () => {
    const document = aDocument({ ...paid, lifecycle: 'uncollectible' });
    document.refund(eur(1n));
    expect([document.status, document.amountPayable]).toEqual(['uncollectible', eur(31n)]);
  });

  it('is never more than was kept', () => {
    const partly = { amountPaid: eur(500n), amountRefunded: eur(200n) };
    expect(() => aDocument(partly).refund(eur(301n))).toThrow('assertion');
    expect(() => aDocument(partly).unpay(eur(301n))).toThrow('assertion');
    expect(aDocument(partly).refund(eur(300n))).toEqual(eur(0n));
  });
});

describe('payments', () => {
  it('add up to the total, with a fact each', () => {
    const document = aDocument();
    expect(document.recordPayment(eur(2500n), 'reject').applied.minor).toBe(2500n);
    expect(document.amountPayable.minor).toBe(7500n);
    document.recordPayment(eur(7499n), 'reject');
    expect(document.state.settledAt).toBeNull();
    document.recordPayment(eur(1n), 'reject');
    expect([document.status, document.amountPayable.minor]).toEqual(['paid', 0n]);
    expect([document.state.settledAt, document.hasMoved]).toEqual([NOW, false]);
    expect(document.takeFacts()).toMatchObject([
      { type: 'document.partially_paid', sequence: 4, from: 'open', to: 'partially_paid' },
      { type: 'document.partially_paid', sequence: 5, from: 'partially_paid' },
      { type: 'document.paid', sequence: 6, from: 'partially_paid', to: 'paid', version: 10 },
    ]);
    expect(document.takeFacts()).toEqual([]);
    expect(document.nextSequence()).toBe(7);
  });

  it('above what is due are refused, with what is due', () => {
    const document = aDocument({ amountPaid: eur(9000n), amountCredited: eur(500n) });
    const before = { ...document.state };
    expect(() => document.recordPayment(eur(501n), 'reject')).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        code: 'amount_exceeds_due',
        context: { amount_due: 500, currency: 'EUR' },
        errors: [expect.objectContaining({ pointer: '/amount', code: 'amount_exceeds_due' })],
      }),
    );
    expect(document.state).toEqual(before);
    expect(document.takeFacts()).toEqual([]);
  });

  it('above what is due become credit where that was asked for', () => {
    const document = aDocument({ amountPaid: eur(9000n) });
    const { applied, excess } = document.recordPayment(eur(1500n), 'credit');
    expect([applied.minor, excess.minor]).toEqual([1000n, 500n]);
    expect(typesOf(document)).toEqual(['document.paid', 'document.overpaid']);
    const again = document.recordPayment(eur(20n), 'credit');
    expect([again.applied.minor, again.excess.minor]).toEqual([0n, 20n]);
    expect(document.takeFacts()).toMatchObject([{ type: 'document.overpaid', sequence: 6 }]);
  });

  it('of what was given up are taken, and then it was not lost', () => {
    const document = aDocument({ lifecycle: 'uncollectible' });
    document.recordPayment(eur(4000n), 'reject');
    expect([document.status, document.amountPayable.minor]).toEqual(['uncollectible', 6000n]);
    document.recordPayment(eur(6000n), 'reject');
    expect([document.status, document.state.settledAt]).toEqual(['paid', NOW]);
  });

  it('that fall short by little are let pass, up to the tolerance and a tenth of the total', () => {
    expect(short(50n, 50n)).toEqual([50n, 'paid', NOW]);
    expect(short(51n, 50n)).toEqual([0n, 'partially_paid', null]);
    expect(short(50n, null)).toEqual([0n, 'partially_paid', null]);
    expect(short(1000n, 9000n)).toEqual([1000n, 'paid', NOW]);
    expect(short(1001n, 9000n)).toEqual([0n, 'partially_paid', null]);
    expect(short(0n, 50n)).toEqual([0n, 'paid', NOW]);
    expect(short(50n, 50n, { amountCredited: eur(5000n) })).toEqual([50n, 'paid', NOW]);
    const { state } = aDocument();
    expect([1000n, 1001n, 0n].map((minor) => canBeWaived(eur(minor), state))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('of nothing, or of another currency, are a bug of ours', () => {
    expect(() => aDocument().recordPayment(eur(0n), 'credit')).toThrow('assertion');
    expect(() => aDocument().recordPayment(eur(-1n), 'credit')).toThrow('assertion');
    expect(() => aDocument().recordPayment(Money.of(1n, 'JPY'), 'credit')).toThrow('assertion');
  });
});

describe('credit notes', () => {
  it('take off what is due', () => {
    const document = aDocument({ amountPaid: eur(2500n) });
    expect(document.credit(eur(3000n), CREDIT_NOTE_ID)).toEqual(eur(3000n));
    expect(document.state).toMatchObject({
      amountPaid: eur(2500n),
      amountCredited: eur(3000n),
      creditNotesTotal: eur(3000n),
      settledAt: null,
      version: 8,
    });
    expect([document.amountPayable, document.amountCreditable]).toEqual([eur(4500n), eur(7000n)]);
    expect(document.takeFacts()).toEqual([
      {
        type: 'document.credited',
        from: 'partially_paid',
        to: 'partially_paid',
        version: 8,
        data: {
          credit_note_id: publicId('doc', CREDIT_NOTE_ID),
          amount: 3000,
          amount_waived: 0,
          issue_date: null,
        },
        credit: {
          creditNoteId: CREDIT_NOTE_ID,
          applied: eur(3000n),
          waived: eur(0n),
          issueDate: null,
          notBefore: null,
        },
        sequence: 4,
      },
    ]);
  });

  it('settle the invoice, and give the rest to the customer', () => {
    const document = aDocument({ amountPaid: eur(2500n) });
    expect(document.credit(eur(8000n), CREDIT_NOTE_ID)).toEqual(eur(7500n));
    expect([document.status, document.state.settledAt]).toEqual(['paid', NOW]);
    expect([document.amountPayable, document.amountCreditable]).toEqual([eur(0n), eur(2000n)]);
    expect(document.credit(eur(2000n), CREDIT_NOTE_ID)).toEqual(eur(0n));
    expect(document.state).toMatchObject({
      amountCredited: eur(7500n),
      creditNotesTotal: eur(10_000n),
    });
    expect(refusedBy(() => document.credit(eur(1n), CREDIT_NOTE_ID))?.code).toBe(
      'document_not_creditable',
    );
  });

  it('are never above what remains', () => {
    const document = aDocument({ creditNotesTotal: eur(4000n), amountCredited: eur(4000n) });
    const before = { ...document.state };
    expect(() => document.credit(eur(6001n), CREDIT_NOTE_ID)).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        code: 'amount_exceeds_creditable',
        context: { amount_creditable: 6000, currency: 'EUR' },
        errors: [expect.objectContaining({ pointer: '/amount' })],
      }),
    );
    expect([document.state, document.takeFacts()]).toEqual([before, []]);
    expect(document.credit(eur(6000n), CREDIT_NOTE_ID)).toEqual(eur(6000n));
  });

  it('that are void owe again what they took, and only that', () => {
    const document = aDocument({ amountPaid: eur(2500n) });
    const applied = document.credit(eur(9000n), CREDIT_NOTE_ID);
    document.takeFacts();
    document.uncredit(eur(9000n), applied, CREDIT_NOTE_ID);
    expect([document.amountPayable, document.amountCreditable]).toEqual([eur(7500n), eur(10_000n)]);
    expect([document.status, document.state.settledAt]).toEqual(['partially_paid', null]);
    expect(typesOf(document)).toEqual(['document.credit_reversed']);
  });

  it('do not change since when nothing is due', () => {
    const document = aDocument({ amountPaid: eur(10_000n), settledAt: EARLIER });
    document.credit(eur(500n), CREDIT_NOTE_ID);
    expect(document.state.settledAt).toEqual(EARLIER);
    document.recordPayment(eur(5n), 'credit');
    expect(document.state.settledAt).toEqual(EARLIER);
    document.uncredit(eur(500n), eur(0n), CREDIT_NOTE_ID);
    expect(document.state.settledAt).toEqual(EARLIER);
  });
});

type Move =
  | { what: 'pay'; minor: bigint; onOverpayment: 'reject' | 'credit' }
  | { what: 'credit'; minor: bigint }
  | { what: 'void'; which: number };

const anAmount = fc.bigInt({ min: 1n, max: 8000n });
const aMove: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    what: fc.constant('pay' as const),
    minor: anAmount,
    onOverpayment: fc.constantFrom('reject', 'credit'),
  }),
  fc.record({ what: fc.constant('credit' as const), minor: anAmount }),
  fc.record({ what: fc.constant('void' as const), which: fc.nat(4) }),
);

describe('the books of a document', () => {
  it('neither lose nor make money, whatever comes', () => {
    const total = fc.bigInt({ min: 0n, max: 20_000n });
    fc.assert(
      fc.property(fc.array(aMove, { maxLength: 15 }), total, (moves, total) => {
        const document = aDocument({ total: eur(total), settledAt: total ? null : EARLIER });
        let [taken, excess] = [0n, 0n];
        const notes: { minor: bigint; applied: Money }[] = [];
        for (const move of moves) {
          const due = document.amountPayable.minor;
          const creditable = document.amountCreditable.minor;
          if (move.what === 'pay') {
            const { minor, onOverpayment } = move;
            const refusal = refusedBy(() => {
              const parts = document.recordPayment(eur(minor), onOverpayment);
              expect(parts.applied.plus(parts.excess).minor).toBe(minor);
              expect(parts.applied.minor).toBe(minor < due ? minor : due);
              [taken, excess] = [taken + minor, excess + parts.excess.minor];
            });
            const refused = onOverpayment === 'reject' && minor > due;
            expect(refusal?.code).toBe(refused ? 'amount_exceeds_due' : undefined);
          } else if (move.what === 'credit') {
            const { minor } = move;
            const refusal = refusedBy(() => {
              notes.push({ minor, applied: document.credit(eur(minor), CREDIT_NOTE_ID) });
            });
            expect(refusal === null).toBe(minor <= creditable);
          } else {
            const [note] = notes.splice(move.which, 1);
            if (note) document.uncredit(eur(note.minor), note.applied, CREDIT_NOTE_ID);
          }
          const { amountPaid, amountCredited, creditNotesTotal, settledAt } = document.state;
          expect(amountPaid.minor + excess).toBe(taken);
          expect(amountCredited.minor).toBe(sum(notes.map(({ applied }) => applied.minor)));
          expect(creditNotesTotal.minor).toBe(sum(notes.map(({ minor }) => minor)));
          expect(document.amountPayable.minor).toBe(
            total - amountPaid.minor - amountCredited.minor,
          );
          expect(document.amountPayable.minor >= 0n && document.amountCreditable.minor >= 0n).toBe(
            true,
          );
          expect(document.status === 'paid').toBe(document.amountPayable.isZero());
          expect(settledAt !== null).toBe(document.status === 'paid');
        }
        const facts = document.takeFacts();
        expect(facts.map(({ sequence }) => sequence)).toEqual(facts.map((_, at) => 4 + at));
        for (const [at, fact] of facts.entries()) {
          if (at > 0 && fact.version > (facts[at - 1]?.version ?? 0)) {
            expect(fact.from).toBe(facts[at - 1]?.to);
          }
        }
      }),
      runsOf(1000),
    );
  });
});
