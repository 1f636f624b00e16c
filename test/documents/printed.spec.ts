import { describe, expect, it } from 'vitest';
import type { DocumentRelations } from '../../src/documents/domain/document-view.js';
import { Locale } from '../../src/documents/domain/printing/formatting.js';
import { type DocumentDetails, NO_DETAILS } from '../../src/documents/domain/document-details.js';
import { NO_ADDRESS, type Party } from '../../src/documents/domain/parties/party.js';
import { addressLines } from '../../src/documents/domain/parties/postal-address.js';
import { printed } from '../../src/documents/domain/printing/printed-document.js';
import { followUpOf } from '../../src/portal/http/portal-state.js';
import { eur } from './a-document.js';
import { aLine, aView, type ViewWish } from './document-views.js';

const EN = Locale.of('en');
const printedOf = (wish: ViewWish, language: string | null = null) =>
  printed(aView({ ...wish, content: { ...wish.content, language } }));

const fieldsOf = (paper: ReturnType<typeof printed>) =>
  paper.fields.map(({ name, value }) => `${name}: ${value}`);

const totalRowsOf = (wish: ViewWish) => {
  const { parts, total, included } = printedOf(wish).totals;
  const row = ({ name, detail, reason, amount }: typeof total) =>
    [name, detail, reason, amount].filter(Boolean).join(' | ');
  return [...parts.map(row), row(total), ...(included?.rows.map(row) ?? [])];
};

const untaxedRow = (taxCategory: string, exemptionReason?: string) =>
  totalRowsOf({ lines: [aLine({ taxRate: '0', taxCategory, exemptionReason })] })[1];

const taxNameOf = (country: string | null, taxCategory = 'S') =>
  printedOf({ seller: { country }, lines: [aLine({ taxCategory })] }).totals.parts[1]?.name;

const secondFactOf = (kind: 'invoice' | 'quote' | 'credit_note') =>
  printedOf({ state: { kind } }).fields.map(({ name }) => name)[1];

const lastRowsOf = (unitAmountMinor: bigint) =>
  totalRowsOf({ lines: [aLine({ unitAmountMinor })], cashRounding: 5n }).slice(-2);

const successorTo = (...followUps: DocumentRelations['followUps']) =>
  followUpOf(aView({ relations: { followUps } }), EN.texts);

describe('an address', () => {
  it.each<[string, Partial<Party>, string[]]>([
    ['DE', { postal_code: '10115', city: 'Berlin' }, ['10115 Berlin', 'Germany']],
    ['IT', { postal_code: '20121', city: 'Milano', region: 'MI' }, ['20121 Milano MI', 'Italy']],
    [
      'US',
      { postal_code: '62704', city: 'Springfield', region: 'IL' },
      ['Springfield, IL 62704', 'United States'],
    ],
    ['GB', { postal_code: 'SW1A 1AA', city: 'London' }, ['London', 'SW1A 1AA', 'United Kingdom']],
    [
      'AU',
      { postal_code: '2000', city: 'Sydney', region: 'NSW' },
      ['Sydney NSW 2000', 'Australia'],
    ],
    ['XI', { city: 'Belfast' }, ['Belfast', 'Northern Ireland']],
    ['1A', { city: 'Pristina' }, ['Pristina', 'Kosovo']],
    ['FR', {}, ['France']],
  ])('is in the order of its country: %s', (country, parts, lines) => {
    const address = { address: [], postal_code: null, city: null, region: null, country, ...parts };
    expect(addressLines(address, EN)).toEqual(lines);
  });

  it('has no country where none is known', () => {
    const address = { address: ['Street 1'], postal_code: null, region: null, country: null };
    expect(addressLines({ ...address, city: 'Here' }, EN)).toEqual(['Street 1', 'Here']);
  });
});

describe('the details of EN 16931', () => {
  const details: DocumentDetails = {
    supply_date: '2026-11-19',
    service_period: { start: '2026-11-01', end: '2026-11-30' },
    delivery: { ...NO_ADDRESS, name: 'Depot', city: 'Bonn', country: 'DE' },
    buyer_reference: '04011000-12345-03',
    project_reference: 'P-17',
    contract_reference: 'V-4711',
    sales_order: 'SO-1',
    despatch_reference: 'LS-1',
    payment_means_code: '58',
    tax_representative: { ...NO_ADDRESS, name: 'Fiskal', tax_id: 'DE1', city: 'Kiel' },
    payee: { name: 'Factoring AG', id: 'F-1', registration_id: 'HRB 1' },
    preceding_invoice: null,
  };

  it('are printed, in German too', () => {
    expect(fieldsOf(printedOf({ content: { details } }, 'de')).slice(2, -2)).toEqual([
      'Leistungsdatum: 19. November 2026',
      'Leistungszeitraum: 1. November 2026 – 30. November 2026',
      'Ihr Zeichen: 04011000-12345-03',
      'Projekt: P-17',
      'Vertrag: V-4711',
      'Unsere Auftragsnummer: SO-1',
      'Lieferschein: LS-1',
      'Zahlungsart: Überweisung',
    ]);
  });

  it('stand in the place of what the customer has', () => {
    const shipping = { ...NO_ADDRESS, name: 'Home', city: 'Ulm' };
    const customer = { reference: 'K-1', shipping_address: shipping };
    const own = printedOf({ customer, content: { details } });
    expect([own.shipTo?.name, own.shipTo?.lines]).toEqual(['Depot', ['Bonn', 'Germany']]);
    expect(fieldsOf(own)).not.toContain('Your reference: K-1');
    const plain = printedOf({ customer });
    expect([plain.shipTo?.name, plain.others]).toEqual(['Home', []]);
    expect(fieldsOf(plain)).toContain('Your reference: K-1');
  });

  it('name who else has a part in it', () => {
    expect(printedOf({ content: { details } }).others).toEqual([
      { heading: 'Pay to', name: 'Factoring AG', lines: ['F-1', 'Registration no. HRB 1'] },
      { heading: 'Tax representative', name: 'Fiskal', lines: ['Kiel', 'VAT ID DE1'] },
    ]);
  });

  it('say the code of a means of payment that has no name', () => {
    const rare = { ...details, payment_means_code: '97' };
    expect(fieldsOf(printedOf({ content: { details: rare } }))).toContain('Payment by: 97');
  });

  it('stand below a line', () => {
    const line = aLine({
      details: {
        service_period: { start: '2026-11-01', end: '2026-11-30' },
        order_line: '10',
        buyer_item_id: 'B-1',
        standard_item_id: { scheme: '0160', value: '401' },
        classifications: [{ list: 'STI', code: '72000000-5', version: null }],
      },
    });
    const [printedLine] = printedOf({ lines: [line] }).lines;
    expect(printedLine?.details.map(({ name, value }) => `${name}: ${value}`)).toEqual([
      'Service period: 1 November 2026 – 30 November 2026',
      'Order line: 10',
      'Your item no.: B-1',
      'GTIN: 401',
      'STI: 72000000-5',
    ]);
    expect(printedOf({}).lines[0]?.details).toEqual([]);
  });

  it('date the invoice of a credit note; an old one has no date', () => {
    const state = {
      kind: 'credit_note',
      origin: { relation: 'credit', documentId: '01930000-0000-7000-8000-000000000004' },
    } as const;
    const relations = { origin: 'INV-7' };
    const preceding_invoice = { number: 'INV-7', issue_date: '2026-11-02' };
    const dated = { details: { ...NO_DETAILS, preceding_invoice } };
    expect([
      printedOf({ state, relations, content: dated }).relation,
      printedOf({ state, relations }).relation,
    ]).toEqual(['for invoice INV-7, 2 November 2026', 'for invoice INV-7']);
  });
});

describe('totals', () => {
  const adjusted: ViewWish = {
    lines: [aLine(), aLine({ taxRate: '7' })],
    discounts: [{ percent: '10', reason: 'Loyalty' }],
    charges: [{ amountMinor: 500n, reason: 'Shipping', taxRate: '7' }],
    cashRounding: 5n,
  };

  it('of net prices lead from the lines to what is paid', () => {
    expect(totalRowsOf(adjusted)).toEqual([
      'Subtotal | €200.00',
      'Discount 10% | Loyalty | -€20.00',
      'Charge | Tax 7% | Shipping | €5.00',
      'Net total | €185.00',
      'Tax 19% | on €90.00 | €17.10',
      'Tax 7% | on €95.00 | €6.65',
      'Tax total | €23.75',
      'Total | €208.75',
    ]);
    expect(totalRowsOf({})).toEqual([
      'Net total | €100.00',
      'Tax 19% | on €100.00 | €19.00',
      'Total | €119.00',
    ]);
  });

  it('of prices with tax say what of the total is tax', () => {
    expect(totalRowsOf({ ...adjusted, pricesIncludeTax: true, cashRounding: 50n })).toEqual([
      'Discount 10% | Loyalty | -€20.00',
      'Charge | Tax 7% | Shipping | €5.00',
      'Total | €185.00',
      'Net total | €164.42',
      'Tax 19% | on €75.63 | €14.37',
      'Tax 7% | on €88.79 | €6.21',
      'Tax total | €20.58',
    ]);
    const { columns, totals } = printedOf({ pricesIncludeTax: true });
    expect([columns.amount, totals.included?.heading]).toEqual([
      'Amount incl. tax',
      'Included in the total',
    ]);
  });

  it('show a rounding only where there is one', () => {
    expect(lastRowsOf(101n)).toEqual(['Tax 19% | on €1.01 | €0.19', 'Total | €1.20']);
    expect(lastRowsOf(102n)).toEqual(['Rounding | -€0.01', 'Total | €1.20']);
  });

  it('say why there is no tax, once', () => {
    expect([untaxedRow('AE'), untaxedRow('E', 'Small business'), untaxedRow('Z')]).toEqual([
      'Reverse charge | on €100.00 | €0.00',
      'Exempt from tax | on €100.00 | Small business | €0.00',
      'Zero rated | on €100.00 | €0.00',
    ]);
    const german = printedOf({ lines: [aLine({ taxRate: '0', taxCategory: 'AE' })] }, 'de');
    expect(german.totals.parts[1]).toMatchObject({
      name: 'Steuerschuldnerschaft des Leistungsempfängers',
      reason: null,
    });
  });

  it('call the tax as the seller’s country does', () => {
    expect([taxNameOf('DE'), taxNameOf('US'), taxNameOf(null), taxNameOf('ES', 'L')]).toEqual([
      'VAT 19%',
      'Tax 19%',
      'Tax 19%',
      'IGIC 19%',
    ]);
  });
});

describe('a document', () => {
  it.each<[ViewWish['state'], string, string | null]>([
    [{}, 'Invoice INV-00001', null],
    [{ kind: 'quote', proforma: true, number: 'PRO-1' }, 'Proforma invoice PRO-1', null],
    [
      { kind: 'credit_note', number: 'CRN-1', origin: { relation: 'credit', documentId: 'x' } },
      'Credit note CRN-1',
      'for invoice INV-7',
    ],
    [
      {
        kind: 'quote',
        number: 'QUO-2',
        revision: 2,
        origin: { relation: 'revision', documentId: 'x' },
      },
      'Quote QUO-2',
      'Revision 2, replaces INV-7',
    ],
    [{ origin: { relation: 'duplicate', documentId: 'x' } }, 'Invoice INV-00001', null],
  ])('is titled by its kind and origin: %j', (state, heading, relation) => {
    const origin = state?.origin && {
      ...state.origin,
      documentId: '01930000-0000-7000-8000-000000000009',
    };
    const paper = printedOf({ state: { ...state, origin }, relations: { origin: 'INV-7' } });
    expect([paper.heading, paper.relation]).toEqual([heading, relation]);
  });

  it('has a last day only where one is to be kept', () => {
    expect([secondFactOf('invoice'), secondFactOf('quote'), secondFactOf('credit_note')]).toEqual([
      'Due date',
      'Valid until',
      'Currency',
    ]);
  });

  it('names its parties as the register and the tax office do', () => {
    const { seller, buyer } = printedOf({
      seller: {
        legal_name: 'Acme Studio GmbH',
        country: 'DE',
        website: 'https://acme.example',
        tax_id: 'DE999999999',
        tax_ids: [{ type: 'St.-Nr.', value: '30/123/45678' }],
        registration_id: 'HRB 1',
      },
      customer: {
        legal_name: 'Globex',
        contact_name: 'Erika',
        tax_id: '12-3456789',
        country: 'US',
      },
    });
    expect([seller.lines, buyer.lines]).toEqual([
      [
        'Acme Studio GmbH',
        'Germany',
        'https://acme.example',
        'VAT ID DE999999999',
        'St.-Nr. 30/123/45678',
        'Registration no. HRB 1',
      ],
      ['Erika', 'United States', 'Tax ID 12-3456789'],
    ]);
  });

  it('asks for payment to a bank account on invoices alone', () => {
    const account = { holder: null, bank_name: null, iban: 'DE89370400440532013000', bic: 'X' };
    const paymentOf = (wish: ViewWish) =>
      printedOf({ seller: { bank_accounts: [account] }, ...wish }).payment;
    expect(paymentOf({})).toEqual({
      accounts: [
        [
          { name: 'Account holder', value: 'Acme Studio' },
          { name: 'IBAN', value: 'DE89 3704 0044 0532 0130 00' },
          { name: 'BIC', value: 'X' },
        ],
      ],
      references: [
        { name: 'Payment reference', value: 'INV-00001' },
        { name: 'Structured reference', value: 'RF25 INV0 0001' },
      ],
    });
    expect(paymentOf({ state: { kind: 'quote' } })).toBeNull();
    expect(paymentOf({ state: { kind: 'credit_note' } })).toBeNull();
    expect(paymentOf({ lines: [aLine({ unitAmountMinor: 0n })] })).toBeNull();
    expect(paymentOf({ state: { amountPrepaid: eur(11_900n) } })).toBeNull();
    expect(paymentOf({ seller: {} })).toBeNull();
  });

  it('says the structured reference once: beside the accounts, else among the fields', () => {
    const field = { name: 'Structured reference', value: 'RF25 INV0 0001' };
    const account = { holder: null, bank_name: null, iban: 'DE89370400440532013000', bic: null };
    expect(printedOf({ seller: {} }).fields).toContainEqual(field);
    expect(printedOf({ seller: { bank_accounts: [account] } }).fields).not.toContainEqual(field);
    expect(printedOf({ seller: {}, state: { kind: 'quote' } }).fields).not.toContainEqual(field);
  });

  it('shows discounts and charges under their line', () => {
    const discounts = [{ percent: '10', reason: 'Loyalty' }];
    const charges = [{ amountMinor: 250n }];
    const { lines } = printedOf({
      lines: [aLine({ quantity: '2', unit: 'HUR', discounts, charges })],
    });
    expect(lines).toEqual([
      {
        position: 1,
        texts: [],
        details: [],
        description: 'Consulting',
        quantity: '2\u00a0h',
        unitPrice: '€100.00',
        tax: '19%',
        amount: '€182.50',
        sumSoFar: '€182.50',
        adjustments: [
          { name: 'Discount 10%', reason: 'Loyalty', amount: '-€20.00' },
          { name: 'Charge', reason: null, amount: '€2.50' },
        ],
      },
    ]);
  });
});

describe('what came of a document', () => {
  const id = '01930000-0000-7000-8000-000000000009';

  it('is the version or the invoice that was issued, never a draft', () => {
    expect(successorTo()).toBeNull();
    expect(successorTo(['revision', id, null])).toBeNull();
    expect(successorTo(['credit', id, 'CRN-1'])).toBeNull();
    expect(successorTo(['conversion', id, 'INV-1'])).toBe('Invoiced as INV-1');
    expect(successorTo(['revision', id, null], ['revision', id, 'QUO-2'])).toBe(
      'Replaced by QUO-2',
    );
  });
});

describe('a line below zero', () => {
  it('is printed with its signs: the price is above zero, its discount is added', () => {
    const back = aLine({ quantity: '-1.5', unit: 'HUR', discounts: [{ percent: '10' }] });
    const [, line] = printedOf({ lines: [aLine({ quantity: '2' }), back] }).lines;
    expect(line).toMatchObject({
      quantity: '-1.5\u00a0h',
      unitPrice: '€100.00',
      amount: '-€135.00',
      adjustments: [{ name: 'Discount 10%', amount: '€15.00' }],
    });
    const [, german] = printedOf({ lines: [aLine({ quantity: '2' }), back] }, 'de').lines;
    expect(german).toMatchObject({ quantity: '-1,5\u00a0h', amount: '-135,00\u00a0€' });
  });
});
