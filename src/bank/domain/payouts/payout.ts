import { magnitudeOf } from '../../../kernel/decimal.js';
import type { IsoDate } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { oldestDay, tooEarly } from '../../../kernel/fact-dates.js';
import type { Uuid } from '../../../kernel/ids.js';
import { LARGEST_AMOUNT_MINOR, Money } from '../../../kernel/money.js';
import type { StatedPayoutLine } from '../../../payments/index.js';
import { BankRefusal } from '../refusals.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';

/** `sent` is on its way, `paid` is at the bank, `failed` came back, `reversed` was a mistake. */
export const PAYOUT_STATUSES = ['sent', 'paid', 'failed', 'reversed'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export const PAYOUT_UNDOINGS = ['failed', 'reversed'] as const;
export type PayoutUndoing = (typeof PAYOUT_UNDOINGS)[number];

/** Money that a provider sent to the bank, or took from there, as the provider tells it. */
export interface StatedPayout {
  gateway: string;
  providerPayoutId: string;
  /** The amount that arrives; below zero: the provider takes it from the bank. */
  amount: Money;
  /** The price of the payout itself. */
  fee: Money;
  sentOn: IsoDate;
  arrivesOn: IsoDate | null;
  /** The text with which it comes to the bank. */
  descriptor: string | null;
  lines: readonly StatedPayoutLine[];
}

/** Our own thing that a line names; at most one of them is known. */
interface NamedByLine {
  paymentId: Uuid | null;
  receiptId: Uuid | null;
  refundId: Uuid | null;
}

export interface PayoutLine extends StatedPayoutLine, NamedByLine {
  position: number;
  /** The fee that nothing else has booked. */
  bookedFee: Money;
}

/** The thing of a line that was unknown when its payout was recorded. */
export interface CompletedLine extends PayoutLine {
  /** Its own place is behind all others. */
  completes: number;
}

export interface Payout extends Omit<StatedPayout, 'lines'> {
  id: Uuid;
  accountId: Uuid;
  /** Its own fee, and those of its lines that nothing else has booked. */
  bookedFee: Money;
  status: PayoutStatus;
  /** Null: its provider told it. */
  clientId: Uuid | null;
  recordedAt: Date;
  /** The entry of the bank that it is. */
  bankEntryId: Uuid | null;
  failedOn: IsoDate | null;
  /** The words of whoever undid it last. */
  undoneReason: string | null;
}

/** A thing of ours by the provider's id of it, and whether its fee is in the books already. */
export interface KnownThing extends NamedByLine {
  kind: 'payment' | 'refund';
  providerId: string;
  hasFee: boolean;
}

/** Lines add up to what they are the lines of. */
export function assertLinesAddUp({ amount, fee, lines, providerPayoutId }: StatedPayout): void {
  if (lines.length === 0) return;
  const { currency } = amount;
  const sum = Money.sum(
    lines.map((line) => line.amount.minus(line.fee)),
    currency,
  );
  const left = sum.minus(fee);
  if (left.compare(amount) === 0) return;
  throw BankRefusal.payout_lines_differ.at(
    '/lines',
    `The lines of payout ${providerPayoutId}, less their fees and that of the payout, make ` +
      `${left}, and it says ${amount}; send the lines that are missing, or none.`,
    { lines: left.toMinorNumber(), amount: amount.toMinorNumber() },
  );
}

/** @param today in the account's time zone */
export function assertSentBy(
  { sentOn, arrivesOn }: Pick<StatedPayout, 'sentOn' | 'arrivesOn'>,
  today: IsoDate,
  now: Date,
): void {
  assertNotAfter('sent_on', sentOn, today);
  if (sentOn < oldestDay(now)) throw tooEarly('sent_on', oldestDay(now));
  if (arrivesOn !== null && arrivesOn < sentOn) {
    throw tooEarly('arrives_on', `${sentOn}, the day on which it was sent`);
  }
}

export function assertFailedBy({ sentOn }: Payout, failedOn: IsoDate, today: IsoDate): void {
  assertNotAfter('failed_on', failedOn, today);
  if (failedOn < sentOn) throw tooEarly('failed_on', `${sentOn}, the day on which it was sent`);
}

function assertNotAfter(field: string, told: IsoDate, today: IsoDate): void {
  if (told <= today) return;
  throw FieldRefusal.date_in_future.at(
    `/${field}`,
    `${field} is in the future; record it once the money has moved.`,
  );
}

/** Whether amounts that belong together are larger than these books take. */
export function isTooLarge(amounts: readonly Money[]): boolean {
  const size = amounts.reduce((sum, { minor }) => sum + magnitudeOf(minor), 0n);
  return size > LARGEST_AMOUNT_MINOR;
}

/** Each line with our thing, and with the fee that is to be booked now: never one twice. */
export function bookedLines(
  lines: readonly StatedPayoutLine[],
  known: readonly KnownThing[],
): PayoutLine[] {
  const things = new Map(
    // Of two with one name the first counts, as it is in use.
    known.toReversed().map((thing) => [`${thing.kind} ${thing.providerId}`, thing]),
  );
  // Ours, and not the provider's names: a refund may have several of these.
  const told = new Set<Uuid | null>();
  return lines.map((line, index) => {
    const thing = things.get(`${line.kind} ${line.providerId}`);
    const { paymentId = null, receiptId = null, refundId = null } = thing ?? {};
    const our = paymentId ?? receiptId ?? refundId;
    const isOwed = thing && !thing.hasFee && !told.has(our);
    if (!line.fee.isZero()) told.add(our);
    const bookedFee = line.kind === 'fee' ? line.fee.minus(line.amount) : line.fee;
    const isBooked = line.kind === 'fee' || isOwed;
    const none = Money.zero(line.fee.currency);
    const ours = { paymentId, receiptId, refundId };
    return { ...line, ...ours, position: index + 1, bookedFee: isBooked ? bookedFee : none };
  });
}

/**
 * The lines whose thing is known since, as lines behind all others that name it. They move nothing but
 * the fee that nothing else has booked.
 * @param unknown of a payout that has `count` lines
 */
export function completedLines(
  unknown: readonly PayoutLine[],
  known: readonly KnownThing[],
  count: number,
): CompletedLine[] {
  return bookedLines(unknown, known)
    .map((line, index) => ({ ...line, completes: unknown[index]?.position ?? 0 }))
    .filter((line) => !isUnknownLine(line))
    .map((line, index) => {
      const position = count + index + 1;
      const none = Money.zero(line.amount.currency);
      return { ...line, position, amount: none, fee: none };
    });
}

/** Whether a line is about a payment or refund that we do not have. */
export function isUnknownLine(line: PayoutLine): boolean {
  const { kind, paymentId, receiptId, refundId } = line;
  return (kind === 'payment' || kind === 'refund') && !(paymentId ?? receiptId ?? refundId);
}

export function assertUndoable({ status }: Payout, kind: PayoutUndoing): void {
  if (status === 'paid') {
    throw BankRefusal.payout_paid.of();
  }
  if (status === 'sent' || (status === 'failed' && kind === 'reversed')) return;
  throw BankRefusal.payout_undone.of(
    status === 'failed'
      ? 'This payout has failed already; the provider has the money.'
      : 'This payout is reversed; record it anew.',
  );
}

/** Whether a payout is recorded as it is told; what became of it since does not matter. */
export function isToldSo({ amount, fee }: Payout, told: StatedPayout): boolean {
  return `${amount}` === `${told.amount}` && `${fee}` === `${told.fee}`;
}

export function payoutToldOtherwise({ amount, fee }: Payout, told: StatedPayout): DomainError {
  return BankRefusal.payout_exists.of(
    `Payout ${told.providerPayoutId} is recorded over ${amount} with a fee of ${fee}, and the ` +
      `file says ${told.amount} and ${told.fee}; reverse it first, if it is wrong.`,
  );
}

export function payoutExists(providerPayoutId: string): DomainError {
  return BankRefusal.payout_exists.of(
    `Payout ${providerPayoutId} of this gateway is recorded; reverse it first, if that is wrong.`,
  );
}
