import type { AccountRow } from '../../../auth/index.js';
import type { Currency } from '../../../kernel/currency.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Calculation } from '../calculation/calculation.js';
import { agreedDiscounts } from '../cash-discount.js';
import { discountsOf } from './document-defaults.js';
import type { DocumentDetails } from '../document-details.js';
import type { DraftTerms } from '../document-state.js';
import type { DocumentContent, LineView } from '../document-view.js';
import type { DraftRequest } from './draft-request.js';
import type { Customer } from '../parties/customer.js';
import { sellerOf } from '../parties/party.js';

interface Asked extends Omit<DraftRequest, 'details' | 'lines' | 'currency'> {
  currency: Currency;
  details: DocumentDetails;
}

type Billed = Pick<Customer, 'id' | 'profile' | 'paymentTermsDays' | 'cashDiscounts'>;

/**
 * A draft of calculated figures: what its request leaves out is the customer's, else the seller's.
 * Lines without an id get one.
 */
export function draftOf(
  account: AccountRow,
  customer: Billed,
  request: Asked,
  figures: Calculation,
  newId: () => Uuid,
): { terms: DraftTerms; content: DocumentContent } {
  const { notes, language, paymentTermsDays } = request;
  const terms: DraftTerms = {
    proforma: request.proforma,
    series: request.series,
    externalId: request.externalId,
    currency: request.currency,
    customerId: customer.id,
    issueDate: request.issueDate,
    dueDate: request.dueDate,
    paymentTermsDays:
      paymentTermsDays === undefined
        ? (customer.paymentTermsDays ?? account.paymentTermsDays)
        : paymentTermsDays,
    collectionMethod: request.collectionMethod,
    cashDiscounts: agreedDiscounts(discountsOf(request, customer, account)),
    netTotal: figures.netTotal,
    taxTotal: figures.taxTotal,
    rounding: figures.rounding,
    total: figures.total,
  };
  const content: DocumentContent = {
    ...figures,
    lines: figures.lines.map((line): LineView => ({ ...line, id: line.id ?? newId() })),
    seller: sellerOf(account.seller),
    customer: customer.profile,
    language: language === undefined ? (customer.profile.language ?? account.language) : language,
    pricesIncludeTax: request.pricesIncludeTax,
    cashRounding: request.cashRounding,
    purchaseOrder: request.purchaseOrder,
    details: request.details,
    paymentReference: request.details.payment_reference ?? null,
    notes: notes === undefined ? account.documentNotes : notes,
    metadata: request.metadata,
  };
  return { terms, content };
}
