import { referenceKey } from '../../../kernel/reference-key.js';
import { creditorReference, parseCreditorReference } from '../../../kernel/creditor-reference.js';

/** A place of a text that may name a document: whole words, with what people write between them. */
interface Word {
  start: number;
  end: number;
  /** Without what stands between the words, in capitals. */
  text: string;
}

const WORD = /[\p{L}\p{N}]+/gu;
const BETWEEN = /^[ \-/._#]{1,3}$/;
/** Between the words of a reference that a caller gave, which may have signs of its own. */
const BETWEEN_WORDS = /^[ -/:-@[-`{-~]{1,5}$/;
/** A reference in groups of four has seven. */
const MOST_WORDS = 8;
/** A shorter number could be anything. */
const SHORTEST = 3;
const LONGEST = 60;

/** The words of a payer that may name a document. */
export interface NamesInText {
  /** With right check digits (ISO 11649). */
  references: ReadonlySet<string>;
  /** The places of a document's number in the text, by the reference that this number makes. */
  places: ReadonlyMap<string, TextPlace[]>;
  /** The same for numbers that make no reference, as they are written. */
  written: ReadonlyMap<string, TextPlace[]>;
  /** Those of references that callers gave, in the form in which these are compared. */
  keys: ReadonlyMap<string, TextPlace[]>;
}

export interface TextPlace {
  /** Which of the texts, and where in it. */
  text: number;
  start: number;
  end: number;
}

export function namesIn(texts: readonly (string | null)[]): NamesInText {
  const references = new Set<string>();
  const places = new Map<string, TextPlace[]>();
  const written = new Map<string, TextPlace[]>();
  const keys = new Map<string, TextPlace[]>();
  for (const [index, text] of texts.entries()) {
    for (const { start, end, text: token } of wordsOf(text ?? '')) {
      const place = { text: index, start, end };
      const reference = parseCreditorReference(token);
      if (reference) references.add(reference);
      const made = creditorReference(token);
      if (made) add(places, made, place);
      else add(written, (text ?? '').slice(start, end), place);
    }
    for (const [key, place] of keysIn(text ?? '', index)) add(keys, key, place);
  }
  return { references, places, written, keys };
}

/** The whole text, too: it may be longer than any words that are looked up. */
function keysIn(text: string, index: number): [string, TextPlace][] {
  const whole = { start: 0, end: text.length };
  const found = [...wordsOf(text, BETWEEN_WORDS), whole].map(
    ({ start, end }): [string, TextPlace] => [
      referenceKey(text.slice(start, end)),
      { text: index, start, end },
    ],
  );
  // Words alone, such as a greeting, name no document.
  return found.filter(([key]) => key.length >= SHORTEST && /\d/.test(key));
}

/** Whether every place that names something lies within a place that names more. */
export function isWithin(places: readonly TextPlace[], others: readonly TextPlace[]): boolean {
  return (
    places.length > 0 &&
    places.every((place) =>
      others.some(
        (other) =>
          other.text === place.text &&
          other.start <= place.start &&
          other.end >= place.end &&
          other.end - other.start > place.end - place.start,
      ),
    )
  );
}

function wordsOf(text: string, between = BETWEEN): Word[] {
  const words = [...text.matchAll(WORD)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
  return words.flatMap((first, index) => {
    const tokens: Word[] = [];
    let joined = '';
    let end = first.start;
    for (const word of words.slice(index, index + MOST_WORDS)) {
      const isJoined = joined === '' || between.test(text.slice(end, word.start));
      if (!isJoined || word.end - first.start > LONGEST) break;
      joined += word.text;
      end = word.end;
      if (joined.length >= SHORTEST) {
        tokens.push({ start: first.start, end, text: joined.toUpperCase() });
      }
    }
    return tokens;
  });
}

function add(map: Map<string, TextPlace[]>, key: string, place: TextPlace): void {
  map.set(key, [...(map.get(key) ?? []), place]);
}
