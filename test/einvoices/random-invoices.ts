import { calculate } from '../../src/documents/domain/calculation/calculation.js';
import type {
  CalculationRequest,
  LineRequest,
} from '../../src/documents/domain/calculation/calculation-request.js';
import { NO_DETAILS } from '../../src/documents/domain/document-details.js';
import type { DocumentView } from '../../src/documents/index.js';
import { minorDigits } from '../../src/kernel/currency.js';
import { DomainError } from '../../src/kernel/domain-error.js';
import { Money } from '../../src/kernel/money.js';
import { Dice, randomDocument } from '../documents/calculation/calculation-documents.js';
import { CreditedInvoice } from '../documents/credited-invoice.js';
import { aView, type ViewWish } from '../documents/document-views.js';
import { type Market, MARKETS } from './markets.js';
import { furtherDetails, furtherLineDetails } from './random-details.js';

/** All invoices and credit notes here are complete: no rule misses a field that the API has. */
export function randomInvoice(seed: number, index: number, market: Market): DocumentView {
  for (let attempt = 0; ; attempt += 1) {
    const view = attempted(new Dice(seed + attempt * 7919, index), seed + attempt, index, market);
    if (view !== null) return view;
  }
}

function attempted(dice: Dice, seed: number, index: number, market: Market): DocumentView | null {
  try {
    const request = completed(randomDocument(seed, index), dice, market);
    const invoice = new CreditedInvoice(request);
    const isNote = invoice.creditable > 0n && dice.chance(25);
    const wish = isNote ? creditNote(invoice, dice) : request;
    return aView({ ...wish, ...said(wish, dice, market) });
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** The same request with what e-invoices need: reasons, two decimals, taxes of the country. */
function completed(request: CalculationRequest, dice: Dice, market: Market): CalculationRequest {
  // Two decimals: three have no place, and without any, tax in a price is more than a cent off.
  const currency = minorDigits(request.currency) === 2 ? request.currency : 'EUR';
  const { rates, quantityPlaces } = MARKETS[market];
  const isOutside = dice.chance(5);
  const taxOf = <Taxed extends { taxRate?: string; taxCategory?: string }>(taxed: Taxed): Taxed => {
    const { taxRate: _rate, taxCategory: _category, ...rest } = taxed;
    if (isOutside) return { ...rest, taxCategory: 'O' } as Taxed;
    if (rates === null) {
      return taxed.taxCategory === 'O' ? ({ ...rest, taxCategory: 'Z' } as Taxed) : taxed;
    }
    const rate = dice.pick(rates);
    const category = rate === '0' ? dice.pick(['Z', 'E', 'AE', 'K', 'G']) : 'S';
    return { ...rest, taxRate: rate, taxCategory: category } as Taxed;
  };
  const reasoned = <One extends { reason?: string }>(one: One): One =>
    dice.chance(20)
      ? one
      : { ...one, reason: one.reason ?? dice.pick(['Loyalty', 'Fret & "port"']) };
  const lineOf = (line: LineRequest): LineRequest => ({
    ...taxOf(line),
    description: dice.pick(TEXTS),
    quantity: cutTo(line.quantity, quantityPlaces),
    unit: dice.pick(['C62', 'HUR', 'KGM', 'MTR', 'H87']),
    ...(dice.chance(30) && { sku: `SKU-${dice.below(1000)}` }),
    details: {
      ...pricedBy(line, quantityPlaces),
      ...lineDetails(dice),
      ...furtherLineDetails(dice),
    },
    ...(line.discounts && { discounts: line.discounts.map(reasoned) }),
    ...(line.charges && { charges: line.charges.map(reasoned) }),
  });
  const lines = request.lines.slice(0, 60).map(lineOf);
  // A discount with a tax of its own is on lines that have it.
  const alike = <One extends { taxRate?: string; taxCategory?: string }>(one: One): One => {
    const { taxRate, taxCategory, ...rest } = one;
    if (taxRate === undefined && taxCategory === undefined) return one;
    const { taxRate: rate, taxCategory: category } = dice.pick(lines);
    return {
      ...rest,
      ...(rate !== undefined && { taxRate: rate }),
      ...(category !== undefined && { taxCategory: category }),
    } as One;
  };
  return {
    ...request,
    currency: market === 'FR' ? 'EUR' : currency,
    lines,
    discounts: request.discounts.map((one) => reasoned(alike(one))),
    charges: request.charges.map((one) =>
      reasoned(
        one.taxRate !== undefined || one.taxCategory !== undefined || isOutside ? taxOf(one) : one,
      ),
    ),
  };
}

/** The base quantity of the price, where it has no more places than quantities may have. */
function pricedBy({ details }: LineRequest, places: number): LineRequest['details'] {
  const base = details?.price_base_quantity;
  if (base == null || (base.split('.')[1] ?? '').length > places) return {};
  return { price_base_quantity: base };
}

function cutTo(text: string, places: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  const kept = fraction.slice(0, places);
  return kept === '' ? whole : `${whole}.${kept}`;
}

const TEXTS = [
  'Consulting',
  'Beratung & Entwicklung <Phase 2>',
  'Zwei\nZeilen',
  'naïve “quotes” — 日本語 🧾',
  'Tab\tund "Zeichen" > ]]>',
];

function lineDetails(dice: Dice): NonNullable<LineRequest['details']> {
  return {
    ...(dice.chance(20) && { service_period: { start: '2026-11-05', end: '2026-11-12' } }),
    ...(dice.chance(20) && { order_line: `${dice.between(1, 99)}` }),
    ...(dice.chance(20) && { buyer_item_id: `B-${dice.below(999)}` }),
    ...(dice.chance(20) && { standard_item_id: { scheme: '0160', value: '4012345678901' } }),
    ...(dice.chance(20) && {
      classifications: [{ list: 'STI', code: '72000000', version: dice.pick(['2008', null]) }],
    }),
  };
}

/** All that is left of it, or a part of its lines. */
function creditNote(invoice: CreditedInvoice, dice: Dice): CalculationRequest & { isNote: true } {
  const sold = invoice.calculation.lines.filter(({ gross }) => gross.isPositive());
  const isPart = sold.length > 0 && dice.chance(50);
  const request = isPart ? { lines: [{ position: dice.pick(sold).position }] } : {};
  const { terms } = invoice.credit(request);
  return {
    currency: invoice.calculation.total.currency,
    pricesIncludeTax: true,
    lines: terms.lines,
    discounts: [],
    charges: [],
    cashRounding: null,
    roundingMinor: terms.roundingMinor,
    taxes: terms.taxes,
    isNote: true,
  };
}

/** Of some invoices a part came in before the issue, of a few all or more. */
function prepaidOf(total: Money, dice: Dice): Money {
  const percent = dice.pick([0, 0, 0, 30, 50, 100, 120]);
  return Money.of((total.minor * BigInt(percent)) / 100n, total.currency);
}

/** Of some credit notes: they were made of an invoice. */
const OF_INVOICE = {
  relation: 'credit',
  documentId: '01930000-0000-7000-8000-000000000004',
} as const;

/** Parties, dates and references around the figures. */
function said(
  request: CalculationRequest & { isNote?: true },
  dice: Dice,
  market: Market,
): Omit<ViewWish, keyof CalculationRequest> {
  const isNote = request.isNote === true;
  const { seller, customer } = MARKETS[market];
  const { taxGroups, total } = calculate(request);
  const isOutside = taxGroups.some(({ category }) => category === 'O');
  const kind = isNote ? 'credit_note' : 'invoice';
  const isMaybe = <T>(value: T) => (dice.chance(40) ? value : null);
  const shipping = { name: 'Lager 2', ...customer.shipTo };
  const cashDiscounts =
    isNote || dice.chance(60)
      ? []
      : [
          { percent: '3', days: 7, lapsesAt: new Date('2026-11-28T00:00:00Z') },
          { percent: '1.5', days: 10, lapsesAt: new Date('2026-12-01T00:00:00Z') },
        ];
  return {
    state: {
      kind,
      cashDiscounts,
      ...(isNote
        ? { number: 'CN-00007', dueDate: null, ...(dice.chance(50) && { origin: OF_INVOICE }) }
        : { amountPrepaid: prepaidOf(total, dice) }),
    },
    seller: {
      ...seller,
      ...(dice.chance(30) && { identifiers: [{ scheme: '0088', value: '4012345000009' }] }),
      ...(dice.chance(30) && { legal_information: 'HRB 1, Direktor: A. Cme' }),
      ...(isOutside && { tax_id: null, tax_ids: [] }),
    },
    customer: {
      ...customer.party,
      ...(dice.chance(30) && { identifiers: [{ scheme: '0060', value: '123456789' }] }),
      ...(isOutside && { tax_id: null }),
    },
    content: {
      purchaseOrder: isMaybe('PO-4711'),
      notes: isMaybe(dice.pick(TEXTS)),
      details: {
        ...NO_DETAILS,
        payment_means_code: dice.pick([null, null, '58', '30', '10', '31', '42', '20']),
        ...furtherDetails(dice, {
          isNote,
          currency: request.currency,
          types: MARKETS[market].types,
        }),
        ...(market === 'FR' && { supply_nature: 'goods', subject_notes: [...MARKETS.FR.notes] }),
        buyer_reference: '04011000-12345-03',
        supply_date: isMaybe('2026-11-18') ?? (dice.chance(50) ? '2026-11-19' : null),
        service_period: { start: '2026-11-01', end: '2026-11-30' },
        delivery: isMaybe(shipping),
        project_reference: isMaybe('P-2026-17'),
        contract_reference: isMaybe('V-4711'),
        sales_order: isMaybe('SO-1001'),
        despatch_reference: isMaybe('LS-88'),
        payee: isMaybe({
          name: 'Factoring AG',
          id: 'F-1',
          id_scheme: '0060',
          registration_id: 'HRB 77',
        }),
        preceding_invoice: isNote ? { number: 'INV-00001', issue_date: '2026-11-01' } : null,
      },
    },
  };
}
