import { ApiProperty } from '@nestjs/swagger';
import {
  AmountMinor,
  CurrencyCode,
  InstantText,
  NestedList,
  OneOf,
  Paragraph,
  Text,
} from '../../platform/http/validation/fields.js';
import { MOST_DOCUMENTS } from '../application/allocated-payments.service.js';
import { REFUND_MEANINGS, type RefundMeaningName } from '../domain/refunds/refund-meaning.js';
import { PaymentBody, PaymentDetailBody, PaymentTermsRequest } from './payment.dto.js';
import { PaymentWarningBody } from './payment-warnings.dto.js';

export class AllocationRequest {
  @Text({ max: 40, example: 'doc_01h455vb4pex5vsknk084sn02q' })
  document_id!: string;

  @AmountMinor({ optional: true, description: 'Default: what is due, as far as the money goes.' })
  amount?: number;
}

export class RecordReceiptRequest extends PaymentTermsRequest {
  @Text({ max: 40, optional: true, description: 'Default: the customer of the documents.' })
  customer_id?: string;

  @NestedList(() => AllocationRequest, {
    max: MOST_DOCUMENTS,
    optional: true,
    description: 'The documents that it pays. The rest becomes the customer’s credit.',
  })
  allocations?: AllocationRequest[];

  @OneOf(['oldest_first', 'none'], {
    optional: true,
    description:
      '`oldest_first` pays the invoices that are due first. Send this or allocations. ' +
      'Default: `none`.',
  })
  allocate?: 'oldest_first' | 'none';
}

const PLACE = { description: 'A document’s id, or `credit` for the customer’s credit.', max: 40 };

export class MoveRequest {
  @Text({ ...PLACE, example: 'credit' })
  from!: string;

  @Text({ ...PLACE, example: 'doc_01h455vb4pex5vsknk084sn02q' })
  to!: string;

  @AmountMinor({ optional: true, description: 'Default: all that can be moved.' })
  amount?: number;

  @InstantText({ optional: true, description: 'The day that it counts for. Default: now.' })
  moved_at?: string;
}

export class ReverseRequest {
  @Paragraph({ max: 2000, min: 0, optional: true, example: 'Booked twice' })
  reason?: string;

  @InstantText({ optional: true, description: 'The day that it counts for. Default: now.' })
  reversed_at?: string;
}

export class ChangedPaymentBody extends PaymentDetailBody {
  @ApiProperty({ type: [PaymentWarningBody], required: false }) warnings?: PaymentWarningBody[];
}

class PaidDocumentBody {
  @ApiProperty() id!: string;
  @ApiProperty({ type: String, nullable: true }) number!: string | null;
  @ApiProperty({ description: 'What this payment pays of the document.' }) applied!: number;
  @ApiProperty({ description: 'All that was paid on the document so far.' }) amount_paid!: number;
  @ApiProperty() amount_due!: number;
  @ApiProperty() status!: string;
}

export class RecordedReceiptBody {
  @ApiProperty({ enum: [true] }) success!: true;
  @ApiProperty({ type: PaymentBody }) payment!: PaymentBody;
  @ApiProperty({ type: [PaidDocumentBody] }) documents!: PaidDocumentBody[];
  @ApiProperty({ description: 'What no document took. It is now credit.' }) credited!: number;
  @ApiProperty({ type: [PaymentWarningBody], required: false }) warnings?: PaymentWarningBody[];
}

class ToleranceBody {
  @CurrencyCode()
  currency!: string;

  @AmountMinor({ zero: true, description: 'In minor units.', example: 50 })
  amount!: number;
}

export class PatchPaymentSettingsRequest {
  @NestedList(() => ToleranceBody, {
    min: 0,
    max: 200,
    optional: true,
    description:
      'A document counts as paid if no more than this is missing, and no more than a tenth ' +
      'of its total. The list is replaced as a whole.',
  })
  underpayment_tolerance?: ToleranceBody[];

  @OneOf(REFUND_MEANINGS, {
    optional: true,
    description:
      'What a refund means that does not say it. null: nobody says it, and what went back is due and ' +
      'not asked for.',
  })
  refund_meaning?: RefundMeaningName | null;
}

export class PaymentSettingsBody {
  @ApiProperty({ type: [ToleranceBody] }) underpayment_tolerance!: ToleranceBody[];
  @ApiProperty({
    enum: REFUND_MEANINGS,
    description: 'What a refund means that does not say it. Default: `owed_again`.',
  })
  refund_meaning!: string;
  @ApiProperty({
    description:
      'Whether you have set it. Until then nobody is asked or reminded for what went back.',
  })
  refund_meaning_set!: boolean;
  @ApiProperty() version!: number;
}
