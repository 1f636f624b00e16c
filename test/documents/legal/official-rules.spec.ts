import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  calculate,
  type Calculation,
} from '../../../src/documents/domain/calculation/calculation.js';
import type { CalculationRequest } from '../../../src/documents/domain/calculation/calculation-request.js';
import { INVOICE_RULES } from '../../../src/documents/domain/legal/invoice-rules.js';
import { Money } from '../../../src/kernel/money.js';
import { describedApi } from '../../support/openapi-file.js';
import { brokenInvariants, RULE_FAMILIES } from '../calculation/calculation-invariants.js';
import { aLine } from '../document-views.js';
import { KEPT_RULES, keptBy, OFFICIAL_RULES } from './kept-rules.js';

const judged = INVOICE_RULES.flatMap(({ id, also = [] }) => [id, ...also]).filter((id) =>
  id.startsWith('BR-'),
);
const kept = KEPT_RULES.flatMap(({ ids }) => ids);

describe('each rule of EN 16931', () => {
  it('is judged, with a test that breaks it, or cannot be broken; and there is no other', () => {
    const official = OFFICIAL_RULES.map(({ id }) => id);
    expect([...judged, ...kept].sort()).toEqual(official.toSorted());
    expect(new Set(official).size).toBe(official.length);
    expect(official.length).toBe(226);
  });

  it('stands in docs/en16931.md as it is', async () => {
    const page = await readFile(new URL('../../../docs/en16931.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| (BR-.*?) \| (.*) \| (.*?) ?\|$/gm)];
    expect(rows.map(([, ...cells]) => cells)).toEqual(
      KEPT_RULES.map(({ ids, because, proof }) => [
        ids.join(', '),
        because,
        proof instanceof RegExp ? 'no such field' : (proof ?? ''),
      ]),
    );
  });
});

describe('rules about what a document does not know', () => {
  it('cannot be broken by any field of a document, its seller or its customer', async () => {
    const { components, paths } = await describedApi();
    const names = new Set<string>();
    const seen = new Set<string>();
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === '$ref' && !seen.has(value as string)) {
          seen.add(value as string);
          walk(components?.schemas?.[(value as string).split('/').at(-1) ?? '']);
        }
        if (key === 'properties') Object.keys(value as object).forEach((name) => names.add(name));
        walk(value);
      }
    };
    walk(paths['/v1/finance/documents']?.post?.requestBody);
    walk(paths['/v1/finance/seller']?.patch?.requestBody);
    walk(paths['/v1/finance/customers']?.post?.requestBody);
    expect([...names]).toEqual(expect.arrayContaining(['service_period', 'iban', 'unit_amount']));
    const known = KEPT_RULES.flatMap(({ ids, proof }) =>
      [...names]
        .filter((name) => proof instanceof RegExp && proof.test(name))
        .map((name) => [ids, name]),
    );
    expect(known).toEqual([]);
  });
});

const RATES = new Map([
  ['S', '19'],
  ['L', '7'],
  ['M', '4'],
]);

const requestOf = (taxCategory: string): CalculationRequest => {
  const taxRate = RATES.get(taxCategory) ?? '0';
  return {
    currency: 'EUR',
    pricesIncludeTax: false,
    lines: [aLine({ taxCategory, taxRate })],
    discounts: [{ percent: '10', reason: 'Loyalty' }],
    charges: [{ amountMinor: 500n, reason: 'Freight', taxCategory, taxRate }],
    cashRounding: null,
  };
};

type Tampering = (made: Calculation) => Partial<Calculation>;

const more = (amount: Money) => amount.plus(Money.of(1n, amount.currency));
const groups =
  (change: (group: Calculation['taxGroups'][number]) => object): Tampering =>
  ({ taxGroups }) => ({ taxGroups: taxGroups.map((group) => ({ ...group, ...change(group) })) });

const OF_TOTALS: Record<string, Tampering> = {
  'BR-CO-10': ({ subtotal }) => ({ subtotal: more(subtotal) }),
  'BR-CO-11': ({ discountTotal }) => ({ discountTotal: more(discountTotal) }),
  'BR-CO-12': ({ chargeTotal }) => ({ chargeTotal: more(chargeTotal) }),
  'BR-CO-13': ({ netTotal }) => ({ netTotal: more(netTotal) }),
  'BR-CO-14': ({ taxTotal }) => ({ taxTotal: more(taxTotal) }),
  'BR-CO-15': ({ total }) => ({ total: more(total) }),
  'BR-CO-16': ({ rounding }) => ({ rounding: more(rounding) }),
  'BR-CO-17': groups(({ tax }) => ({ tax: more(tax) })),
  'BR-CO-18': () => ({ taxGroups: [] }),
};

/** By the number of the rule, for every category. */
const OF_CATEGORIES: Record<string, (category: string) => Tampering> = {
  '01': () => () => ({ taxGroups: [] }),
  '06':
    (category) =>
    ({ discounts }) => ({
      discounts: discounts.map((discount) => ({
        ...discount,
        shares: discount.shares.map((share) => ({ ...share, rate: WRONG.get(category) ?? '7' })),
      })),
    }),
  '08': () => groups(({ base }) => ({ base: more(base) })),
  '09': () => groups(({ tax }) => ({ tax: more(tax) })),
  '10': (category) =>
    groups(() => ({ exemptionReason: RATES.has(category) || category === 'Z' ? 'Why not' : '' })),
};
const WRONG = new Map([
  ['S', '0'],
  ['L', '-1'],
  ['M', '-1'],
]);

describe('the invariants of a calculation see', () => {
  const cases = [
    ...Object.entries(OF_TOTALS).map(([id, tamper]) => ({ id, tamper, category: 'S' })),
    ...[...RULE_FAMILIES].flatMap(([category, family]) =>
      Object.entries(OF_CATEGORIES).map(([number, tamper]) => ({
        id: `BR-${family}-${number}`,
        tamper: tamper(category),
        category,
      })),
    ),
  ];

  it('every rule that is kept because figures are calculated', () => {
    const seen = new Set(cases.map(({ id }) => id));
    expect(keptBy('calculated').filter((id) => !seen.has(id))).toEqual([]);
  });

  it.each(cases)('what breaks $id', ({ id, tamper, category }) => {
    const request = requestOf(category);
    const made = calculate(request);
    expect(brokenInvariants(request, made)).toEqual([]);
    const broken = brokenInvariants(request, { ...made, ...tamper(made) }).join('; ');
    expect(broken).toMatch(new RegExp(`${id}\\b`));
  });
});
