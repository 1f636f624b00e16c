import type { IsoDate } from '../../../kernel/clock.js';
import type { DocumentKind } from '../lifecycle.js';
import { faultOfPrinted } from './number-pattern.js';

/** A place in the count of a series. */
export interface CountedNumber {
  /** As the pattern of the series writes it. */
  number: string;
  series: string;
  kind: DocumentKind;
  /** `2026`, `2026-11`, or nothing where the count never starts again. */
  period: string;
  sequence: bigint;
  issueDate: IsoDate;
  account: { id: string; name: string; mode: 'live' | 'test'; currency: string };
}

/**
 * How numbers are written. Abstract class: port and injection token at once. Counters are ours: a
 * number is asked for by one at a time, and is given to a document or not given at all.
 */
export abstract class NumberTexts {
  /**
   * @returns one line of 1 to 50 characters that shows the sequence. No document may have it, and no
   *   series may give it later. Otherwise nothing is issued, and the next document gets the place.
   */
  abstract textOf(counted: CountedNumber): string;
}

/** As the pattern of the series says. */
export class PatternTexts extends NumberTexts {
  textOf({ number }: CountedNumber): string {
    return number;
  }
}

const LONGEST_NUMBER = 50;

/** Why a text cannot be the number, to be read after it; undefined: it may. */
export function faultOfNumber(text: unknown, sequence: bigint): string | undefined {
  if (typeof text !== 'string') return 'is no text';
  const fault = faultOfPrinted(text, LONGEST_NUMBER);
  if (fault !== undefined) return fault;
  return text.includes(sequence.toString()) ? undefined : `does not show the sequence, ${sequence}`;
}
