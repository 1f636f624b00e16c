import { calculate } from '../../src/documents/domain/calculation/calculation.js';
import type {
  CalculationRequest,
  LineRequest,
} from '../../src/documents/domain/calculation/calculation-request.js';
import { Document } from '../../src/documents/domain/document.js';
import { NO_DETAILS } from '../../src/documents/domain/document-details.js';
import type { DocumentState } from '../../src/documents/domain/document-state.js';
import {
  type DocumentContent,
  type DocumentView,
  documentView,
  NO_RELATIONS,
  type DocumentRelations,
} from '../../src/documents/domain/document-view.js';
import {
  type Buyer,
  buyerOf,
  type Seller,
  sellerOf,
} from '../../src/documents/domain/parties/party.js';
import { paymentReferenceOf } from '../../src/documents/domain/payment-reference.js';
import { Money } from '../../src/kernel/money.js';

const NOW = new Date('2026-11-20T12:00:00Z');

export interface ViewWish extends Partial<CalculationRequest> {
  state?: Partial<DocumentState>;
  seller?: Partial<Seller>;
  customer?: Partial<Buyer>;
  content?: Partial<DocumentContent>;
  relations?: Partial<DocumentRelations>;
}

export const aLine = (over: Partial<LineRequest> = {}): LineRequest => ({
  description: 'Consulting',
  quantity: '1',
  ...(over.unitAmountDecimal === undefined && { unitAmountMinor: 10_000n }),
  taxRate: '19',
  ...over,
});

/** A document as it is printed, without a database: an open invoice over 119.00 unless wished. */
export function aView(wish: ViewWish = {}): DocumentView {
  const { state, seller, customer, content, relations, ...request } = wish;
  const figures = calculate({
    currency: 'EUR',
    pricesIncludeTax: false,
    lines: [aLine()],
    discounts: [],
    charges: [],
    cashRounding: null,
    ...request,
  });
  const { total } = figures;
  const zero = Money.zero(total.currency);
  const document = new Document(
    {
      accountId: '01930000-0000-7000-8000-000000000001',
      id: '01930000-0000-7000-8000-000000000002',
      kind: 'invoice',
      proforma: false,
      lifecycle: 'open',
      series: null,
      number: 'INV-00001',
      numbered: null,
      numberBefore: null,
      externalId: null,
      currency: total.currency,
      customerId: '01930000-0000-7000-8000-000000000003',
      issueDate: '2026-11-20',
      dueDate: '2026-12-04',
      paymentTermsDays: 14,
      collectionMethod: null,
      cashDiscounts: [],
      lapsesAt: new Date('2026-12-05T00:00:00Z'),
      netTotal: figures.netTotal,
      taxTotal: figures.taxTotal,
      rounding: figures.rounding,
      total,
      amountPaid: zero,
      amountPrepaid: zero,
      taxRelief: null,
      amountRefunded: zero,
      amountUndecided: zero,
      amountWaived: zero,
      amountDisputed: zero,
      amountProcessing: zero,
      amountCredited: zero,
      creditNotesTotal: zero,
      amountApplied: zero,
      amountMoved: zero,
      origin: null,
      revision: 1,
      acceptedAt: null,
      acceptedBy: null,
      rejection: null,
      convertedAt: null,
      writtenOffAt: null,
      settledAt: null,
      version: 2,
      eventSequence: 2,
      createdAt: NOW,
      updatedAt: NOW,
      issuedAt: NOW,
      voidedAt: null,
      ...state,
    },
    NOW,
  );
  return documentView(
    document,
    {
      ...figures,
      seller: sellerOf({ name: 'Acme Studio', ...seller }),
      customer: buyerOf({ name: 'Globex', ...customer }),
      language: null,
      pricesIncludeTax: request.pricesIncludeTax ?? false,
      cashRounding: request.cashRounding ?? null,
      purchaseOrder: null,
      details: NO_DETAILS,
      paymentReference: paymentReferenceOf(document.state, content?.details ?? NO_DETAILS),
      notes: null,
      metadata: {},
      ...content,
    },
    { ...NO_RELATIONS, ...relations },
  );
}
