import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  type CreditLineRequest,
  type CreditRequest,
} from '../../src/documents/domain/credit-note.js';
import { taxGroupKey } from '../../src/documents/domain/calculation/tax-group.js';
import type { TaxGroupView } from '../../src/documents/domain/document-view.js';
import { CreditedInvoice, refusalOf } from './credited-invoice.js';
import { aRandomRequest } from './requests.js';
import { runsOf } from '../support/share.js';

/** A part of what is there, or a unit or two beside it, so that limits are met. */
interface Part {
  thousandths: bigint;
  off: bigint;
}
const aPart: fc.Arbitrary<Part> = fc.record({
  thousandths: fc.oneof(fc.constantFrom(1000n, 500n), fc.bigInt({ min: 0n, max: 1000n })),
  off: fc.constantFrom(0n, 0n, 0n, 1n, -1n, 2n),
});

function partOf(whole: bigint, { thousandths, off }: Part): bigint {
  if (whole < 0n) return -partOf(-whole, { thousandths, off });
  const part = (whole * thousandths) / 1000n + off;
  return part < 0n ? 0n : part;
}

interface Pick {
  line: number;
  how: 'all' | 'quantity' | 'amount';
  part: Part;
}

type Step =
  | { what: 'rest' }
  | { what: 'amount'; part: Part }
  | { what: 'lines'; picks: Pick[] }
  | { what: 'void'; which: number };

const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Step>({ what: 'rest' }) },
  { weight: 3, arbitrary: aPart.map((part): Step => ({ what: 'amount', part })) },
  { weight: 2, arbitrary: fc.nat(9).map((which): Step => ({ what: 'void', which })) },
  {
    weight: 4,
    arbitrary: fc
      .uniqueArray(
        fc.record<Pick>({
          line: fc.nat(4),
          how: fc.constantFrom('all', 'quantity', 'amount'),
          part: aPart,
        }),
        { minLength: 1, maxLength: 5, selector: ({ line }) => line },
      )
      .map((picks): Step => ({ what: 'lines', picks })),
  },
);

/** The request that a step comes to on this invoice. */
function requestOf(invoice: CreditedInvoice, step: Exclude<Step, { what: 'void' }>) {
  if (step.what === 'rest') return {};
  if (step.what === 'amount') return { amountMinor: partOf(invoice.creditable, step.part) };
  const { length } = invoice.calculation.lines;
  const lines = step.picks.map(({ line, how, part }): CreditLineRequest => {
    const position = 1 + (line % length);
    if (how === 'all') return { position };
    return how === 'quantity'
      ? { position, quantity: invoice.quantityOf(position, part.thousandths) }
      : { position, amountMinor: partOf(invoice.leftOfLine(position), part) };
  });
  return { lines };
}

/**
 * The amount that a request must take, by the words of the contract; undefined if it must be
 * refused.
 */
function worthOf(invoice: CreditedInvoice, request: Partial<CreditRequest>): bigint | undefined {
  const { creditable, calculation } = invoice;
  const { lines, amountMinor } = request;
  if (!lines) {
    const amount = amountMinor ?? creditable;
    return amount > 0n && amount <= creditable ? amount : undefined;
  }
  if (new Set(lines.map(({ position }) => position)).size < lines.length) return undefined;
  const left = invoice.leftOfGroups();
  const before = new Map(left);
  let total = 0n;
  for (const line of lines) {
    const worth = invoice.worthOf(line);
    const { taxCategory: category = '', taxRate: rate = '' } =
      calculation.lines[line.position - 1] ?? {};
    const group = taxGroupKey({ category, rate });
    const rest = invoice.leftOfLine(line.position);
    const isBack = rest < 0n;
    if (worth === 0n || worth < 0n !== isBack) return undefined;
    if (isBack ? worth < rest : worth > rest) return undefined;
    if (invoice.isTooMuch(line) || creditable === 0n) return undefined;
    left.set(group, (left.get(group) ?? 0n) - worth);
    total += worth;
  }
  const rests = [...left.values()];
  // A rate below zero is the mirror of one above it: both only go towards nothing.
  for (const [group, rest] of left) {
    const was = before.get(group) ?? 0n;
    const [size, most] = was < 0n ? [-rest, -was] : [rest, was];
    if (size < 0n || size > most) return undefined;
  }
  if (total <= 0n) return undefined;
  // No note can take a rest that comes to nothing or less, also where rounding is left with it.
  const rest = rests.reduce((sum, one) => sum + one, 0n);
  if (rest <= 0n && rests.some((one) => one !== 0n)) return undefined;
  // Rounded down, an invoice gives back less than all of its lines come to.
  if (total > creditable) return rests.every((rest) => rest === 0n) ? creditable : undefined;
  return total;
}

/** The rules that hold after each step, whatever was taken. */
function assertSound(invoice: CreditedInvoice): void {
  const { total } = invoice.calculation;
  expect(invoice.creditable >= 0n && invoice.creditable <= total.minor).toBe(true);
  const groups = new Map(
    invoice.calculation.taxGroups.map((group) => [taxGroupKey(group), grossOf(group) < 0n]),
  );
  const turned = [...invoice.taxesLeft()].filter(([key, { base, tax }]) =>
    groups.get(key) ? base > 0n || tax > 0n : base < 0n || tax < 0n,
  );
  expect(turned).toEqual([]);
  const beyond = invoice.calculation.lines.filter(({ position, quantity }) => {
    const left = invoice.leftOfLine(position);
    return quantity.startsWith('-') ? left > 0n : left < 0n;
  });
  expect(beyond).toEqual([]);
}

const grossOf = ({ base, tax }: TaxGroupView) => base.minor + tax.minor;

/** Of each rate. A charge of its own may be more than the lines of the rate take back. */
function grossesOfLines({ calculation }: CreditedInvoice): bigint[] {
  const grosses = new Map<string, bigint>();
  for (const line of calculation.lines) {
    const key = keyOf(line);
    grosses.set(key, (grosses.get(key) ?? 0n) + line.gross.minor);
  }
  return [...grosses.values()];
}

const keyOf = ({
  taxCategory: category,
  taxRate: rate,
}: {
  taxCategory: string;
  taxRate: string;
}) => taxGroupKey({ category, rate });

describe('any sequence of credit notes', () => {
  it('takes exactly what was asked for, never more than the total, and ends at zero', () => {
    fc.assert(
      fc.property(aRandomRequest, fc.array(aStep, { maxLength: 8 }), (request, steps) => {
        const invoice = new CreditedInvoice(request);
        for (const step of steps) {
          if (step.what === 'void') {
            invoice.notes.splice(step.which, 1);
            continue;
          }
          const credit = requestOf(invoice, step);
          const worth = worthOf(invoice, credit);
          if (worth === undefined) {
            expect(refusalOf(invoice, credit)).not.toEqual(['accepted']);
          } else {
            const { terms, figures } = invoice.credit(credit);
            expect(figures.total.minor).toBe(worth);
            expect(terms.lines.length).toBeGreaterThan(0);
          }
          assertSound(invoice);
        }
        if (invoice.creditable > 0n) {
          invoice.credit({});
          const left = [...invoice.taxesLeft().values()];
          expect(left.filter(({ base, tax }) => base !== 0n || tax !== 0n)).toEqual([]);
        }
        expect(invoice.creditable).toBe(0n);
      }),
      runsOf(1500),
    );
  });

  it('by whole lines comes to the invoice without rounding and charges of their own', () => {
    fc.assert(
      fc.property(aRandomRequest, (request) => {
        const invoice = new CreditedInvoice({ ...request, cashRounding: null });
        // Line by line, a rate above zero may come to more than the whole with one below.
        fc.pre(invoice.calculation.taxGroups.every((group) => grossOf(group) >= 0n));
        fc.pre(grossesOfLines(invoice).every((gross) => gross >= 0n));
        const lines = invoice.calculation.lines.filter(({ gross }) => !gross.isZero());
        const positions = lines.map(({ position }) => position);
        // A line that takes back is credited with those that sell at its rate.
        const backs = lines.filter(({ gross }) => gross.isNegative());
        for (const line of lines) {
          if (line.gross.isNegative()) continue;
          const isSame = (back: typeof line) => keyOf(back) === keyOf(line);
          if (backs.some(isSame)) continue;
          const { position } = line;
          const { figures, terms } = invoice.credit({ lines: [{ position }] });
          expect(terms.credited).toMatchObject([{ position, minor: figures.total.minor }]);
        }
        const rest = lines.filter((line) => backs.some((back) => keyOf(back) === keyOf(line)));
        const worth = rest.reduce((sum, { gross }) => sum + gross.minor, 0n);
        if (worth > 0n) {
          const { figures } = invoice.credit({
            lines: rest.map(({ position }) => ({ position })),
          });
          expect(figures.total.minor).toBe(worth);
        }
        const own = invoice.calculation.charges.some(({ ownTax }) => ownTax);
        if (!own) expect(invoice.creditable).toBe(0n);
        assertSound(invoice);
        const together = new CreditedInvoice({ ...request, cashRounding: null });
        if (lines.reduce((sum, { gross }) => sum + gross.minor, 0n) === 0n) return;
        together.credit({ lines: positions.map((position) => ({ position })) });
        expect(together.creditable).toBe(invoice.creditable);
        if (own) return;
        const [made] = together.notes;
        expect(made?.figures.total).toEqual(invoice.calculation.total);
        const groups = invoice.calculation.taxGroups.filter(
          ({ base, tax }) => !base.isZero() || !tax.isZero(),
        );
        expect(made?.figures.taxGroups).toMatchObject(
          groups.map(({ category, rate, base, tax }) => ({ category, rate, base, tax })),
        );
      }),
      runsOf(500),
    );
  });
});
