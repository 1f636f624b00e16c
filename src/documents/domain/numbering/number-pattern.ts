import { assert } from '../../../kernel/assert.js';
import { isCalendarDate, type IsoDate } from '../../../kernel/clock.js';

export const LONGEST_PATTERN = 40;

/** `width` is exact, but for SEQ, which is padded to it and grows beyond. */
interface Part {
  token: 'YYYY' | 'YY' | 'MM' | 'SEQ' | null;
  text: string;
  width: number;
}

const TOKEN = /^\{(?:(YYYY|YY|MM|SEQ)|(SEQ):([1-9]|1[0-2]))\}$/;
const DIGITS = '0123456789';
/** Sequences are `bigint` in the database too: 18 digits always fit. */
const SEQUENCE = /^\d{1,18}$/;

/**
 * The form of the numbers of a series, such as `INV-{YYYY}-{SEQ:5}`. Only the sequence varies in
 * width, so a number can be taken apart again in one way at most.
 */
export class NumberPattern {
  private constructor(private readonly parts: readonly Part[]) {}

  /** The fault of a pattern, to be read after its field's name; undefined if it has none. */
  static faultOf(text: string): string | undefined {
    const unprinted = faultOfPrinted(text, LONGEST_PATTERN);
    if (unprinted !== undefined) return unprinted;
    const parts = partsOf(text);
    const strange = parts.find((part) => part.token === null && /[{}]/.test(part.text));
    if (strange) {
      return `has ${strange.text}, which is none of {YYYY} {YY} {MM} {SEQ} {SEQ:1} to {SEQ:12}`;
    }
    const sequences = parts.filter(({ token }) => token === 'SEQ').length;
    return sequences === 1 ? undefined : 'must have {SEQ} or {SEQ:n} exactly once';
  }

  static parse(text: string): NumberPattern {
    assert(NumberPattern.faultOf(text) === undefined, `not a pattern: ${text}`);
    return new NumberPattern(partsOf(text));
  }

  get namesYear(): boolean {
    return this.parts.some(({ token }) => token === 'YYYY' || token === 'YY');
  }

  get namesCentury(): boolean {
    return this.parts.some(({ token }) => token === 'YYYY');
  }

  get namesMonth(): boolean {
    return this.parts.some(({ token }) => token === 'MM');
  }

  format(issueDate: IsoDate, sequence: bigint): string {
    const textOf = ({ token, text, width }: Part): string => {
      if (token === 'YYYY') return issueDate.slice(0, 4);
      if (token === 'YY') return issueDate.slice(2, 4);
      if (token === 'MM') return issueDate.slice(5, 7);
      return token === 'SEQ' ? sequence.toString().padStart(width, '0') : text;
    };
    return this.parts.map(textOf).join('');
  }

  /**
   * Takes a number apart: its sequence, and the first day of its month, as far as the number tells.
   * Two digits are a year of this century. Undefined for text that no document can get from this
   * pattern.
   */
  read(number: string): { month: IsoDate; sequence: bigint } | undefined {
    const found: Partial<Record<string, string>> = {};
    let at = 0;
    for (const { token, width } of this.parts) {
      const end = at + (token === 'SEQ' ? number.length - this.widthBesideSequence : width);
      if (token) found[token] ??= number.slice(at, end);
      at = end;
    }
    const { YY = '00', YYYY = `20${YY}`, MM = '01', SEQ = '' } = found;
    const month = `${YYYY}-${MM}-01`;
    if (!SEQUENCE.test(SEQ) || !isCalendarDate(month)) return undefined;
    const sequence = BigInt(SEQ);
    if (sequence === 0n || this.format(month, sequence) !== number) return undefined;
    return { month, sequence };
  }

  /** Whether some text may come out of both; it may say so where only the dates rule it out. */
  canCollideWith(other: NumberPattern): boolean {
    // In numbers longer than this, both have digits in the middle, and one more changes nothing.
    const longest = this.shortest + other.shortest;
    for (let length = Math.max(this.shortest, other.shortest); length <= longest; length += 1) {
      const theirs = other.choicesAt(length);
      const shared = (choice: string, at: number) =>
        [...choice].some((character) => theirs[at]?.includes(character));
      if (this.choicesAt(length).every(shared)) return true;
    }
    return false;
  }

  /**
   * A regular expression (PostgreSQL's or JavaScript's) of three groups: what stands before the
   * sequence, the sequence, what stands behind it.
   */
  get expression(): string {
    return `^(${this.parts.map(sourceOf).join('')})$`;
  }

  private get widthBesideSequence(): number {
    return this.parts.reduce((sum, { token, width }) => sum + (token === 'SEQ' ? 0 : width), 0);
  }

  private get shortest(): number {
    return this.parts.reduce((sum, { width }) => sum + width, 0);
  }

  /** The characters that may stand at each place of a number of this length. */
  private choicesAt(length: number): string[] {
    return this.parts.flatMap(({ token, text, width }) => {
      if (token === null) return text.split('');
      if (token === 'MM') return ['01', DIGITS];
      const grown = token === 'SEQ' ? length - this.shortest : 0;
      // Zeros only pad: what has outgrown them begins with another digit.
      return Array.from({ length: width + grown }, (_, at) =>
        grown > 0 && at === 0 ? DIGITS.slice(1) : DIGITS,
      );
    });
  }
}

/** The fault of a text that is printed as a number; undefined if it has none. */
export function faultOfPrinted(text: string, longest: number): string | undefined {
  if (text === '' || text.length > longest) return `must be 1 to ${longest} characters long`;
  if (/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(text)) {
    return 'must have printable characters only, and no space but the plain one';
  }
  return text.trim() === text ? undefined : 'must not begin or end with a space';
}

function partsOf(pattern: string): Part[] {
  const texts = pattern.split(/(\{[^{}]*\})/).filter((text) => text !== '');
  return texts.map((text) => {
    const [, plain, padded, width = '1'] = TOKEN.exec(text) ?? [];
    const token = (plain ?? padded ?? null) as Part['token'];
    if (token === 'SEQ') return { token, text, width: Number.parseInt(width, 10) };
    return { token, text, width: token?.length ?? text.length };
  });
}

function sourceOf({ token, text, width }: Part): string {
  if (token === 'SEQ') return `)([0-9]{${width}}|[1-9][0-9]{${width},17})(`;
  return token ? `[0-9]{${width}}` : text.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '\\$&');
}
