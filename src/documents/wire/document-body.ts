import { z } from 'zod';
import { answerShape } from '../../platform/http/validation/shapes.js';
import { countedPage } from '../../platform/http/paging.js';
import { DOCUMENT_ACTIONS } from '../domain/available-actions.js';
import { COLLECTION_METHODS } from '../domain/collection-method.js';
import { TAX_CATEGORIES } from '../domain/calculation/tax-categories.js';
import { ORIGIN_RELATIONS } from '../domain/document-state.js';
import { DOCUMENT_REFUND_STATUSES } from '../domain/refunded-money.js';
import { DOCUMENT_KINDS, DOCUMENT_STATUSES } from '../domain/lifecycle.js';
import { RULE_REFUSALS } from '../domain/legal/invoice-rule.js';
import { DocumentRefusal } from '../domain/refusals.js';
import { AttachmentBody } from './attachment.js';
import { CashDiscountTermBody } from './cash-discount.js';
import { DocumentDetailsBody, LineDetailsBody } from './document-details.js';
import { BuyerBody, SellerBody } from './party.js';
import { ExpandedBody } from './expansions.js';
import { nameWords } from '../../platform/http/openapi/words.js';

nameWords({ DocumentRelation: ORIGIN_RELATIONS });

const ADJUSTMENT = {
  percent: z.string().nullable().meta({ example: '10' }),
  amount: z.number().describe('With tax where prices include it.'),
  reason: z.string().nullable(),
  reason_code: z.string().optional().describe('UNTDID 5189 or 7161, where it was said.'),
};

export const AdjustmentBody = answerShape('AdjustmentBody', {
  ...ADJUSTMENT,
  net_amount: z.number().describe('Without tax (BT-136, BT-141).'),
});
export type AdjustmentBody = z.output<typeof AdjustmentBody>;

const ShareBody = answerShape('ShareBody', {
  tax_category: z.string().meta({ enum: TAX_CATEGORIES }),
  tax_rate: z.string().meta({ example: '19' }),
  amount: z.number(),
  net_amount: z.number().describe('Without tax.'),
});
type ShareBody = z.output<typeof ShareBody>;

export const DocumentAdjustmentBody = answerShape('DocumentAdjustmentBody', {
  ...ADJUSTMENT,
  tax_category: z.string().nullable().describe('Only those with their own tax have it.'),
  tax_rate: z.string().nullable(),
  shares: z.array(ShareBody).describe('How the amount is spread over the taxes.'),
});
export type DocumentAdjustmentBody = z.output<typeof DocumentAdjustmentBody>;

export const LineBody = answerShape('LineBody', {
  ...LineDetailsBody.shape,
  id: z.string().nullable().meta({
    example: 'line_01h455vb4pex5vsknk084sn02q',
    description: 'It stays, if it is sent again when a draft changes. Null in a preview.',
  }),
  position: z.number(),
  external_id: z.string().nullable().describe('The line in your own books.'),
  sku: z.string().nullable().describe('Your number of what is sold (BT-155).'),
  metadata: z.record(z.string(), z.string()),
  item_id: z.string().nullable().meta({
    example: 'prod_01h455vb4pex5vsknk084sn02q',
    description: 'The item that it copied what it did not say from.',
  }),
  tax_rate_id: z.string().nullable().meta({
    example: 'txr_01h455vb4pex5vsknk084sn02q',
    description: 'The tax rate that it has its tax from. What was copied stays.',
  }),
  credited_line_id: z
    .string()
    .nullable()
    .describe('On a credit note: the line of the invoice that it takes from.'),
  description: z.string(),
  quantity: z.string().meta({ example: '2' }),
  unit: z.string().meta({ example: 'HUR' }),
  unit_amount_decimal: z.string().meta({ example: '12500' }),
  tax_rate: z.string().meta({ example: '19' }),
  tax_category: z.string().meta({ enum: TAX_CATEGORIES }),
  tax_exemption_reason: z.string().nullable().describe('Why there is no tax (BT-120).'),
  subtotal: z.number().describe('Quantity times price, rounded.'),
  discounts: z.array(AdjustmentBody),
  charges: z.array(AdjustmentBody),
  amount: z.number().describe('After discounts and charges, with tax where prices include it.'),
  net_amount: z.number().describe('The same amount without tax.'),
});
export type LineBody = z.output<typeof LineBody>;

const TaxShareBody = answerShape('TaxShareBody', {
  tax_category: z.string().meta({ enum: TAX_CATEGORIES }),
  tax_rate: z.string().meta({ example: '19' }),
  taxable_amount: z.number(),
  tax_amount: z.number(),
});
type TaxShareBody = z.output<typeof TaxShareBody>;

const TaxGroupBody = answerShape('TaxGroupBody', {
  ...TaxShareBody.shape,
  exemption_code: z.string().nullable().describe('A VATEX code (BT-121).'),
  exemption_reason: z.string().nullable(),
});
type TaxGroupBody = z.output<typeof TaxGroupBody>;

/** Every figure of a document. Amounts are integers in minor units. */
export const FiguresBody = answerShape('FiguresBody', {
  lines: z.array(LineBody),
  discounts: z.array(DocumentAdjustmentBody),
  charges: z.array(DocumentAdjustmentBody),
  tax_groups: z.array(TaxGroupBody),
  subtotal: z.number().describe('The sum of the lines without tax.'),
  discount_total: z.number(),
  charge_total: z.number(),
  net_total: z.number(),
  tax_total: z.number(),
  rounding_amount: z.number().describe('To a coin, or as given; it may be negative (BT-114).'),
  total: z.number(),
});
export type FiguresBody = z.output<typeof FiguresBody>;

export const CashDiscountBody = answerShape('CashDiscountBody', {
  ...CashDiscountTermBody.shape,
  until: z
    .string()
    .nullable()
    .meta({ format: 'date', description: 'The last day; null before the issue.' }),
  amount: z.number().describe('What it takes off the total.'),
  total: z.number().describe('The total less it.'),
  amount_due: z
    .number()
    .nullable()
    .describe('What settles the document with it now; null: it is late, or nothing is due.'),
});
export type CashDiscountBody = z.output<typeof CashDiscountBody>;

export const LossBody = answerShape('LossBody', {
  amount: z.number().describe('What was written off, or let pass within the tolerance.'),
  tax_relief: z.boolean().describe('Whether its tax is claimed back.'),
  taxes: z.array(TaxShareBody).describe('The tax in it, by rate.'),
  untaxed_amount: z.number().describe('The rest, such as a part of the cash rounding.'),
});
export type LossBody = z.output<typeof LossBody>;

const RejectionBody = answerShape('RejectionBody', {
  reason: z.string(),
  version: z.number().describe('The version that the client saw.'),
});
type RejectionBody = z.output<typeof RejectionBody>;

const RelatedDocumentBody = answerShape('RelatedDocumentBody', {
  relation: z.string().meta({ enum: ORIGIN_RELATIONS }),
  id: z.string().meta({ example: 'doc_01h455vb4pex5vsknk084sn02q' }),
  number: z.string().nullable(),
});
type RelatedDocumentBody = z.output<typeof RelatedDocumentBody>;

const StatusTransitionsBody = answerShape('StatusTransitionsBody', {
  issued_at: z.string().nullable().meta({ format: 'date-time' }),
  accepted_at: z.string().nullable().meta({ format: 'date-time' }),
  rejected_at: z.string().nullable().meta({ format: 'date-time' }),
  expired_at: z.string().nullable().meta({ format: 'date-time' }),
  converted_at: z.string().nullable().meta({ format: 'date-time' }),
  paid_at: z.string().nullable().meta({ format: 'date-time' }),
  written_off_at: z.string().nullable().meta({ format: 'date-time' }),
  voided_at: z.string().nullable().meta({ format: 'date-time' }),
});
type StatusTransitionsBody = z.output<typeof StatusTransitionsBody>;

const AvailableActionBody = answerShape('AvailableActionBody', {
  action: z.string().meta({ enum: DOCUMENT_ACTIONS }),
  available: z.boolean(),
  code: z.string().nullable().describe('Why not: the code of its refusal.'),
  reason: z.string().nullable(),
  way_out: z.string().nullable().describe('What to do instead.'),
});
type AvailableActionBody = z.output<typeof AvailableActionBody>;

const LastIssuedBody = answerShape('LastIssuedBody', {
  id: z.string().meta({ example: 'doc_01h455vb4pex5vsknk084sn02q' }),
  number: z.string().meta({ example: 'INV-00001' }),
  issue_date: z.string().meta({ format: 'date' }),
});
type LastIssuedBody = z.output<typeof LastIssuedBody>;

/** Something was done as asked that may not have been meant. */
export const DocumentWarningBody = answerShape('DocumentWarningBody', {
  code: z.string().meta({
    enum: [
      'date_before_last_issued',
      'characters_not_printable',
      'payment_processing',
      'line_amount_differs',
      'tax_amount_differs',
      DocumentRefusal.e_invoice_rule_broken.code,
      ...RULE_REFUSALS.map(({ code }) => code),
    ],
  }),
  message: z.string().describe('For people; programs branch on `code`.'),
  pointer: z
    .string()
    .meta({ example: '/issue_date', description: 'A JSON pointer into the document.' }),
  last_issued: LastIssuedBody.optional().describe(
    'The document with the number before, if that is later.',
  ),
  characters: z
    .array(z.string())
    .optional()
    .describe('The characters that no font has: they would be printed as empty boxes.'),
  rule: z.string().optional().meta({
    example: 'BR-AE-02',
    description:
      'The rule of EN 16931 or of its e-invoice, or the article of the law, that the document breaks.',
  }),
});
export type DocumentWarningBody = z.output<typeof DocumentWarningBody>;

/** A document. Amounts are integers in minor units. */
export const DocumentBody = answerShape('DocumentBody', {
  ...FiguresBody.shape,
  ...DocumentDetailsBody.shape,
  id: z.string().meta({ example: 'doc_01h455vb4pex5vsknk084sn02q' }),
  kind: z.string().meta({ enum: DOCUMENT_KINDS }),
  proforma: z.boolean().describe('A quote that is titled as a proforma invoice.'),
  status: z.string().meta({ enum: DOCUMENT_STATUSES }),
  refund_status: z.string().meta({
    enum: DOCUMENT_REFUND_STATUSES,
    description: 'How much of what was paid went back: `amount_refunded` of `amount_paid`.',
  }),
  number: z.string().nullable().meta({ example: 'INV-00001' }),
  series_id: z.string().nullable().meta({ example: 'invoice', description: 'The number series.' }),
  external_id: z.string().nullable(),
  version: z.number(),
  revision: z.number().describe('The first version is 1.'),
  currency: z.string().meta({ example: 'EUR' }),
  customer_id: z.string(),
  customer: BuyerBody,
  seller: SellerBody,
  issue_date: z.string().nullable().meta({ format: 'date' }),
  due_date: z.string().nullable().meta({ format: 'date' }),
  collection_method: z
    .enum(COLLECTION_METHODS)
    .nullable()
    .describe('Null: as the mandate of the customer says, if there is one.'),
  cash_discounts: z
    .array(CashDiscountBody)
    .describe('Reductions for those who pay early, the first of them first.'),
  is_overdue: z.boolean(),
  language: z.string().nullable(),
  printed_language: z.string().meta({
    example: 'de-AT',
    description: 'What its PDF is printed in: `en` for a language that the service does not have.',
  }),
  purchase_order: z.string().nullable().describe('The buyer’s order number (BT-13).'),
  payment_reference: z
    .string()
    .nullable()
    .meta({
      description:
        'By what a transfer names it (BT-83): your own reference, else that of an issued invoice ' +
        '(ISO 11649). Bank transfers are matched by it.',
      example: 'RF25INV00001',
    }),
  notes: z.string().nullable(),
  prices_include_tax: z.boolean(),
  cash_rounding: z.number().nullable(),
  amount_paid: z.number().describe('All that was paid, before refunds.'),
  amount_prepaid: z
    .number()
    .describe('The part that came before the issue: its paper and e-invoice say it (BT-113).'),
  amount_refunded: z.number().describe('What was refunded.'),
  amount_undecided: z
    .number()
    .describe(
      'The part of `amount_due` that was refunded, and nobody has said whether it is owed again. ' +
        'Nobody is asked for it: `POST refunds/{id}/meaning` decides.',
    ),
  amount_waived: z.number().describe('A shortfall that was within the account’s tolerance.'),
  amount_disputed: z
    .number()
    .describe('The part of what was paid that payers dispute at providers.'),
  amount_processing: z
    .number()
    .describe('What providers have on its way, by payment links; nothing of it is paid yet.'),
  amount_credited: z.number().describe('What credit notes have taken off.'),
  amount_creditable: z
    .number()
    .describe('What credit notes may still take; 0 where there may be none.'),
  amount_due: z.number().describe('What is asked for. The sum over a list is the receivables.'),
  amount_written_off: z.number().describe('What was given up, and may still be paid.'),
  loss: LossBody.nullable().describe('What was given up of it, with the tax in it; null: nothing.'),
  amount_applied: z
    .number()
    .describe('By how much a credit note has reduced what its invoice is due.'),
  amount_given_back: z
    .number()
    .describe('The part of amount_applied for money of the invoice that went back to the payer.'),
  amount_to_credit: z.number().describe('What of a credit note became credit of the customer.'),
  tax_total_in_tax_currency: z
    .number()
    .optional()
    .describe('The tax in minor units of tax_currency, where there is one (BT-111).'),
  attachments: z
    .array(AttachmentBody)
    .optional()
    .describe('What supports it (BG-24), where there is something.'),
  origin: RelatedDocumentBody.nullable(),
  follow_ups: z.array(RelatedDocumentBody).describe('What was made from it.'),
  accepted_by: z.string().nullable().describe('The name that the client gave.'),
  rejection: RejectionBody.nullable(),
  metadata: z.record(z.string(), z.string()),
  created_at: z.string().meta({ format: 'date-time' }),
  updated_at: z
    .string()
    .meta({ format: 'date-time', description: 'When anything of it changed last.' }),
  status_transitions: z
    .lazy(() => StatusTransitionsBody)
    .describe('When each step was taken, if it was.'),
  available_actions: z.array(AvailableActionBody),
  expanded: ExpandedBody.optional().describe('Only if `expand` asked for it.'),
  warnings: z
    .array(DocumentWarningBody)
    .optional()
    .describe(
      'Only the answer that issues the document has them; `validate` finds most of them again.',
    ),
});
export type DocumentBody = z.output<typeof DocumentBody>;

export const DocumentPage = countedPage('DocumentPage', DocumentBody);
export type DocumentPage = z.output<typeof DocumentPage>;
