import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { INVOICE_RULES } from '../../../src/documents/domain/legal/invoice-rules.js';
import { findingsOf, refuseFindings } from '../../../src/documents/domain/legal/legal-check.js';
import {
  type DocumentDetails,
  NO_DETAILS,
} from '../../../src/documents/domain/document-details.js';
import { DomainError } from '../../../src/kernel/domain-error.js';
import { aLine, aView, type ViewWish } from '../document-views.js';

const STREET = { address: ['Torstraße 49'], city: 'Berlin', country: 'DE' };
const SELLER = { ...STREET, name: 'Acme', tax_id: 'DE136695976' };
const CUSTOMER = { ...STREET, name: 'Globex' };
const AGENT = { ...STREET, name: 'Fiskal', postal_code: null, region: null, tax_id: 'DE136695976' };
const ABROAD = { ...CUSTOMER, country: 'FR', tax_id: 'FR40303265045' };
const DELIVERY = { ...STREET, name: null, postal_code: null, region: null };
const SUPPLY = { ...NO_DETAILS, supply_date: '2026-11-01' };
const DETAILS = (details: Partial<DocumentDetails>) => ({
  content: { details: { ...SUPPLY, ...details } },
});
const OF = (taxCategory: string, taxRate = '0') => ({
  lines: [aLine({ taxRate, taxCategory, unitAmountMinor: 100_000n })],
});

/** A document that breaks nothing, over more than a simplified invoice may have. */
const judged = ({ seller, customer, ...wish }: ViewWish = {}) =>
  findingsOf(
    aView({
      lines: [aLine({ unitAmountMinor: 100_000n })],
      ...DETAILS({}),
      ...wish,
      seller: { ...SELLER, ...seller },
      customer: { ...CUSTOMER, ...customer },
    }),
  );

const UNNUMBERED = { seller: { tax_id: null, registration_id: 'HRB 1' } };

/** A dinar has three decimals, and nearly every amount here uses the third. */
const EXACT = {
  ...DETAILS({ tax_currency: { currency: 'BHD', exchange_rate: '1.0001' } }),
  currency: 'KWD',
  cashRounding: 5n,
  lines: [
    aLine({
      unitAmountMinor: 100_001n,
      discounts: [{ amountMinor: 3n, reason: 'Loyalty' }],
      charges: [{ amountMinor: 9n, reason: 'Express' }],
    }),
  ],
  discounts: [{ amountMinor: 11n, reason: 'Sale' }],
  charges: [{ amountMinor: 9n, reason: 'Freight' }],
};
/** The tax of its own makes it a group of its own. */
const charged = (taxCategory: string, own: string, taxRate = '0') => ({
  lines: [
    aLine({ unitAmountMinor: 100_000n, taxCategory, taxRate: taxCategory === 'S' ? '19' : '0' }),
  ],
  charges: [{ amountMinor: 5n, reason: 'Freight', taxCategory: own, taxRate }],
});
const discounted = (wish: ViewWish) => ({
  ...wish,
  discounts: [{ amountMinor: 5n, reason: 'Loyalty' }],
});

const ACCOUNT = { iban: 'DE89370400440532013000', bic: null, bank_name: null, holder: null };

type Break = [ViewWish, string[]];

const both = (id: string, other: string, broken: Break) => ({ [id]: broken, [other]: broken });

/** A tax on a line, a discount, which takes that of the lines, and a charge. */
const taxed = (family: string, category: string, rate: string, at: string[]) =>
  Object.fromEntries(
    [OF(category, rate), discounted(OF(category, rate)), charged('O', category, rate)].map(
      (wish, index): [string, Break] => [
        `BR-${family}-0${index + 2}`,
        [{ ...UNNUMBERED, ...wish }, at],
      ],
    ),
  );

/** Outside of the scope there are none of these. */
const NUMBERED = { customer: ABROAD, ...DETAILS({ tax_representative: AGENT }) };
const OUTSIDE = ['/seller/tax_id', '/customer/tax_id', '/tax_representative'];

/** By rule, a wish that breaks it, and all that is told of it. */
const BREAKS: Record<string, Break> = {
  'BR-07': [{ customer: { name: ' ' } }, ['/customer']],
  'BR-08': [{ seller: { address: [], city: null } }, ['/seller/address', '/seller/city']],
  'BR-09': [{ seller: { country: null } }, ['/seller/country']],
  'BR-10': [{ customer: { address: [], city: null } }, ['/customer/address', '/customer/city']],
  'BR-11': [{ customer: { country: null } }, ['/customer/country']],
  'BR-17': [DETAILS({ payee: { name: 'Acme', id: null, registration_id: null } }), ['/payee/name']],
  'BR-19': [
    DETAILS({ tax_representative: { ...AGENT, address: [], city: null } }),
    ['/tax_representative/address', '/tax_representative/city'],
  ],
  'BR-20': [
    DETAILS({ tax_representative: { ...AGENT, country: null } }),
    ['/tax_representative/country'],
  ],
  ...both('BR-33', 'BR-CO-21', [{ discounts: [{ percent: '1' }] }, ['/discounts/0/reason']]),
  ...both('BR-38', 'BR-CO-22', [{ charges: [{ amountMinor: 5n }] }, ['/charges/0/reason']]),
  ...both('BR-42', 'BR-CO-23', [
    { lines: [aLine({ unitAmountMinor: 100_000n, discounts: [{ percent: '1' }] })] },
    ['/lines/0/discounts/0/reason'],
  ]),
  ...both('BR-44', 'BR-CO-24', [
    { lines: [aLine({ unitAmountMinor: 100_000n, charges: [{ percent: '1' }] })] },
    ['/lines/0/charges/0/reason'],
  ]),
  'BR-56': [
    DETAILS({ tax_representative: { ...AGENT, tax_id: '30/123/45678' } }),
    ['/tax_representative/tax_id'],
  ],
  'BR-57': [DETAILS({ delivery: { ...DELIVERY, country: null } }), ['/delivery/country']],
  // No account of the seller is for its currency.
  'BR-61': [
    {
      ...DETAILS({ payment_means_code: '58' }),
      seller: { bank_accounts: [{ ...ACCOUNT, currency: 'CHF' }] },
    },
    ['/seller/bank_accounts'],
  ],
  'BR-CO-09': [
    {
      seller: { tax_id: 'DE136695975' },
      customer: { tax_id: 'FR00303265045' },
      ...DETAILS({ tax_representative: { ...AGENT, tax_id: 'ATU1' } }),
    },
    ['/seller/tax_id', '/customer/tax_id', '/tax_representative/tax_id'],
  ],
  'BR-CO-26': [{ seller: { tax_id: '30/123/45678' } }, ['/seller/registration_id']],
  ...taxed('S', 'S', '19', ['/seller/tax_id']),
  ...taxed('Z', 'Z', '0', ['/seller/tax_id']),
  ...taxed('E', 'E', '0', ['/seller/tax_id']),
  ...taxed('AF', 'L', '7', ['/seller/tax_id']),
  ...taxed('AG', 'M', '4', ['/seller/tax_id']),
  ...taxed('AE', 'AE', '0', ['/seller/tax_id', '/customer/tax_id']),
  ...taxed('IC', 'K', '0', ['/seller/tax_id', '/customer/tax_id']),
  'BR-IC-11': [
    { ...OF('K'), customer: ABROAD, ...DETAILS({ supply_date: null }) },
    ['/supply_date'],
  ],
  'BR-IC-12': [{ ...OF('K'), customer: { ...ABROAD, country: null } }, ['/delivery/country']],
  ...taxed('G', 'G', '0', ['/seller/tax_id']),
  'BR-O-02': [{ ...OF('O'), ...NUMBERED }, OUTSIDE],
  'BR-O-03': [{ ...discounted(OF('O')), ...NUMBERED }, OUTSIDE],
  'BR-O-04': [{ ...charged('S', 'O'), ...NUMBERED }, OUTSIDE],
  'BR-O-11': [charged('S', 'O'), ['/charges/0/tax_category']],
  'BR-O-12': [
    { lines: [aLine(), aLine({ taxRate: '0', taxCategory: 'O' })] },
    ['/lines/1/tax_category'],
  ],
  'BR-O-13': [
    discounted({ lines: [aLine(), aLine({ taxRate: '0', taxCategory: 'O' })] }),
    ['/lines/1/tax_category'],
  ],
  'BR-O-14': [charged('O', 'S', '19'), ['/lines/0/tax_category']],
  'BR-DEC-01': [EXACT, ['/discounts/0/shares/0/net_amount']],
  'BR-DEC-05': [EXACT, ['/charges/0/shares/0/net_amount']],
  'BR-DEC-09': [EXACT, ['/subtotal']],
  'BR-DEC-10': [EXACT, ['/discount_total']],
  'BR-DEC-11': [EXACT, ['/charge_total']],
  'BR-DEC-12': [EXACT, ['/net_total']],
  'BR-DEC-13': [EXACT, ['/tax_total']],
  'BR-DEC-14': [EXACT, ['/total']],
  'BR-DEC-15': [EXACT, ['/tax_total_in_tax_currency']],
  'BR-DEC-17': [EXACT, ['/rounding_amount']],
  'BR-DEC-18': [EXACT, ['/total']],
  'BR-DEC-19': [EXACT, ['/tax_groups/0/taxable_amount']],
  'BR-DEC-20': [EXACT, ['/tax_groups/0/tax_amount']],
  'BR-DEC-23': [EXACT, ['/lines/0/net_amount']],
  'BR-DEC-24': [EXACT, ['/lines/0/discounts/0/amount']],
  'BR-DEC-27': [EXACT, ['/lines/0/charges/0/amount']],
  'Art. 219': [{ state: { kind: 'credit_note' } }, ['/preceding_invoice']],
  '§ 14 (4) 6 UStG': [DETAILS({ supply_date: null }), ['/supply_date']],
};

describe('the rules of an invoice', () => {
  it('have a case each', () => {
    expect(INVOICE_RULES.flatMap(({ id, also = [] }) => [id, ...also])).toEqual(
      Object.keys(BREAKS),
    );
  });

  it('find nothing in a document that keeps them', () => {
    expect(judged()).toEqual([]);
    const period = { start: '2026-11-01', end: '2026-11-30' };
    const served = DETAILS({ supply_date: null, service_period: period });
    expect(judged({ ...OF('K'), customer: ABROAD, ...served })).toEqual([]);
    expect(judged({ ...OF('AE'), customer: ABROAD })).toEqual([]);
    expect(judged({ ...OF('G'), customer: { country: 'US' } })).toEqual([]);
    expect(judged({ ...UNNUMBERED, ...OF('O') })).toEqual([]);
    expect(judged({ ...UNNUMBERED, ...DETAILS({ tax_representative: AGENT }) })).toEqual([]);
    expect(judged({ seller: { address: ['Torstraße 49', '10119 Berlin'], city: null } })).toEqual(
      [],
    );
  });

  it.each(Object.entries(BREAKS))('find what breaks %s', (id, [wish, pointers]) => {
    const asked = INVOICE_RULES.find((rule) => rule.id === id || rule.also?.includes(id));
    const own = judged(wish).filter(({ rule }) => rule === asked?.id);
    expect(own.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(own[0]?.code).toBe(asked?.refusal.code);
  });

  it('ask little of a small invoice', () => {
    const nobody = { address: [], city: null, country: null };
    const small = (minor: bigint, over: ViewWish = {}) =>
      judged({
        seller: { tax_id: null },
        customer: nobody,
        ...DETAILS({ supply_date: null }),
        lines: [aLine({ unitAmountMinor: minor })],
        pricesIncludeTax: true,
        ...over,
      }).length;
    expect([small(25_000n), small(25_001n)]).toEqual([0, 6]);
    const french = { seller: { tax_id: null, country: 'FR' } };
    expect([small(10_000n, french), small(10_001n, french)]).toEqual([0, 5]);
    expect(small(1000n, { currency: 'PLN' })).toBe(6);
    const reverse = [aLine({ unitAmountMinor: 100n, taxRate: '0', taxCategory: 'AE' })];
    expect(small(0n, { lines: reverse })).toBeGreaterThan(5);
  });

  it('of the EU are no rules elsewhere, but a VAT number is right everywhere', () => {
    const swiss = { country: 'CH', address: [], city: null, tax_id: 'CHE100155212MWST' };
    const [seller, customer] = [swiss, { ...swiss, tax_id: 'DE136695975' }];
    expect(judged({ seller, customer }).map(({ rule }) => rule)).toEqual(['BR-CO-09']);
  });

  it('are no rules of quotes', () => {
    expect(judged({ state: { kind: 'quote' }, seller: { country: null } })).toEqual([]);
  });

  it('tell the first 100 of what a long document breaks', () => {
    const line = aLine({ discounts: [{ percent: '1' }] });
    const findings = judged({ lines: Array.from({ length: 120 }, () => line) });
    expect(findings).toHaveLength(100);
    const refused = () => refuseFindings(findings);
    expect(refused).toThrow(expect.objectContaining({ context: { errors_truncated: true } }));
    expect(refused).toThrow(DomainError);
  });

  it('stand in docs/documents.md as they are', async () => {
    const page = await readFile(new URL('../../../docs/documents.md', import.meta.url), 'utf8');
    const [, section = ''] = page.split('\n## What an invoice must have\n');
    const rows = [...section.matchAll(/^\| (`.*?`) \| (.*?) \| (.*?) \| `(\w+)` \| (.*) \|$/gm)];
    expect(rows.map(([, ...cells]) => cells)).toEqual(
      INVOICE_RULES.map(({ id, also = [], law, where, notIfSimplified, refusal, message }) => [
        [id, ...also].map((each) => `\`${each}\``).join(', '),
        law ?? '',
        [where ?? 'EU', ...(notIfSimplified ? ['not if simplified'] : [])].join(', '),
        refusal.code,
        message,
      ]),
    );
  });
});
