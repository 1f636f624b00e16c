import { invoiceOf } from './of-view.js';
import type { SemanticInvoice } from '../../src/einvoices/domain/semantic/semantic-invoice.js';
import { Money } from '../../src/kernel/money.js';
import { aLine, aView } from '../documents/document-views.js';
import { MARKETS } from './markets.js';

const gln = (value: string) => ({ scheme: '0088', value });

/** How it is to be paid: each has terms of its own. */
export type Way = 'transfer' | 'card' | 'debit';

/** Every term of EN 16931, also those that no field of a document says yet. */
export function wholeInvoice(way: Way, typeCode: '380' | '381'): SemanticInvoice {
  const { seller, customer } = MARKETS.DE;
  const invoice = invoiceOf(
    aView({
      lines: [aLine({ quantity: '3', unitAmountMinor: 4500n }), aLine({ taxRate: '7' })],
      discounts: [{ percent: '10', reason: 'Loyalty' }],
      charges: [{ amountMinor: 900n, reason: 'Freight', taxRate: '19' }],
      currency: 'CHF',
      seller,
      customer: customer.party,
    }),
  );
  const [first, ...others] = invoice.lines;
  if (!first) throw new Error('there is no line');
  return {
    ...invoice,
    typeCode,
    isCreditNote: typeCode === '381',
    paymentTerms: 'Within 14 days',
    vatAccountingCurrency: 'EUR',
    taxPointDate: '2026-11-19',
    buyerReference: '04011000-12345-03',
    projectReference: 'P-17',
    contractReference: 'V-4711',
    purchaseOrder: 'PO-1',
    salesOrder: 'SO-1',
    receivingAdvice: 'WE-1',
    despatchAdvice: 'LS-1',
    tenderOrLot: 'LOT-1',
    invoicedObject: { scheme: 'ABT', value: 'OBJ-1' },
    buyerAccountingReference: '4980',
    notes: [
      { subjectCode: 'AAB', text: 'No discount' },
      { subjectCode: null, text: 'Thank you' },
    ],
    precedingInvoices: [
      { number: 'INV-1', issueDate: '2026-10-01' },
      { number: 'INV-2', issueDate: null },
    ],
    seller: {
      ...invoice.seller,
      ids: [gln('4012345000108'), { scheme: null, value: 'S-1' }],
      registration: { scheme: '0002', value: '404833048' },
      legalInformation: 'GF Erika Muster, HRB 12345',
      address: {
        ...invoice.seller.address,
        lines: ['Weg 1', 'Hof', '2. Stock'],
        subdivision: 'BE',
      },
    },
    buyer: {
      ...invoice.buyer,
      tradingName: 'Globex',
      ids: [gln('4012345000115')],
      registration: { scheme: '0002', value: '303265045' },
    },
    payee: {
      name: 'Factoring AG',
      id: gln('4012345000122'),
      registration: { scheme: '0002', value: '552100554' },
    },
    taxRepresentative: {
      name: 'Fiskal GmbH',
      vatId: 'ATU13585627',
      address: {
        lines: ['Weg 2'],
        city: 'Wien',
        postCode: '1010',
        subdivision: null,
        country: 'AT',
      },
    },
    delivery: {
      name: 'Lager',
      location: gln('4012345000139'),
      date: '2026-11-18',
      period: { start: '2026-11-01', end: null },
      address: {
        lines: ['Weg 3'],
        city: 'Graz',
        postCode: '8010',
        subdivision: null,
        country: 'AT',
      },
    },
    paymentInstructions: {
      meansCode: { transfer: '30', card: '48', debit: '59' }[way],
      meansText: 'As agreed',
      remittance: 'RF25INV00001',
      creditTransfers:
        way === 'transfer'
          ? [
              {
                account: { kind: 'iban', id: 'DE89370400440532013000' },
                name: 'Acme',
                bic: 'COBADEFF',
              },
              { account: { kind: 'other', id: '4711-08' }, name: null, bic: null },
            ]
          : [],
      card: way === 'card' ? { number: '1234', holder: 'Max Käufer' } : null,
      directDebit:
        way === 'debit'
          ? {
              mandate: 'M-1',
              creditorId: 'DE98ZZZ09999999999',
              debitedAccount: 'AT611904300234573201',
            }
          : null,
    },
    totals: {
      ...invoice.totals,
      vatInAccountingCurrency: Money.of(2600n, 'EUR'),
      paid: Money.of(1000n, 'CHF'),
      rounding: Money.of(3n, 'CHF'),
      due: invoice.totals.due.minus(Money.of(997n, 'CHF')),
    },
    supportingDocuments: [
      {
        reference: 'A-1',
        description: 'Time sheet',
        location: null,
        attachment: { mimeType: 'application/pdf', fileName: 'times.pdf', base64: 'JVBERg==' },
      },
      {
        reference: 'A-2',
        description: 'Terms',
        location: 'https://acme.example/terms',
        attachment: null,
      },
    ],
    lines: [
      {
        ...first,
        note: 'By hand',
        object: { scheme: 'ABT', value: 'METER-1' },
        orderLine: '10',
        buyerAccountingReference: '4981',
        period: { start: '2026-11-02', end: '2026-11-03' },
        price: { net: '4500', gross: { price: '5000', discount: '500' }, baseQuantity: '100' },
        item: {
          name: 'Consulting',
          description: 'On site',
          sellerId: 'SKU-1',
          buyerId: 'B-1',
          standardId: { scheme: '0160', value: '4012345678901' },
          classifications: [{ list: 'STI', code: '72000000', version: '2008' }],
          originCountry: 'PT',
          attributes: [
            { name: 'Colour', value: 'Red' },
            { name: 'Size', value: 'L' },
          ],
        },
      },
      ...others,
    ],
  };
}
