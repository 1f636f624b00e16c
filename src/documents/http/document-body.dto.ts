import { ApiProperty } from '@nestjs/swagger';
import { BothOf } from '../../platform/http/validation/composed-bodies.js';
import { CountedEnds } from '../../platform/http/paging.js';
import { DOCUMENT_ACTIONS } from '../domain/available-actions.js';
import { type CollectionMethod, COLLECTION_METHODS } from '../domain/collection-method.js';
import { TAX_CATEGORIES } from '../domain/calculation/calculation-request.js';
import { ORIGIN_RELATIONS } from '../domain/document-state.js';
import { DOCUMENT_REFUND_STATUSES } from '../domain/refunded-money.js';
import { DOCUMENT_KINDS, DOCUMENT_STATUSES } from '../domain/lifecycle.js';
import { RULE_CODES } from '../domain/legal/invoice-rule.js';
import { CashDiscountTermBody } from './cash-discount.dto.js';
import { DocumentDetailsBody, LineDetailsBody } from './document-details.dto.js';
import { BuyerBody, SellerBody } from './party.dto.js';
import { ExpandedBody } from './document-expansions.js';

const NULLABLE_TEXT = { type: String, nullable: true } as const;
const NULLABLE_DATE = { ...NULLABLE_TEXT, format: 'date' } as const;
const NULLABLE_INSTANT = { ...NULLABLE_TEXT, format: 'date-time' } as const;

export class AdjustmentBody {
  @ApiProperty({ ...NULLABLE_TEXT, example: '10' }) percent!: string | null;
  @ApiProperty({ description: 'With tax where prices include it.' })
  amount!: number;
  @ApiProperty(NULLABLE_TEXT) reason!: string | null;
}

class ShareBody {
  @ApiProperty({ enum: TAX_CATEGORIES }) tax_category!: string;
  @ApiProperty({ example: '19' }) tax_rate!: string;
  @ApiProperty() amount!: number;
  @ApiProperty({ description: 'Without tax.' }) net_amount!: number;
}

export class DocumentAdjustmentBody extends AdjustmentBody {
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Only charges with their own tax have it.' })
  tax_category!: string | null;
  @ApiProperty(NULLABLE_TEXT) tax_rate!: string | null;
  @ApiProperty({ type: [ShareBody], description: 'How the amount is spread over the taxes.' })
  shares!: ShareBody[];
}

export class LineBody extends LineDetailsBody {
  @ApiProperty({
    ...NULLABLE_TEXT,
    example: 'line_01h455vb4pex5vsknk084sn02q',
    description: 'It stays, if it is sent again when a draft changes. Null in a preview.',
  })
  id!: string | null;
  @ApiProperty() position!: number;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The line in your own books.' })
  external_id!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Your number of what is sold (BT-155).' })
  sku!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  metadata!: Record<string, string>;
  @ApiProperty({
    ...NULLABLE_TEXT,
    example: 'prod_01h455vb4pex5vsknk084sn02q',
    description: 'The item that it copied what it did not say from.',
  })
  item_id!: string | null;
  @ApiProperty({
    ...NULLABLE_TEXT,
    example: 'txr_01h455vb4pex5vsknk084sn02q',
    description: 'The tax rate that it has its tax from. What was copied stays.',
  })
  tax_rate_id!: string | null;
  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'On a credit note: the line of the invoice that it takes from.',
  })
  credited_line_id!: string | null;
  @ApiProperty() description!: string;
  @ApiProperty({ example: '2' }) quantity!: string;
  @ApiProperty({ example: 'HUR' }) unit!: string;
  @ApiProperty({ example: '12500' }) unit_amount_decimal!: string;
  @ApiProperty({ example: '19' }) tax_rate!: string;
  @ApiProperty({ enum: TAX_CATEGORIES }) tax_category!: string;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why there is no tax (BT-120).' })
  tax_exemption_reason!: string | null;
  @ApiProperty({ description: 'Quantity times price, rounded.' }) subtotal!: number;
  @ApiProperty({ type: [AdjustmentBody] }) discounts!: AdjustmentBody[];
  @ApiProperty({ type: [AdjustmentBody] }) charges!: AdjustmentBody[];
  @ApiProperty({ description: 'After discounts and charges, with tax where prices include it.' })
  amount!: number;
  @ApiProperty({ description: 'The same amount without tax.' }) net_amount!: number;
}

class TaxShareBody {
  @ApiProperty({ enum: TAX_CATEGORIES }) tax_category!: string;
  @ApiProperty({ example: '19' }) tax_rate!: string;
  @ApiProperty() taxable_amount!: number;
  @ApiProperty() tax_amount!: number;
}

export class TaxGroupBody extends TaxShareBody {
  @ApiProperty({ ...NULLABLE_TEXT, description: 'A VATEX code (BT-121).' }) exemption_code!:
    | string
    | null;
  @ApiProperty(NULLABLE_TEXT) exemption_reason!: string | null;
}

/** Every figure of a document. Amounts are integers in minor units. */
export class FiguresBody {
  @ApiProperty({ type: [LineBody] }) lines!: LineBody[];
  @ApiProperty({ type: [DocumentAdjustmentBody] }) discounts!: DocumentAdjustmentBody[];
  @ApiProperty({ type: [DocumentAdjustmentBody] }) charges!: DocumentAdjustmentBody[];
  @ApiProperty({ type: [TaxGroupBody] }) tax_groups!: TaxGroupBody[];
  @ApiProperty({ description: 'The sum of the lines without tax.' }) subtotal!: number;
  @ApiProperty() discount_total!: number;
  @ApiProperty() charge_total!: number;
  @ApiProperty() net_total!: number;
  @ApiProperty() tax_total!: number;
  @ApiProperty({ description: 'By cash rounding; it may be negative.' }) rounding_amount!: number;
  @ApiProperty() total!: number;
}

export class CashDiscountBody extends CashDiscountTermBody {
  @ApiProperty({ ...NULLABLE_DATE, description: 'The last day; null before the issue.' })
  until!: string | null;
  @ApiProperty({ description: 'What it takes off the total.' }) amount!: number;
  @ApiProperty({ description: 'The total less it.' }) total!: number;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'What settles the document with it now; null: it is late, or nothing is due.',
  })
  amount_due!: number | null;
}

export class LossBody {
  @ApiProperty({ description: 'What was written off, or let pass within the tolerance.' })
  amount!: number;
  @ApiProperty({ description: 'Whether its tax is claimed back.' }) tax_relief!: boolean;
  @ApiProperty({ type: [TaxShareBody], description: 'The tax in it, by rate.' })
  taxes!: TaxShareBody[];
  @ApiProperty({ description: 'The rest, such as a part of the cash rounding.' })
  untaxed_amount!: number;
}

class RejectionBody {
  @ApiProperty() reason!: string;
  @ApiProperty({ description: 'The version that the client saw.' }) version!: number;
}

class RelatedDocumentBody {
  @ApiProperty({ enum: ORIGIN_RELATIONS }) relation!: string;
  @ApiProperty({ example: 'doc_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty(NULLABLE_TEXT) number!: string | null;
}

class StatusTransitionsBody {
  @ApiProperty(NULLABLE_INSTANT) issued_at!: string | null;
  @ApiProperty(NULLABLE_INSTANT) accepted_at!: string | null;
  @ApiProperty(NULLABLE_INSTANT) rejected_at!: string | null;
  @ApiProperty(NULLABLE_INSTANT) expired_at!: string | null;
  @ApiProperty(NULLABLE_INSTANT) converted_at!: string | null;
  @ApiProperty(NULLABLE_INSTANT) paid_at!: string | null;
  @ApiProperty(NULLABLE_INSTANT) written_off_at!: string | null;
  @ApiProperty(NULLABLE_INSTANT) voided_at!: string | null;
}

class AvailableActionBody {
  @ApiProperty({ enum: DOCUMENT_ACTIONS }) action!: string;
  @ApiProperty() available!: boolean;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why not: the code of its refusal.' })
  code!: string | null;
  @ApiProperty(NULLABLE_TEXT) reason!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'What to do instead.' }) way_out!: string | null;
}

class LastIssuedBody {
  @ApiProperty({ example: 'doc_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ example: 'INV-00001' }) number!: string;
  @ApiProperty({ format: 'date' }) issue_date!: string;
}

/** Something was done as asked that may not have been meant. */
export class DocumentWarningBody {
  @ApiProperty({
    enum: [
      ...(['date_before_last_issued', 'characters_not_printable', 'payment_processing'] as const),
      ...RULE_CODES,
    ],
  })
  code!: string;
  @ApiProperty({ description: 'For people; programs branch on `code`.' }) message!: string;
  @ApiProperty({ example: '/issue_date', description: 'A JSON pointer into the document.' })
  pointer!: string;
  @ApiProperty({
    type: LastIssuedBody,
    required: false,
    description: 'The document with the number before, if that is later.',
  })
  last_issued?: LastIssuedBody;
  @ApiProperty({
    type: [String],
    required: false,
    description: 'The characters that no font has: they would be printed as empty boxes.',
  })
  characters?: string[];
  @ApiProperty({
    required: false,
    example: 'BR-AE-02',
    description: 'The rule of EN 16931, or the article of the law, that the document breaks.',
  })
  rule?: string;
}

/** A document. Amounts are integers in minor units. */
export class DocumentBody extends BothOf(FiguresBody, DocumentDetailsBody) {
  @ApiProperty({ example: 'doc_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ enum: DOCUMENT_KINDS }) kind!: string;
  @ApiProperty({ description: 'A quote that is titled as a proforma invoice.' }) proforma!: boolean;
  @ApiProperty({ enum: DOCUMENT_STATUSES }) status!: string;
  @ApiProperty({
    enum: DOCUMENT_REFUND_STATUSES,
    description: 'How much of what was paid went back: `amount_refunded` of `amount_paid`.',
  })
  refund_status!: string;
  @ApiProperty({ ...NULLABLE_TEXT, example: 'INV-00001' }) number!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, example: 'invoice', description: 'The number series.' })
  series_id!: string | null;
  @ApiProperty(NULLABLE_TEXT) external_id!: string | null;
  @ApiProperty() version!: number;
  @ApiProperty({ description: 'The first version is 1.' }) revision!: number;
  @ApiProperty({ example: 'EUR' }) currency!: string;
  @ApiProperty() customer_id!: string;
  @ApiProperty({ type: BuyerBody }) customer!: BuyerBody;
  @ApiProperty({ type: SellerBody }) seller!: SellerBody;
  @ApiProperty(NULLABLE_DATE) issue_date!: string | null;
  @ApiProperty(NULLABLE_DATE) due_date!: string | null;
  @ApiProperty({
    enum: COLLECTION_METHODS,
    nullable: true,
    description: 'Null: as the mandate of the customer says, if there is one.',
  })
  collection_method!: CollectionMethod | null;
  @ApiProperty({
    type: [CashDiscountBody],
    description: 'Reductions for those who pay early, the first of them first.',
  })
  cash_discounts!: CashDiscountBody[];
  @ApiProperty() is_overdue!: boolean;
  @ApiProperty(NULLABLE_TEXT) language!: string | null;
  @ApiProperty({
    example: 'de-AT',
    description: 'What its PDF is printed in: `en` for a language that the service does not have.',
  })
  printed_language!: string;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The buyer’s order number (BT-13).' })
  purchase_order!: string | null;
  @ApiProperty({
    ...NULLABLE_TEXT,
    description:
      'The reference of an issued invoice (ISO 11649). Bank transfers are matched by it.',
    example: 'RF25INV00001',
  })
  payment_reference!: string | null;
  @ApiProperty(NULLABLE_TEXT) notes!: string | null;
  @ApiProperty() prices_include_tax!: boolean;
  @ApiProperty({ type: Number, nullable: true }) cash_rounding!: number | null;
  @ApiProperty({ description: 'All that was paid, before refunds.' }) amount_paid!: number;
  @ApiProperty({ description: 'What was refunded.' }) amount_refunded!: number;
  @ApiProperty({
    description:
      'The part of `amount_due` that was refunded, and nobody has said whether it is owed again. ' +
      'Nobody is asked for it: `POST refunds/{id}/meaning` decides.',
  })
  amount_undecided!: number;
  @ApiProperty({ description: 'A shortfall that was within the account’s tolerance.' })
  amount_waived!: number;
  @ApiProperty({ description: 'The part of what was paid that payers dispute at providers.' })
  amount_disputed!: number;
  @ApiProperty({
    description: 'What providers have on its way, by payment links; nothing of it is paid yet.',
  })
  amount_processing!: number;
  @ApiProperty({ description: 'What credit notes have taken off.' }) amount_credited!: number;
  @ApiProperty({ description: 'What credit notes may still take; 0 where there may be none.' })
  amount_creditable!: number;
  @ApiProperty({ description: 'What is asked for. The sum over a list is the receivables.' })
  amount_due!: number;
  @ApiProperty({ description: 'What was given up, and may still be paid.' })
  amount_written_off!: number;
  @ApiProperty({
    type: LossBody,
    nullable: true,
    description: 'What was given up of it, with the tax in it; null: nothing.',
  })
  loss!: LossBody | null;
  @ApiProperty({ description: 'By how much a credit note has reduced what its invoice is due.' })
  amount_applied!: number;
  @ApiProperty({
    description: 'The part of amount_applied for money of the invoice that went back to the payer.',
  })
  amount_given_back!: number;
  @ApiProperty({ description: 'What of a credit note became credit of the customer.' })
  amount_to_credit!: number;
  @ApiProperty({ type: RelatedDocumentBody, nullable: true })
  origin!: RelatedDocumentBody | null;
  @ApiProperty({ type: [RelatedDocumentBody], description: 'What was made from it.' })
  follow_ups!: RelatedDocumentBody[];
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The name that the client gave.' })
  accepted_by!: string | null;
  @ApiProperty({ type: RejectionBody, nullable: true }) rejection!: RejectionBody | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  metadata!: Record<string, string>;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ format: 'date-time', description: 'When anything of it changed last.' })
  updated_at!: string;
  @ApiProperty({ type: StatusTransitionsBody, description: 'When each step was taken, if it was.' })
  status_transitions!: StatusTransitionsBody;
  @ApiProperty({ type: [AvailableActionBody] }) available_actions!: AvailableActionBody[];
  @ApiProperty({
    type: ExpandedBody,
    required: false,
    description: 'Only if `expand` asked for it.',
  })
  expanded?: ExpandedBody;
  @ApiProperty({
    type: [DocumentWarningBody],
    required: false,
    description:
      'Only the answer that issues the document has them; `validate` finds most of them again.',
  })
  warnings?: DocumentWarningBody[];
}

export class DocumentPage extends CountedEnds {
  @ApiProperty({ type: [DocumentBody] }) data!: DocumentBody[];
}
