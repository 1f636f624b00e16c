import { ApiProperty } from '@nestjs/swagger';
import { Money } from '../../kernel/money.js';
import {
  AmountMinor,
  CurrencyCode,
  DateText,
  NestedList,
  OneOf,
  Paragraph,
  Text,
} from '../../platform/http/validation/fields.js';
import { CountedEnds, CountedQuery } from '../../platform/http/paging.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { PAYOUT_LINE_KINDS, type PayoutLineKind } from '../../payments/index.js';
import {
  type Payout,
  PAYOUT_STATUSES,
  type PayoutLine,
  type PayoutStatus,
  type StatedPayout,
} from '../domain/payouts/payout.js';
import { presentPayout, presentPayoutLine } from '../domain/payouts/present-payout.js';

nameWords({ PayoutLineKind: PAYOUT_LINE_KINDS, PayoutStatus: PAYOUT_STATUSES });

const NULLABLE_TEXT = { type: String, nullable: true } as const;
const NULLABLE_DATE = { ...NULLABLE_TEXT, format: 'date' } as const;
/** Of a request; a report of the provider may have more. */
const MOST_LINES = 200;

class PayoutLineRequest {
  @OneOf(PAYOUT_LINE_KINDS)
  kind!: PayoutLineKind;

  @AmountMinor({
    signed: true,
    zero: true,
    description: 'What it added to the payout before its fee; below zero: took off.',
  })
  amount!: number;

  @AmountMinor({
    signed: true,
    zero: true,
    optional: true,
    example: 35,
    description: 'What the provider kept of it. Default: 0.',
  })
  fee?: number;

  @Text({
    max: 255,
    optional: true,
    example: 'pi_3P1',
    description: 'The provider’s id of the payment or refund; ours is found by it.',
  })
  provider_id?: string;
}

export class RecordPayoutRequest {
  @Text({ max: 63, example: 'gateway-a' })
  gateway!: string;

  @Text({ max: 255, example: 'po_1P1', description: 'The provider’s id of the payout.' })
  provider_payout_id!: string;

  @AmountMinor({
    signed: true,
    description: 'What arrives at the bank; below zero: the provider takes it from there.',
  })
  amount!: number;

  @AmountMinor({
    zero: true,
    optional: true,
    example: 25,
    description: 'What the provider takes for the payout itself, beside the amount. Default: 0.',
  })
  fee?: number;

  @CurrencyCode()
  currency!: string;

  @DateText({ description: 'The day on which it left the provider.' })
  sent_on!: string;

  @DateText({ optional: true, description: 'The day on which the bank should have it.' })
  arrives_on?: string;

  @Text({ max: 140, optional: true, description: 'The text with which it comes to the bank.' })
  descriptor?: string;

  @NestedList(() => PayoutLineRequest, {
    max: MOST_LINES,
    optional: true,
    description: 'What it is made of. Less all fees, they sum to the amount.',
  })
  lines?: PayoutLineRequest[];
}

export function statedPayout(body: RecordPayoutRequest): StatedPayout {
  const money = (minor: number) => Money.of(BigInt(minor), body.currency);
  return {
    gateway: body.gateway,
    providerPayoutId: body.provider_payout_id,
    amount: money(body.amount),
    fee: money(body.fee ?? 0),
    sentOn: body.sent_on,
    arrivesOn: body.arrives_on ?? null,
    descriptor: body.descriptor ?? null,
    lines: (body.lines ?? []).map((line) => ({
      kind: line.kind,
      amount: money(line.amount),
      fee: money(line.fee ?? 0),
      providerId: line.provider_id ?? null,
    })),
  };
}

export class ReversePayoutRequest {
  @Paragraph({ max: 500, optional: true, example: 'Recorded for the wrong gateway.' })
  reason?: string;
}

export class FailPayoutRequest {
  @Paragraph({ max: 500, optional: true, example: 'The bank account was closed.' })
  reason?: string;

  @DateText({ optional: true, description: 'The day on which it came back. Default: today.' })
  failed_on?: string;
}

export class ListPayoutsQuery extends CountedQuery {
  @OneOf(PAYOUT_STATUSES, { optional: true })
  status?: PayoutStatus;

  @Text({ max: 63, optional: true, example: 'gateway-a' })
  gateway?: string;

  @CurrencyCode({ optional: true })
  currency?: string;
}

export class PayoutBody {
  @ApiProperty({ example: 'pout_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({
    enum: PAYOUT_STATUSES,
    description:
      '`sent`: on its way. `paid`: a bank entry is it. `failed`: the provider has the money ' +
      'back. `reversed`: it was recorded wrongly.',
  })
  status!: string;
  @ApiProperty() gateway!: string;
  @ApiProperty() provider_payout_id!: string;
  @ApiProperty({ description: 'Minor units; below zero: the provider takes it from the bank.' })
  amount!: number;
  @ApiProperty({ description: 'What the provider takes for the payout itself.' }) fee!: number;
  @ApiProperty({
    description: 'All fees that are booked with it: its own, and those that no payment booked.',
  })
  booked_fee!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ format: 'date' }) sent_on!: string;
  @ApiProperty(NULLABLE_DATE) arrives_on!: string | null;
  @ApiProperty(NULLABLE_TEXT) descriptor!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The bank entry that it is.' })
  bank_entry_id!: string | null;
  @ApiProperty(NULLABLE_DATE) failed_on!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'What was said when it was undone.' })
  undone_reason!: string | null;
  @ApiProperty({ format: 'date-time' }) recorded_at!: string;
}

class PayoutLineBody {
  @ApiProperty({ enum: PAYOUT_LINE_KINDS }) kind!: string;
  @ApiProperty() amount!: number;
  @ApiProperty() fee!: number;
  @ApiProperty({ description: 'The fee that is booked with the payout.' }) booked_fee!: number;
  @ApiProperty(NULLABLE_TEXT) provider_id!: string | null;
  @ApiProperty(NULLABLE_TEXT) payment_id!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Money without a document.' })
  receipt_id!: string | null;
  @ApiProperty(NULLABLE_TEXT) refund_id!: string | null;
  @ApiProperty({ description: 'A payment or refund that is not in these books.' })
  is_unknown!: boolean;
}

export class PayoutDetailBody extends PayoutBody {
  @ApiProperty({ type: [PayoutLineBody] }) lines!: PayoutLineBody[];
}

export class PayoutPage extends CountedEnds {
  @ApiProperty({ type: [PayoutBody] }) data!: PayoutBody[];
}

export function presentWithLines(payout: Payout, lines: readonly PayoutLine[]): PayoutDetailBody {
  return { ...presentPayout(payout), lines: lines.map(presentPayoutLine) };
}
