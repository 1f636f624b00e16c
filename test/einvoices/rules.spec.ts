import { describe, expect, it } from 'vitest';
import { invoiceOf } from './of-view.js';
import { PROFILES } from '../../src/einvoices/domain/profile.js';
import {
  E_INVOICE_PROFILES,
  type EInvoiceProfile,
} from '../../src/documents/domain/codes/e-invoice-profiles.js';
import { NO_DETAILS } from '../../src/documents/domain/document-details.js';
import { brokenRulesOf, RULES_OF } from '../../src/einvoices/domain/rules/judge.js';
import { aLine, aView, type ViewWish } from '../documents/document-views.js';
import { hunt } from './hunt.js';

const rulesBroken = (wish: ViewWish, profile: EInvoiceProfile) =>
  brokenRulesOf(invoiceOf(aView(wish)), PROFILES[profile]);

/** The places of which XRechnung warns as of a Leitweg-ID. */
const leitwegPlaces = (
  reference: string,
  electronic_address: { scheme: string; value: string } | null,
) =>
  rulesBroken(
    {
      content: { details: { ...NO_DETAILS, buyer_reference: reference } },
      customer: { electronic_address },
    },
    'xrechnung-cii',
  )
    .filter(({ rule }) => rule === 'LEITWEG-ID')
    .map(({ pointer }) => pointer);

/** A seller in Iceland with these accounts. */
const icelandic = (means: string, accounts: readonly string[]): ViewWish => ({
  seller: {
    country: 'IS',
    bank_accounts: accounts.map((account_number) => ({
      holder: null,
      bank_name: null,
      iban: null,
      bic: null,
      account_number,
    })),
  },
  content: { details: { ...NO_DETAILS, payment_means_code: means } },
});

describe('the table of rules', () => {
  it('names each rule once in a profile, with a sentence', () => {
    for (const profile of E_INVOICE_PROFILES) {
      const ids = RULES_OF[profile].map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { message } of RULES_OF[profile]) expect(message).toMatch(/^\S.*\.$/);
    }
  });

  it('finds nothing in complete documents but corners of figures', async () => {
    const of = { seed: 5, profiles: E_INVOICE_PROFILES, rules: null, saxonJs: null };
    const { wrong, known } = await hunt({ documents: 60, ...of });
    expect(wrong).toEqual([]);
    expect(
      [...known.keys()].filter((id) => !/^BR-(AF-0[567]|CO-17|(S|AF|AG)-09)$/.test(id)),
    ).toEqual([]);
  });
});

describe('an id of a scheme', () => {
  it.each([
    ['0088', '4012345000009', '4012345000008'],
    ['0192', '974760673', '974760674'],
    ['0184', 'DK13585628', '1358562'],
    ['0208', '0202239951', '0202239950'],
    ['0007', '5560000167', '5560000168'],
    ['0151', '51824753556', '51824753557'],
    ['0096', '1234567890', '123456789'],
    ['0198', 'DK13585628', '13585628'],
  ])('of %s is right as %s, and wrong as %s', (scheme, right, wrong) => {
    const pointers = (value: string) =>
      rulesBroken({ customer: { electronic_address: { scheme, value } } }, 'peppol')
        .filter(({ rule }) => rule.startsWith('PEPPOL-COMMON'))
        .map(({ pointer }) => pointer);
    expect(pointers(right)).toEqual([]);
    expect(pointers(wrong)).toEqual(['/customer/electronic_address/value']);
  });
});

describe('a rule', () => {
  it('tells each place, and no more than twenty', () => {
    const lines = Array.from({ length: 30 }, () => aLine({ quantity: '1.23456' }));
    const found = rulesBroken({ lines }, 'france-cii').filter(
      ({ rule }) => rule === 'BR-FR-DEC-02_BT-129',
    );
    expect(found.map(({ pointer }) => pointer)).toEqual(
      Array.from({ length: 20 }, (_, at) => `/lines/${at}/quantity`),
    );
  });

  it('tells a Leitweg-ID that nobody can route, and no other reference', () => {
    // The first is that of its published format, the next ones are in use.
    for (const right of ['04011000-1234512345-06', '991-33333TEST-33', '05711-06001-79']) {
      expect(leitwegPlaces(right, { scheme: '0204', value: right })).toEqual([]);
      const wrong = right.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));
      expect(leitwegPlaces(wrong, { scheme: '0204', value: wrong })).toEqual([
        '/buyer_reference',
        '/customer/electronic_address/value',
      ]);
    }
    expect(leitwegPlaces('PO 17-4711', { scheme: '9930', value: 'DE123456788' })).toEqual([]);
    expect(leitwegPlaces('PO 17', { scheme: '0204', value: '04011000' })).toEqual([
      '/customer/electronic_address/value',
    ]);
  });

  it.each<[rule: string, pointer: string, profile: EInvoiceProfile, wish: ViewWish]>([
    [
      'BR-DEC-23',
      '/lines/0',
      'peppol',
      { currency: 'KWD', lines: [aLine({ unitAmountMinor: 1n })] },
    ],
    ['BR-FR-CO-12_BT-5', '/currency', 'france-cii', { currency: 'USD' }],
    ['BR-FR-16_BT-119', '/tax_groups/0', 'france-ubl', {}],
    [
      'BR-O-11',
      '/tax_groups',
      'peppol',
      { lines: [aLine(), aLine({ taxRate: '0', taxCategory: 'O' })] },
    ],
    [
      'BR-O-12',
      '/lines/0/tax_category',
      'peppol',
      { lines: [aLine(), aLine({ taxRate: '0', taxCategory: 'O' })] },
    ],
    [
      'BR-AE-02',
      '/customer/tax_id',
      'peppol',
      { lines: [aLine({ taxRate: '0', taxCategory: 'AE' })] },
    ],
    ['BR-G-02', '/seller/tax_id', 'peppol', { lines: [aLine({ taxRate: '0', taxCategory: 'G' })] }],
    ['BR-IC-11', '/supply_date', 'peppol', { lines: [aLine({ taxRate: '0', taxCategory: 'K' })] }],
    [
      'PEPPOL-EN16931-R120',
      '/lines/0',
      'peppol',
      { currency: 'JPY', lines: [aLine({ unitAmountDecimal: '0.4' })] },
    ],
    [
      'NO-R-001',
      '/seller/tax_id',
      'peppol',
      { seller: { country: 'NO', tax_id: 'NO974760674MVA' } },
    ],
    [
      'SE-R-013',
      '/seller/registration_id',
      'peppol',
      { seller: { country: 'SE', registration_id: '5560000168' } },
    ],
    [
      'NL-R-008',
      '/payment_means_code',
      'peppol',
      { seller: { country: 'NL' }, customer: { country: 'NL' } },
    ],
    [
      'DK-R-014',
      '/seller/registration_id',
      'peppol',
      { seller: { country: 'DK', registration_id: '13585628' } },
    ],
    ['IT-R-004', '/seller/postal_code', 'peppol', { seller: { country: 'IT' } }],
    ['IS-R-006', '/payment_account', 'peppol', icelandic('9', ['IS140159260076545510730339'])],
    ['IS-R-007', '/payment_account', 'peppol', icelandic('42', ['015926007654', '015926007655'])],
    [
      'DE-R-003',
      '/seller/city',
      'peppol',
      { seller: { country: 'DE' }, customer: { country: 'DE' } },
    ],
  ])('%s names %s in %s', (rule, pointer, profile, wish) => {
    const found = rulesBroken(wish, profile);
    expect(found).toContainEqual(expect.objectContaining({ rule, pointer, severity: 'fatal' }));
  });

  it('is not told where it does not hold', () => {
    const seller = { country: 'DE', city: null };
    const abroad = rulesBroken({ seller, customer: { country: 'AT' } }, 'peppol');
    expect(abroad.map(({ rule }) => rule)).not.toContain('DE-R-003');
    const dutch = { seller: { country: 'NL' }, customer: { country: 'NL' } };
    const note = rulesBroken({ ...dutch, state: { kind: 'credit_note' } }, 'peppol');
    expect(note.map(({ rule }) => rule)).not.toContain('NL-R-008');
    const right = { country: 'NO', tax_id: 'NO974760673MVA' };
    const norse = rulesBroken({ seller: right }, 'peppol').map(({ rule }) => rule);
    expect(norse).not.toContain('NO-R-001');
    const swedish = { country: 'SE', registration_id: '5560000167' };
    const found13 = rulesBroken({ seller: swedish }, 'peppol').map(({ rule }) => rule);
    expect(found13).not.toContain('SE-R-013');
    const iceland = rulesBroken(icelandic('42', ['015926007654']), 'peppol');
    expect(iceland.map(({ rule }) => rule)).not.toContain('IS-R-007');
    const yen = { currency: 'JPY', lines: [aLine({ unitAmountDecimal: '0.4' })] };
    const found = rulesBroken(yen, 'xrechnung-cii').filter(({ rule }) => rule.endsWith('R120'));
    expect(found.map(({ severity }) => severity)).toEqual(['warning']);
  });
});
