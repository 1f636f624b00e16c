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
  places: ReadonlyMap<string, Place[]>;
  /** The same for numbers that make no reference, as they are written. */
  written: ReadonlyMap<string, Place[]>;
}

interface Place {
  /** Which of the texts, and where in it. */
  text: number;
  start: number;
  end: number;
}

export function namesIn(texts: readonly (string | null)[]): NamesInText {
  const references = new Set<string>();
  const places = new Map<string, Place[]>();
  const written = new Map<string, Place[]>();
  for (const [index, text] of texts.entries()) {
    for (const { start, end, text: token } of wordsOf(text ?? '')) {
      const place = { text: index, start, end };
      const reference = parseCreditorReference(token);
      if (reference) references.add(reference);
      const made = creditorReference(token);
      if (made) add(places, made, place);
      else add(written, (text ?? '').slice(start, end), place);
    }
  }
  return { references, places, written };
}

/** Whether every place that names something lies within a place that names more. */
export function isWithin(places: readonly Place[], others: readonly Place[]): boolean {
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

function wordsOf(text: string): Word[] {
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
      const isJoined = joined === '' || BETWEEN.test(text.slice(end, word.start));
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

function add(map: Map<string, Place[]>, key: string, place: Place): void {
  map.set(key, [...(map.get(key) ?? []), place]);
}
