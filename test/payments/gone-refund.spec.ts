import { describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import type { Holding } from '../../src/payments/recording/domain/holding.js';
import { planGone } from '../../src/payments/returning/domain/refunds/refund-plan.js';

const euros = (minor: number) => Money.of(BigInt(minor), 'EUR');

/** A payment of 1000: 600 on document a, 300 on b, 100 of it credit. */
function plan(
  amount: number,
  {
    spendable = 100,
    returned = 0,
    notes,
  }: { spendable?: number; returned?: number; notes?: number },
) {
  const holding = {
    payment: { amount: euros(1000) },
    returned: euros(returned),
    rest: euros(100),
    beyondRest: euros(0),
    allocations: [
      { documentId: 'a', amount: euros(600), free: euros(600) },
      { documentId: 'b', amount: euros(300), free: euros(300) },
    ],
  } as unknown as Holding;
  const noted =
    notes === undefined
      ? []
      : [{ documentId: 'a', credit: euros(notes), most: euros(600 - notes) }];
  const of = { holding, newestFirst: ['a', 'b'], spendable: euros(spendable), noted };
  const { fromCredit, parts, creditKept, lost, spent } = planGone(of, euros(amount));
  const given = Object.fromEntries(
    parts.map((part) => [part.documentId, Number(part.amount.minor)]),
  );
  const [credit, gone, back] = [fromCredit, lost, spent].map(({ minor }) => Number(minor));
  const kept = creditKept.isZero() ? {} : { kept: Number(creditKept.minor) };
  return { credit, ...given, ...kept, lost: gone, spent: back };
}

describe('a refund that is made already', () => {
  it.each([
    ['credit first', 50, {}, { credit: 50, lost: 0, spent: 0 }],
    ['then the newest document', 400, {}, { credit: 100, a: 300, lost: 0, spent: 0 }],
    ['then the others', 800, {}, { credit: 100, a: 600, b: 100, lost: 0, spent: 0 }],
    ['nothing that is not there', 1200, {}, { credit: 100, a: 600, b: 300, lost: 200, spent: 0 }],
    ['only what is left', 500, { returned: 700 }, { credit: 100, a: 200, lost: 200, spent: 0 }],
    [
      'documents in the place of spent credit, as long as they have it',
      900,
      { spendable: 0 },
      { credit: 0, a: 600, b: 300, lost: 0, spent: 0 },
    ],
    [
      'spent credit, where documents have not enough',
      950,
      { spendable: 20 },
      { credit: 20, a: 600, b: 300, lost: 30, spent: 30 },
    ],
    [
      'a document whose notes gave credit, and that credit with it',
      400,
      { spendable: 300, notes: 200 },
      { credit: 100, a: 300, kept: 200, lost: 0, spent: 0 },
    ],
    [
      'a document that notes settled last of all',
      800,
      { spendable: 100, notes: 200 },
      { credit: 100, a: 400, b: 300, lost: 0, spent: 0 },
    ],
    [
      'such a document, where nothing else is left',
      900,
      { spendable: 100, notes: 200 },
      { credit: 100, a: 500, b: 300, lost: 0, spent: 0 },
    ],
  ] as [string, number, Parameters<typeof plan>[1], object][])(
    'takes %s',
    (_name, amount, of, expected) => expect(plan(amount, of)).toEqual(expected),
  );
});
