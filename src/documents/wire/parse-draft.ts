import { type Uuid, uuidOf } from '../../kernel/ids.js';
import type { NewDocument } from '../domain/drafts/draft-request.js';
import type { NewCreditNote } from '../application/credit-notes.service.js';
import type { CopyRequest } from '../application/document-steps.service.js';
import type { AdjustmentRequest, LineRequest } from '../domain/calculation/calculation-request.js';
import type { SaidDetails, SaidLineDetails } from '../domain/document-details.js';
import type { DraftChange } from '../domain/drafts/draft-request.js';
import { NO_ADDRESS } from '../domain/parties/party.js';
import { itemIdIn, taxRateIdIn } from './catalogue/catalogue-ids.js';
import { toCashDiscounts } from './cash-discount.js';
import { type MergePatch, toBuyer, withoutNulls } from './customer.js';
import type { CreateCreditNoteRequest } from './steps/credit-note.js';
import { DocumentDetailsRequest } from './document-details.js';
import { FurtherLineDetails } from './further-details.js';
import type {
  AdjustmentRequestBody,
  CreateDocumentRequest,
  DocumentChargeRequestBody,
  LineRequestBody,
  PatchDocumentRequest,
} from './document.js';
import type { CopyDocumentRequest } from './steps/document-steps.js';
import { prepaymentsIn } from './prepayment.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { DocumentRefusal } from '../domain/refusals.js';

/** It names nobody, and stands for text in a body that is no id of ours. */
const NOBODY: Uuid = '00000000-0000-0000-0000-000000000000';

/** Translates a request for the domain. */
export function toNewDocument(body: CreateDocumentRequest): NewDocument {
  assertSaidOnce(body);
  const { customer } = body;
  return {
    kind: body.kind ?? 'invoice',
    proforma: proformaOf(body),
    ...(body.currency && { currency: body.currency }),
    ...(customer && { customer: toBuyer(customer) }),
    ...(body.customer_id && { customerId: uuidOf('cus', body.customer_id) ?? NOBODY }),
    lines: body.lines.map(toLineRequest),
    discounts: discountsOf(body),
    charges: (body.charges ?? []).map(toAdjustment),
    pricesIncludeTax: body.prices_include_tax ?? false,
    cashRounding: body.cash_rounding == null ? null : BigInt(body.cash_rounding),
    ...(body.rounding_amount != null && { roundingMinor: BigInt(body.rounding_amount) }),
    issueDate: body.issue_date ?? null,
    dueDate: body.due_date ?? null,
    ...(body.payment_terms_days != null && { paymentTermsDays: body.payment_terms_days }),
    ...(body.cash_discounts && { cashDiscounts: toCashDiscounts(body.cash_discounts) }),
    collectionMethod: body.collection_method ?? null,
    purchaseOrder: body.purchase_order ?? null,
    details: toDetails(body),
    ...(body.notes !== undefined && { notes: body.notes }),
    ...(body.language && { language: body.language }),
    metadata: body.metadata ?? {},
    externalId: body.external_id ?? null,
    series: body.series_id ?? null,
    issue: body.issue ?? false,
    number: body.number ?? null,
    prepayments: prepaymentsIn(body),
  };
}

/**
 * Translates a JSON Merge Patch (RFC 7396), one level deep: an absent field stays, null empties it.
 */
export function toChange(body: PatchDocumentRequest): DraftChange {
  assertSaidOnce(body);
  assertNotEmptied(body);
  const change: DraftChange = {};
  const details = toDetails(body);
  if (Object.keys(details).length > 0) change.details = details;
  if (body.currency) change.currency = body.currency;
  if (body.customer) change.customer = toBuyer(body.customer);
  if (body.customer_id) change.customerId = uuidOf('cus', body.customer_id) ?? NOBODY;
  if (body.lines) change.lines = body.lines.map(toLineRequest);
  if (body.discount !== undefined || body.discounts !== undefined) {
    change.discounts = discountsOf(body);
  }
  if (body.charges !== undefined) change.charges = (body.charges ?? []).map(toAdjustment);
  if (body.prices_include_tax !== undefined) {
    change.pricesIncludeTax = body.prices_include_tax ?? false;
  }
  const { cash_rounding: coin, rounding_amount: rounding } = body;
  // The one that is said takes the place of the other.
  if (coin !== undefined || rounding != null)
    change.cashRounding = coin == null ? null : BigInt(coin);
  if (rounding !== undefined || coin != null) {
    change.roundingMinor = rounding == null ? null : BigInt(rounding);
  }
  if (body.issue_date !== undefined) change.issueDate = body.issue_date;
  if (body.due_date !== undefined) change.dueDate = body.due_date;
  if (body.payment_terms_days !== undefined) {
    change.paymentTermsDays = body.payment_terms_days;
    change.dueDate ??= null;
  }
  if (body.cash_discounts !== undefined) {
    change.cashDiscounts = toCashDiscounts(body.cash_discounts ?? []);
  }
  if (body.collection_method !== undefined) change.collectionMethod = body.collection_method;
  if (body.purchase_order !== undefined) change.purchaseOrder = body.purchase_order;
  if (body.notes !== undefined) change.notes = body.notes;
  if (body.language !== undefined) change.language = body.language;
  if (body.external_id !== undefined) change.externalId = body.external_id;
  if (body.series_id !== undefined) change.series = body.series_id;
  if (body.metadata !== undefined) change.metadata = body.metadata ?? {};
  return change;
}

/** A document always has these fields, so null is refused. */
function assertNotEmptied(body: PatchDocumentRequest): void {
  for (const field of ['currency', 'customer', 'customer_id'] as const) {
    if (body[field] !== null) continue;
    throw FieldRefusal.required.at(`/${field}`, `${field} cannot be emptied; leave it out.`);
  }
}

export function toCopy(body: CopyDocumentRequest): CopyRequest {
  assertSaidOnce(body);
  return {
    issueDate: body.issue_date ?? null,
    dueDate: body.due_date ?? null,
    ...(body.payment_terms_days != null && { paymentTermsDays: body.payment_terms_days }),
    issue: body.issue ?? false,
    prepayments: prepaymentsIn(body),
  };
}

/** @param at the pointer to the body, where it is a part of another one */
export function toNewCreditNote(body: CreateCreditNoteRequest, at = ''): NewCreditNote {
  assertSaidOnce(body, at);
  return {
    lines:
      body.lines?.map(({ position, quantity, amount }) => ({
        position,
        ...(quantity != null && { quantity: String(quantity) }),
        ...(amount != null && { amountMinor: BigInt(amount) }),
      })) ?? null,
    amountMinor: body.amount == null ? null : BigInt(body.amount),
    issueDate: body.issue_date ?? null,
    notes: body.notes ?? null,
    metadata: body.metadata ?? {},
    externalId: body.external_id ?? null,
  };
}

/** There are two ways to say one thing, and a request may use only one of them. */
function assertSaidOnce(body: object, at = ''): void {
  const said = body as Record<string, unknown>;
  const pairs = [
    ['customer', 'customer_id'],
    ['due_date', 'payment_terms_days'],
    ['discount', 'discounts'],
    ['series_id', 'number'],
    ['lines', 'amount'],
    ['cash_rounding', 'rounding_amount'],
  ] as const;
  for (const [one, other] of pairs) {
    if (said[one] == null || said[other] == null) continue;
    throw FieldRefusal.said_twice.at(`${at}/${other}`, `Send either ${one} or ${other}.`);
  }
  const lines = (said['lines'] as object[] | null | undefined) ?? [];
  lines.forEach((line, index) => assertSaidOnce(line, `${at}/lines/${index}`));
}

function proformaOf({ kind, proforma }: CreateDocumentRequest): boolean {
  if (proforma && kind !== 'quote') {
    throw DocumentRefusal.proforma_is_a_quote.at('/proforma');
  }
  return proforma ?? false;
}

const GIVEN_DETAILS = Object.keys(DocumentDetailsRequest.shape) as (keyof DocumentDetailsRequest)[];

/** The details that a body gives; null empties one. */
function toDetails(body: MergePatch<DocumentDetailsRequest>): SaidDetails {
  const given = GIVEN_DETAILS.filter((name) => body[name] !== undefined);
  const said = Object.fromEntries(
    given.map((name) => [name, withoutNulls(body[name])]),
  ) as typeof body;
  const { delivery } = said;
  return {
    ...(said as SaidDetails),
    ...(delivery && { delivery: { name: null, ...NO_ADDRESS, ...delivery } }),
    ...toOthers(body),
  };
}

/** The payee and the tax representative, where a body says them; null empties one. */
export function toOthers({
  payee,
  tax_representative: agent,
}: MergePatch<Pick<DocumentDetailsRequest, 'payee' | 'tax_representative'>>) {
  return {
    ...(payee !== undefined && {
      payee: payee && { id: null, registration_id: null, ...withoutNulls(payee) },
    }),
    ...(agent !== undefined && {
      tax_representative: agent && { ...NO_ADDRESS, ...withoutNulls(agent) },
    }),
  };
}

function toLineRequest(line: LineRequestBody): LineRequest {
  return {
    ...(line.id != null && { id: uuidOf('line', line.id) ?? NOBODY }),
    externalId: line.external_id ?? null,
    sku: line.sku ?? null,
    metadata: line.metadata ?? {},
    itemId: line.item_id == null ? null : itemIdIn(line.item_id),
    description: line.description ?? '',
    quantity: String(line.quantity ?? '1'),
    ...(line.unit != null && { unit: line.unit }),
    ...(line.unit_amount != null && { unitAmountMinor: BigInt(line.unit_amount) }),
    ...(line.unit_amount_decimal != null && { unitAmountDecimal: line.unit_amount_decimal }),
    taxRateId: line.tax_rate_id == null ? null : taxRateIdIn(line.tax_rate_id),
    ...toTax(line),
    ...(line.tax_exemption_reason != null && { exemptionReason: line.tax_exemption_reason }),
    details: toLineDetails(line),
    discounts: discountsOf(line),
    charges: (line.charges ?? []).map(toAdjustment),
  };
}

const FURTHER_DETAILS = Object.keys(FurtherLineDetails.shape) as (keyof FurtherLineDetails)[];

function toLineDetails(line: LineRequestBody): SaidLineDetails {
  const { classifications } = line;
  const further = FURTHER_DETAILS.filter((name) => line[name] != null);
  return {
    ...(Object.fromEntries(
      further.map((name) => [name, withoutNulls(line[name])]),
    ) as SaidLineDetails),
    service_period: line.service_period ?? null,
    order_line: line.order_line ?? null,
    buyer_item_id: line.buyer_item_id ?? null,
    standard_item_id: line.standard_item_id ?? null,
    classifications: classifications?.length
      ? classifications.map((one) => ({ ...one, version: one.version ?? null }))
      : null,
    tax_exemption_code: line.tax_exemption_code ?? null,
  };
}

function discountsOf(body: {
  discount?: AdjustmentRequestBody | null;
  discounts?: AdjustmentRequestBody[] | null;
}): AdjustmentRequest[] {
  return (body.discount ? [body.discount] : (body.discounts ?? [])).map(toAdjustment);
}

function toAdjustment(body: DocumentChargeRequestBody): AdjustmentRequest {
  return {
    ...(body.percent != null && { percent: String(body.percent) }),
    ...(body.amount != null && { amountMinor: BigInt(body.amount) }),
    ...(body.reason != null && { reason: body.reason }),
    ...(body.reason_code != null && { reasonCode: body.reason_code }),
    ...toTax(body),
  };
}

function toTax(body: { tax_rate?: string | number; tax_category?: string }) {
  return {
    ...(body.tax_rate != null && { taxRate: String(body.tax_rate) }),
    ...(body.tax_category != null && { taxCategory: body.tax_category }),
  };
}
