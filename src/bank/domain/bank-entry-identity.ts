import { createHash } from 'node:crypto';
import { daysBetween } from '../../kernel/clock.js';
import {
  type BankEntryKeys,
  type BankStatementFormat,
  type BankStatementSection,
  movedBy,
  type StatedBankEntry,
} from './bank-statement.js';
import { isLike, wordsIn } from './names/name-likeness.js';

/*
 * Two entries of files are the same movement, perhaps the same, or different. The same is said by
 * the bank's reference, or by account, day, amount, direction and words: it is kept once. Perhaps
 * the same is proposed to a person, and never booked.
 */

/**
 * Fields that stay the same in each file, and a count among equal entries of one day. References that
 * a bank gives anew in each file (camt's NtryRef) are no part of them.
 */
export function bankEntryKeys(section: BankStatementSection): BankEntryKeys[] {
  const seen = new Map<string, number>();
  return section.entries.map((one) => {
    const said = saidBy(section, one);
    const occurrence = seen.get(said) ?? 0;
    seen.set(said, occurrence + 1);
    const { batch } = one;
    const whole = batch && { ...one, ...batch, endToEndId: null, fee: one.fee.minus(one.fee) };
    return {
      key: digestOf(said, occurrence),
      batchKey: whole?.bankReference ? digestOf(saidBy(section, whole), 0) : null,
    };
  });
}

function saidBy({ account }: BankStatementSection, one: StatedBankEntry): string {
  const { bookedOn, direction, isReversal, amount, bankReference, endToEndId } = one;
  return JSON.stringify([
    account,
    bookedOn,
    direction,
    isReversal,
    `${sizeOf(one)}`,
    amount.currency,
    ...(bankReference === null
      ? [
          folded(one.counterpartyName),
          one.counterpartyIban,
          folded(one.remittance),
          one.structuredReference,
        ]
      : [bankReference]),
    endToEndId,
  ]);
}

function digestOf(said: string, occurrence: number): Buffer {
  return createHash('sha256').update(`${said}\n${occurrence}`).digest();
}

/** With its fee: files differ in what they take for the amount. */
function sizeOf(one: StatedBankEntry): bigint {
  const { minor } = movedBy(one);
  return one.direction === 'credit' ? minor : -minor;
}

/** Its words in any case, width and order, without accents: banks change these from file to file. */
function folded(text: string | null): string | null {
  return text === null ? null : wordsIn(text.normalize('NFKD')).sort().join(' ');
}

/** Formats tell the day of an entry differently by so many days: bookings over a weekend. */
export const TWIN_DAYS = 3;
/** In one format, a time of day in another time zone moves the day. */
const TWIN_DAYS_OF_ONE_FORMAT = 1;

/** An entry of a file, beside one of the same amount, currency and direction of another file. */
export interface TwinEntry extends Pick<
  StatedBankEntry,
  | 'isReversal'
  | 'bookedOn'
  | 'counterpartyName'
  | 'remittance'
  | 'structuredReference'
  | 'endToEndId'
  | 'bankReference'
> {
  format: BankStatementFormat;
  bankAccount: string | null;
}

/** Whether two entries of different files may be one movement. Neither file tells of both. */
export function isPerhapsSame(one: TwinEntry, other: TwinEntry): boolean {
  const isOneFamily = familyOf(one) === familyOf(other);
  if (one.isReversal !== other.isReversal) return false;
  if (isOtherAccount(one.bankAccount, other.bankAccount, isOneFamily)) return false;
  if (differ(one.endToEndId, other.endToEndId)) return false;
  if (isOneFamily && differ(one.bankReference, other.bankReference)) return false;
  // Files have whole days: of two movements of that day each file would tell.
  if (one.bookedOn === other.bookedOn || !isOneFamily) return true;
  const days = daysBetween(one.bookedOn, other.bookedOn);
  return days <= TWIN_DAYS_OF_ONE_FORMAT && isSameText(one, other);
}

/** Messages of camt share their references; other formats have words of their own. */
function familyOf({ format }: TwinEntry): string {
  return format.startsWith('camt') ? 'camt' : format;
}

const IBAN = /^[A-Z]{2}\d{2}/;

function isOtherAccount(one: string | null, other: string | null, isOneFamily: boolean): boolean {
  if (one === null || other === null || one === other) return false;
  // MT940 names an account by its bank's number and its own, which no IBAN shows.
  return isOneFamily || (IBAN.test(one) && IBAN.test(other));
}

/** No format leaves less of a reference that it cuts off: 12 is not the beginning of 123. */
const SHORTEST_CUT = 8;

/** Both are said, and neither is the other, cut off. */
function differ(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length < SHORTEST_CUT ? one !== other : !long.startsWith(short);
}

/** By the numbers in the words, which no encoding and no case changes; else by the payer. */
function isSameText(one: TwinEntry, other: TwinEntry): boolean {
  const [first, second] = [numbersIn(one), numbersIn(other)];
  const [few, many] = first.size < second.size ? [first, second] : [second, first];
  if (few.size > 0) return [...few].every((word) => many.has(word));
  const [name, otherName] = [one.counterpartyName, other.counterpartyName];
  return name === null || otherName === null || isLike(inAscii(name), inAscii(otherName));
}

function numbersIn({ remittance, structuredReference }: TwinEntry): ReadonlySet<string> {
  const words = wordsIn([remittance, structuredReference].join(' ').normalize('NFKD'));
  return new Set(words.filter((word) => /\d/.test(word)));
}

/** Only letters that all encodings share. */
function inAscii(name: string): string {
  return name.replace(/[^\p{ASCII}]+/gu, ' ');
}
