import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain } from '../../src/documents/domain/calculation/explanation.js';
import { calculate } from '../../src/documents/domain/calculation/calculation.js';
import type { CalculationRequest } from '../../src/documents/domain/calculation/calculation-request.js';
import { taxParts } from '../../src/documents/domain/calculation/tax-part.js';
import type { DocumentView } from '../../src/documents/domain/document-view.js';
import type { Lifecycle } from '../../src/documents/domain/lifecycle.js';
import { explainSettled } from '../../src/documents/domain/settled-amounts.js';
import { presentDocument } from '../../src/documents/wire/present-document.js';
import { Money } from '../../src/kernel/money.js';
import { amountsOf, isTrue } from './calculation/true-formula.js';
import { aView } from './document-views.js';
import { aRandomRequest } from './requests.js';
import { runsOf } from '../support/share.js';

// Every amount of every document is explained, whatever happened to it.

interface Parts {
  kind: 'invoice' | 'quote' | 'credit_note';
  lifecycle: Lifecycle;
  /** In percent of the total, or of what the ones before left. */
  credited: bigint;
  paid: bigint;
  refunded: bigint;
  waived: bigint;
  /** The part of the credit notes that became customer credit. */
  kept: bigint;
  isRelieved: boolean;
  lapsesAt: Date | null;
}

const percent = fc.constantFrom(0n, 0n, 13n, 50n, 99n, 100n);
const someParts: fc.Arbitrary<Parts> = fc
  .record({
    kind: fc.constantFrom('invoice', 'invoice', 'invoice', 'quote', 'credit_note'),
    lifecycle: fc.constantFrom('draft', 'open', 'open', 'uncollectible', 'void', 'rejected'),
    credited: percent,
    paid: percent,
    refunded: percent,
    waived: percent,
    kept: percent,
    isRelieved: fc.boolean(),
    lapsesAt: fc.constantFrom(null, new Date('2026-11-19T00:00Z'), new Date('2026-11-25T00:00Z')),
  })
  .filter(({ kind, lifecycle }) => kind === 'invoice' || lifecycle !== 'uncollectible');

const of = (share: bigint, whole: Money) => Money.of((whole.minor * share) / 100n, whole.currency);

function viewOf(request: CalculationRequest, parts: Parts): DocumentView {
  const { total, taxGroups } = calculate(request);
  const amountCredited = of(parts.credited, total);
  const left = total.minus(amountCredited);
  const amountPaid = of(parts.paid, left);
  const creditNotesTotal = amountCredited.plus(of(parts.kept, amountPaid));
  return aView({
    ...request,
    state: {
      kind: parts.kind,
      lifecycle: parts.lifecycle,
      amountCredited,
      amountPaid,
      amountRefunded: of(parts.refunded, amountPaid),
      amountWaived: of(parts.waived, left.minus(amountPaid)),
      amountDisputed: of(parts.refunded, amountPaid),
      amountApplied: of(parts.credited, total),
      creditNotesTotal,
      taxRelief: parts.isRelieved ? [] : null,
      cashDiscounts: [
        { percent: '3', days: 4, lapsesAt: parts.lapsesAt },
        { percent: '0.75', days: 10, lapsesAt: parts.lapsesAt },
      ],
    },
    relations: { creditedTaxes: taxParts(taxGroups, creditNotesTotal, total) },
  });
}

const stepsOf = (view: DocumentView, request: CalculationRequest) =>
  [
    ...explain(calculate(request), request.pricesIncludeTax, request.cashRounding),
    ...explainSettled(view),
  ].map((step) => ({ ...step, amount: step.amount.toMinorNumber() }));

const onlyCalculated = /^\/lines\/\d+\/(?:\w+_share|gross_amount)$/;

describe('the explanation of a document', () => {
  it('has one true step for each amount of its JSON, and no other', () => {
    fc.assert(
      fc.property(aRandomRequest, someParts, (request, parts) => {
        const view = viewOf(request, parts);
        const steps = stepsOf(view, request).filter(({ figure }) => !onlyCalculated.test(figure));
        const told = steps.map(({ figure, amount }) => [figure, amount] as const);
        expect(new Map(told)).toEqual(new Map(amountsOf(presentDocument(view))));
        expect(new Set(told.map(([figure]) => figure)).size).toBe(told.length);
        const wrong = steps.filter((step) => !step.rule || !isTrue(step, request.currency));
        expect(wrong).toEqual([]);
      }),
      runsOf(1000),
    );
  });
});

const shown = (view: DocumentView, ...figures: string[]) =>
  explainSettled(view)
    .filter(({ figure }) => figures.includes(figure))
    .map(({ figure, formula }) => `${figure}: ${formula}`);

const eur = (minor: bigint) => Money.of(minor, 'EUR');

describe('what is due', () => {
  it('is the total less what is paid and credited', () => {
    const state = { amountPaid: eur(2500n), amountCredited: eur(1500n), amountRefunded: eur(500n) };
    expect(shown(aView({ state }), '/amount_due')).toEqual([
      '/amount_due: 119.00 − 15.00 − 25.00 + 5.00 = 84.00',
    ]);
  });

  it('of a credit note is nothing, and no false sum says so', () => {
    const view = aView({ state: { kind: 'credit_note', amountApplied: eur(11_900n) } });
    expect(shown(view, '/amount_due', '/amount_creditable')).toEqual([
      '/amount_creditable: 0.00',
      '/amount_due: 0.00',
    ]);
  });
});

describe('a loss', () => {
  it('is explained with each of its taxes', () => {
    const state = { lifecycle: 'uncollectible', amountPaid: eur(2000n) } as const;
    const lines = [
      { description: 'A', quantity: '1', unitAmountMinor: 10_000n, taxRate: '19' },
      { description: 'B', quantity: '1', unitAmountMinor: 5000n, taxRate: '7' },
    ];
    const steps = explainSettled(aView({ state, lines }));
    expect(
      steps
        .filter(({ figure }) => figure.startsWith('/loss'))
        .map(({ figure, formula }) => `${figure}: ${formula}`),
    ).toEqual([
      '/loss/amount: 152.50 + 0.00 = 152.50',
      '/loss/taxes/0/tax_amount: 19.00 × 152.50 / 172.50 = 16.80',
      '/loss/taxes/0/taxable_amount: 119.00 × 152.50 / 172.50 − 16.80 = 88.40',
      '/loss/taxes/1/tax_amount: 3.50 × 152.50 / 172.50 = 3.09',
      '/loss/taxes/1/taxable_amount: 172.50 × 152.50 / 172.50 − 105.20 − 3.09 = 44.21',
      '/loss/untaxed_amount: 152.50 − 88.40 − 16.80 − 44.21 − 3.09 = 0.00',
    ]);
  });
});

describe('a cash discount', () => {
  it('is of the total, and the payment that takes it is of what credit notes left', () => {
    const lapsesAt = new Date('2026-11-25T00:00Z');
    const state = {
      amountCredited: eur(1900n),
      creditNotesTotal: eur(1900n),
      cashDiscounts: [{ percent: '2', days: 4, lapsesAt }],
    };
    const at = '/cash_discounts/0';
    expect(shown(aView({ state }), `${at}/amount`, `${at}/total`, `${at}/amount_due`)).toEqual([
      `${at}/amount: 119.00 × 2 % = 2.38`,
      `${at}/total: 119.00 − 2.38 = 116.62`,
      `${at}/amount_due: 100.00 − 100.00 × 2 % = 98.00`,
    ]);
  });
});
