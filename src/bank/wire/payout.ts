import { z } from 'zod';
import {
  isUnknownLine,
  type Payout,
  PAYOUT_STATUSES,
  type PayoutLine,
  type StatedPayout,
} from '../domain/payouts/payout.js';
import { publicId } from '../../kernel/ids.js';
import { answerShape, queryShape, requestShape } from '../../platform/http/validation/shapes.js';
import { Money } from '../../kernel/money.js';
import { amountMinor, nestedList, oneOf } from '../../platform/http/validation/fields.js';
import { currencyCode, paragraph, shortText } from '../../platform/http/validation/text-fields.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import { countedPage, listQuery } from '../../platform/http/paging.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { PAYOUT_LINE_KINDS } from '../../payments/index.js';

nameWords({ PayoutLineKind: PAYOUT_LINE_KINDS, PayoutStatus: PAYOUT_STATUSES });

/** Of a request; a report of the provider may have more. */
const MOST_LINES = 200;

const PayoutLineRequest = requestShape('PayoutLineRequest', {
  kind: oneOf(PAYOUT_LINE_KINDS),
  amount: amountMinor({
    signed: true,
    zero: true,
    description: 'What it added to the payout before its fee; below zero: took off.',
  }),
  fee: amountMinor({
    signed: true,
    zero: true,
    optional: true,
    example: 35,
    description: 'What the provider kept of it. Default: 0.',
  }),
  provider_id: shortText({
    max: 255,
    optional: true,
    example: 'pi_3P1',
    description: 'The provider’s id of the payment or refund; ours is found by it.',
  }),
});
type PayoutLineRequest = z.output<typeof PayoutLineRequest>;

export const RecordPayoutRequest = requestShape('RecordPayoutRequest', {
  gateway: shortText({ max: 63, example: 'gateway-a' }),
  provider_payout_id: shortText({
    max: 255,
    example: 'po_1P1',
    description: 'The provider’s id of the payout.',
  }),
  amount: amountMinor({
    signed: true,
    description: 'What arrives at the bank; below zero: the provider takes it from there.',
  }),
  fee: amountMinor({
    zero: true,
    optional: true,
    example: 25,
    description: 'What the provider takes for the payout itself, beside the amount. Default: 0.',
  }),
  currency: currencyCode(),
  sent_on: dateText({ description: 'The day on which it left the provider.' }),
  arrives_on: dateText({
    optional: true,
    description: 'The day on which the bank should have it.',
  }),
  descriptor: shortText({
    max: 140,
    optional: true,
    description: 'The text with which it comes to the bank.',
  }),
  lines: nestedList(() => PayoutLineRequest, {
    max: MOST_LINES,
    optional: true,
    description: 'What it is made of. Less all fees, they sum to the amount.',
  }),
});
export type RecordPayoutRequest = z.output<typeof RecordPayoutRequest>;

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

export const ReversePayoutRequest = requestShape('ReversePayoutRequest', {
  reason: paragraph({ max: 500, optional: true, example: 'Recorded for the wrong gateway.' }),
});
export type ReversePayoutRequest = z.output<typeof ReversePayoutRequest>;

export const FailPayoutRequest = requestShape('FailPayoutRequest', {
  reason: paragraph({ max: 500, optional: true, example: 'The bank account was closed.' }),
  failed_on: dateText({
    optional: true,
    description: 'The day on which it came back. Default: today.',
  }),
});
export type FailPayoutRequest = z.output<typeof FailPayoutRequest>;

export const ListPayoutsQuery = queryShape({
  ...listQuery(() => PayoutBody).shape,
  status: oneOf(PAYOUT_STATUSES, { optional: true }),
  gateway: shortText({ max: 63, optional: true, example: 'gateway-a' }),
  currency: currencyCode({ optional: true }),
});
export type ListPayoutsQuery = z.output<typeof ListPayoutsQuery>;

export const PayoutBody = answerShape('PayoutBody', {
  id: z.string().meta({ example: 'pout_01h455vb4pex5vsknk084sn02q' }),
  status: z.string().meta({
    enum: PAYOUT_STATUSES,
    description:
      '`sent`: on its way. `paid`: a bank entry is it. `failed`: the provider has the money ' +
      'back. `reversed`: it was recorded wrongly.',
  }),
  gateway: z.string(),
  provider_payout_id: z.string(),
  amount: z.number().describe('Minor units; below zero: the provider takes it from the bank.'),
  fee: z.number().describe('What the provider takes for the payout itself.'),
  booked_fee: z
    .number()
    .describe('All fees that are booked with it: its own, and those that no payment booked.'),
  currency: z.string(),
  sent_on: z.string().meta({ format: 'date' }),
  arrives_on: z.string().nullable().meta({ format: 'date' }),
  descriptor: z.string().nullable(),
  bank_entry_id: z.string().nullable().describe('The bank entry that it is.'),
  failed_on: z.string().nullable().meta({ format: 'date' }),
  undone_reason: z.string().nullable().describe('What was said when it was undone.'),
  recorded_at: z.string().meta({ format: 'date-time' }),
});
export type PayoutBody = z.output<typeof PayoutBody>;

const PayoutLineBody = answerShape('PayoutLineBody', {
  kind: z.string().meta({ enum: PAYOUT_LINE_KINDS }),
  amount: z.number(),
  fee: z.number(),
  booked_fee: z.number().describe('The fee that is booked with the payout.'),
  provider_id: z.string().nullable(),
  payment_id: z.string().nullable(),
  receipt_id: z.string().nullable().describe('Money without a document.'),
  refund_id: z.string().nullable(),
  is_unknown: z.boolean().describe('A payment or refund that is not in these books.'),
});
type PayoutLineBody = z.output<typeof PayoutLineBody>;

export const PayoutDetailBody = answerShape('PayoutDetailBody', {
  ...PayoutBody.shape,
  lines: z.array(PayoutLineBody),
});
export type PayoutDetailBody = z.output<typeof PayoutDetailBody>;

export const PayoutPage = countedPage('PayoutPage', PayoutBody);
export type PayoutPage = z.output<typeof PayoutPage>;

export function presentWithLines(payout: Payout, lines: readonly PayoutLine[]): PayoutDetailBody {
  return { ...presentPayout(payout), lines: lines.map(presentPayoutLine) };
}

/** The public form of a payout. Amounts in minor units. */
export function presentPayout(payout: Payout): PayoutBody {
  return {
    id: publicId('pout', payout.id),
    status: payout.status,
    gateway: payout.gateway,
    provider_payout_id: payout.providerPayoutId,
    amount: payout.amount.toMinorNumber(),
    fee: payout.fee.toMinorNumber(),
    booked_fee: payout.bookedFee.toMinorNumber(),
    currency: payout.amount.currency,
    sent_on: payout.sentOn,
    arrives_on: payout.arrivesOn,
    descriptor: payout.descriptor,
    bank_entry_id: payout.bankEntryId && publicId('bentry', payout.bankEntryId),
    failed_on: payout.failedOn,
    undone_reason: payout.undoneReason,
    recorded_at: payout.recordedAt.toISOString(),
  };
}

function presentPayoutLine(line: PayoutLine): PayoutLineBody {
  return {
    kind: line.kind,
    amount: line.amount.toMinorNumber(),
    fee: line.fee.toMinorNumber(),
    booked_fee: line.bookedFee.toMinorNumber(),
    provider_id: line.providerId,
    payment_id: line.paymentId && publicId('pay', line.paymentId),
    receipt_id: line.receiptId && publicId('rcpt', line.receiptId),
    refund_id: line.refundId && publicId('rfnd', line.refundId),
    is_unknown: isUnknownLine(line),
  };
}
