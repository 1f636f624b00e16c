import { invoiceOf } from './of-view.js';
import { PROFILES } from '../../src/einvoices/domain/profile.js';
import type { EInvoiceProfile } from '../../src/documents/domain/codes/e-invoice-profiles.js';
import { invoiceXml } from '../../src/einvoices/domain/writer.js';
import type { DocumentView } from '../../src/documents/index.js';
import { NO_DETAILS } from '../../src/documents/domain/document-details.js';
import { aLine, aView, type ViewWish } from '../documents/document-views.js';
import { type Market, MARKETS } from './markets.js';

/** The files of docs/e-invoices, by name. */
interface Example {
  name: string;
  profile: EInvoiceProfile;
  view: DocumentView;
}

function between(market: Market, { content, ...wish }: ViewWish = {}): DocumentView {
  const { seller, customer } = MARKETS[market];
  const details = {
    ...(content?.details ?? NO_DETAILS),
    buyer_reference: '04011000-12345-03',
    supply_date: '2026-11-18',
  };
  return aView({
    lines: [
      aLine({ description: 'Consulting', quantity: '7.5', unit: 'HUR', unitAmountMinor: 12_000n }),
      aLine({ description: 'Handbook', quantity: '3', unitAmountMinor: 2490n, taxRate: '7' }),
    ],
    ...wish,
    seller,
    customer: customer.party,
    content: { ...content, details },
  });
}

const DISCOUNTS: ViewWish = {
  discounts: [{ percent: '10', reason: 'Loyalty' }],
  charges: [{ amountMinor: 950n, reason: 'Freight', taxRate: '19' }],
};
const GROSS: ViewWish = { pricesIncludeTax: true };
const ABROAD: ViewWish = {
  lines: [aLine({ description: 'Machine', taxRate: '0', taxCategory: 'K' })],
};
const SKONTO: ViewWish = {
  state: { cashDiscounts: [{ percent: '2', days: 7, lapsesAt: new Date('2026-11-28T00:00:00Z') }] },
};
const NOTE: ViewWish = {
  state: { kind: 'credit_note', number: 'CN-00001' },
  content: {
    details: {
      ...NO_DETAILS,
      preceding_invoice: { number: 'INV-00001', issue_date: '2026-11-01' },
    },
  },
};
const FRENCH: ViewWish = {
  content: {
    details: { ...NO_DETAILS, supply_nature: 'services', subject_notes: [...MARKETS.FR.notes] },
  },
};
const frenchLines = [aLine({ description: 'Conseil', quantity: '2', taxRate: '20' })];
const belgianLines = [aLine({ description: 'Advies', quantity: '2', taxRate: '21' })];

export const EXAMPLES: readonly Example[] = [
  { name: 'en16931-invoice.ubl', profile: 'en16931-ubl', view: between('DE') },
  { name: 'en16931-invoice.cii', profile: 'en16931-cii', view: between('DE') },
  { name: 'peppol-discounts', profile: 'peppol', view: between('DE', DISCOUNTS) },
  { name: 'peppol-credit-note', profile: 'peppol', view: between('DE', NOTE) },
  { name: 'peppol-within-the-eu', profile: 'peppol', view: between('DE', ABROAD) },
  { name: 'xrechnung-skonto.ubl', profile: 'xrechnung-ubl', view: between('DE', SKONTO) },
  { name: 'xrechnung-prices-with-tax.cii', profile: 'xrechnung-cii', view: between('DE', GROSS) },
  { name: 'factur-x-invoice', profile: 'factur-x', view: between('DE', DISCOUNTS) },
  { name: 'factur-x-credit-note', profile: 'factur-x', view: between('DE', NOTE) },
  {
    name: 'france-invoice.ubl',
    profile: 'france-ubl',
    view: between('FR', { ...FRENCH, lines: frenchLines }),
  },
  { name: 'ubl-be-invoice', profile: 'ubl-be', view: between('BE', { lines: belgianLines }) },
];

export function exampleXml({ view, profile }: Example): string {
  return invoiceXml(invoiceOf(view), PROFILES[profile]);
}
