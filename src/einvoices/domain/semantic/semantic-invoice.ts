import type { IsoDate } from '../../../kernel/clock.js';
import type { Currency } from '../../../kernel/currency.js';
import type { Money } from '../../../kernel/money.js';
import type { SemanticLine } from './semantic-line.js';
import type {
  Identifier,
  SemanticAddress,
  SemanticBuyer,
  SemanticPayee,
  SemanticSeller,
  SemanticTaxRepresentative,
} from './semantic-parties.js';
import type { SemanticAdjustment, SemanticPeriod, SemanticTax } from './semantic-terms.js';

/**
 * An invoice as EN 16931-1:2017 means it, apart from any syntax: each field is one business term
 * (BT) or group (BG). The profile of a file, BT-24, is not here: it is of the file.
 */
export interface SemanticInvoice {
  /** BT-1. */
  number: string;
  /** BT-2. */
  issueDate: IsoDate;
  /** BT-3, UNTDID 1001. */
  typeCode: string;
  /** By its type: UBL has another root for those, and some rules hold for one of both. */
  isCreditNote: boolean;
  /** BT-5. */
  currency: Currency;
  /** BT-6. */
  vatAccountingCurrency: Currency | null;
  /** BT-7. */
  taxPointDate: IsoDate | null;
  /** BT-8. */
  taxPointEvent: TaxPointEvent | null;
  /** BT-9. */
  dueDate: IsoDate | null;
  /** BT-10. */
  buyerReference: string | null;
  /** BT-11. */
  projectReference: string | null;
  /** BT-12. */
  contractReference: string | null;
  /** BT-13. */
  purchaseOrder: string | null;
  /** BT-14. */
  salesOrder: string | null;
  /** BT-15. */
  receivingAdvice: string | null;
  /** BT-16. */
  despatchAdvice: string | null;
  /** BT-17. */
  tenderOrLot: string | null;
  /** BT-18. */
  invoicedObject: Identifier | null;
  /** BT-19. */
  buyerAccountingReference: string | null;
  /** BT-20, in words. */
  paymentTerms: string | null;
  /** BT-20, as XRechnung and ZUGFeRD want reductions written. */
  cashDiscounts: SemanticCashDiscount[];
  /** BG-1. */
  notes: SemanticNote[];
  /** BT-23, where the document and not the profile says it, as in France. */
  businessProcess: string | null;
  /** BG-3. */
  precedingInvoices: { number: string; issueDate: IsoDate | null }[];
  /** BG-4. */
  seller: SemanticSeller;
  /** BG-7. */
  buyer: SemanticBuyer;
  /** BG-10. */
  payee: SemanticPayee | null;
  /** BG-11. */
  taxRepresentative: SemanticTaxRepresentative | null;
  /** BG-13. */
  delivery: SemanticDelivery;
  /** BG-16. */
  paymentInstructions: PaymentInstructions | null;
  /** BG-20. */
  allowances: SemanticAdjustment[];
  /** BG-21. */
  charges: SemanticAdjustment[];
  /** BG-22. */
  totals: SemanticTotals;
  /** BG-23. */
  vatBreakdown: VatBreakdown[];
  /** BG-24. */
  supportingDocuments: SupportingDocument[];
  /** BG-25. */
  lines: SemanticLine[];
}

/** The event by which tax becomes due (BT-8); each syntax has codes of its own. */
type TaxPointEvent = 'issue' | 'delivery' | 'payment';

interface SemanticNote {
  /** BT-21, UNTDID 4451. */
  subjectCode: string | null;
  /** BT-22. */
  text: string;
}

interface SemanticCashDiscount {
  percent: string;
  days: number;
  /** The amount that it is a percentage of, where that is not the one due (BT-115). */
  base: Money | null;
  /** The sentence of the paper. */
  words: string;
}

interface SemanticDelivery {
  /** BT-70. */
  name: string | null;
  /** BT-71. */
  location: Identifier | null;
  /** BT-72. */
  date: IsoDate | null;
  /** BG-14. */
  period: SemanticPeriod | null;
  /** BG-15. */
  address: SemanticAddress | null;
}

export interface PaymentInstructions {
  /** BT-81, UNTDID 4461. */
  meansCode: string;
  /** BT-82. */
  meansText: string | null;
  /** BT-83. */
  remittance: string | null;
  /** BG-17. */
  creditTransfers: CreditTransfer[];
  /** BG-18. */
  card: PaymentCard | null;
  /** BG-19. */
  directDebit: DirectDebit | null;
}

export interface CreditTransfer {
  /** BT-84. */
  account: { kind: 'iban' | 'other'; id: string };
  /** BT-85. */
  name: string | null;
  /** BT-86. */
  bic: string | null;
}

interface PaymentCard {
  /** BT-87, masked. */
  number: string;
  /** BT-88. */
  holder: string | null;
}

interface DirectDebit {
  /** BT-89. */
  mandate: string | null;
  /** BT-90. */
  creditorId: string | null;
  /** BT-91. */
  debitedAccount: string | null;
}

interface SemanticTotals {
  /** BT-106. */
  lines: Money;
  /** BT-107. */
  allowances: Money;
  /** BT-108. */
  charges: Money;
  /** BT-109. */
  withoutVat: Money;
  /** BT-110. */
  vat: Money;
  /** BT-111. */
  vatInAccountingCurrency: Money | null;
  /** BT-112. */
  withVat: Money;
  /** BT-113. */
  paid: Money;
  /** BT-114. */
  rounding: Money;
  /** BT-115. */
  due: Money;
}

/** BG-23. */
export interface VatBreakdown {
  /** BT-116. */
  base: Money;
  /** BT-117. */
  vat: Money;
  /** BT-118 and BT-119. */
  tax: SemanticTax;
  /** BT-120. */
  exemptionReason: string | null;
  /** BT-121. */
  exemptionCode: string | null;
}

/** BG-24. */
interface SupportingDocument {
  /** BT-122. */
  reference: string;
  /** BT-123. */
  description: string | null;
  /** BT-124. */
  location: string | null;
  /** BT-125, the bytes in Base64. */
  attachment: { mimeType: string; fileName: string; base64: string } | null;
}
