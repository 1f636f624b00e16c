import { constants, inflateSync } from 'node:zlib';

type Meaning = 'active' | 'carries' | 'encrypted' | 'packed' | 'hidden';

/** Names of PDF (ISO 32000-1) by which one runs a program, plays, or hides what it has. */
const MEANINGS = new Map<string, Meaning>([
  ['JavaScript', 'active'],
  ['Launch', 'active'],
  ['Rendition', 'active'],
  ['RichMedia', 'active'],
  ['XFA', 'active'],
  ['GoToE', 'active'],
  ['EmbeddedFiles', 'carries'],
  ['EmbeddedFile', 'carries'],
  ['FileAttachment', 'carries'],
  ['Encrypt', 'encrypted'],
  // Streams that have objects in them, packed, so that a search sees nothing.
  ['ObjStm', 'packed'],
]);

/** Letters of a name may be written as numbers: `#4a` is J. Other names begin with other letters. */
const NAME = /\/(?:[EFGJLORX]|#[0-9a-f]{2})(?:[a-z]|#[0-9a-f]{2}){2,30}/gi;

/** Names of few letters have numbers in them, and no PDF has so many. */
const MOST_NUMBERED = 10_000;

interface FoundName {
  means: Meaning;
  index: number;
  isPlain: boolean;
}

function* namesIn(text: string): Generator<FoundName> {
  let numbered = 0;
  for (const { 0: written, index } of text.matchAll(NAME)) {
    const isPlain = !written.includes('#');
    if (!isPlain && (numbered += 1) > MOST_NUMBERED) {
      yield { means: 'hidden', index, isPlain };
      return;
    }
    const name = isPlain
      ? written
      : written.replaceAll(/#([0-9a-f]{2})/gi, (_, hex: string) => fromHex(hex));
    const means = MEANINGS.get(name.slice(1));
    if (means) yield { means, index, isPlain };
  }
}

const fromHex = (digits: string) => Buffer.from(digits, 'hex').toString('latin1');

const DICTIONARY_BYTES = 1024;
const STREAM_START = /stream\r?\n/;
const MOST_UNPACKED_BYTES = 8_388_608;

const TAIL_BYTES = 2048;

/**
 * A look from outside: a PDF is not read, and its pages are not judged (decision 249).
 *
 * @returns the reason not to take it
 */
export function flawOfPdf(bytes: Buffer): string | null {
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - TAIL_BYTES));
  if (bytes.toString('latin1', 0, 5) !== '%PDF-' || !tail.includes('%%EOF')) {
    return 'is no whole PDF';
  }
  const raw = bytes.toString('latin1');
  const objects = unpackedObjects(bytes, raw);
  if (objects === null) return 'has parts that cannot be looked into';
  const said = `${raw}\n${objects}`;
  const means = new Set<Meaning>();
  for (const found of namesIn(said)) means.add(found.means);
  if (means.has('hidden')) return 'hides the names that it has';
  if (means.has('encrypted')) return 'is encrypted';
  if (means.has('active')) return 'has scripts or starts programs';
  if (means.has('carries') && !carriesXmlOnly(said)) return 'carries files that are not XML';
  return null;
}

/** Null if one of them is packed in a way of its own, or becomes too large. */
function unpackedObjects(bytes: Buffer, raw: string): string | null {
  let left = MOST_UNPACKED_BYTES;
  let behind = 0;
  const found: string[] = [];
  for (const { means, index, isPlain } of namesIn(raw)) {
    if (means !== 'packed') continue;
    // Streams do not overlap; so each byte is looked at once.
    if (index < behind || !isPlain) return null;
    const before = raw.slice(Math.max(behind, index - DICTIONARY_BYTES), index);
    const after = raw.slice(index, index + DICTIONARY_BYTES);
    const start = STREAM_START.exec(after);
    if (!start) return null;
    const from = index + start.index + start[0].length;
    const to = raw.indexOf('endstream', from);
    if (to < 0) return null;
    const dictionary = before.slice(before.lastIndexOf('obj') + 1) + after.slice(0, start.index);
    const unpacked = unpackedStream(bytes.subarray(from, to), dictionary, left);
    if (unpacked === null) return null;
    left -= unpacked.length;
    behind = to;
    found.push(unpacked.toString('latin1'));
  }
  return found.join('\n');
}

/** No more than `most` bytes are ever made of it. */
function unpackedStream(packed: Buffer, dictionary: string, most: number): Buffer | null {
  if (!dictionary.includes('/Filter')) return packed;
  if (!/\/Filter\s*(?:\/FlateDecode\b|\[\s*\/FlateDecode\s*\])/.test(dictionary)) return null;
  if (most <= 0 || dictionary.includes('/DecodeParms')) return null;
  try {
    const { Z_SYNC_FLUSH: finishFlush } = constants;
    return inflateSync(packed, { maxOutputLength: most, finishFlush });
  } catch {
    return null;
  }
}

/** The place at which a file that is carried begins, in the words about it. */
const CARRIED = /\/EF\s*(?:<<|\d)/g;
const MOST_CARRIED = 100;
/** So far around it stand its names. */
const WORDS_BYTES = 500;
const NAME_OF_FILE = /\/U?F\s*(?:\(([^()]*)\)|<([0-9a-f\s]*)>(?!>)|\d+\s+\d+\s+R)/gi;
const BYTES_OF_FILE = /\/EF\s*<<[^<>]*>>/g;

/** A hybrid invoice is a supporting document, too. Under such a name, no program is started. */
function carriesXmlOnly(said: string): boolean {
  const places: number[] = [];
  for (const { index } of said.matchAll(CARRIED)) {
    if (places.push(index) > MOST_CARRIED) return false;
  }
  return places.length > 0 && places.every((place) => isXmlAt(said, place));
}

function isXmlAt(said: string, place: number): boolean {
  const before = said.slice(Math.max(0, place - WORDS_BYTES), place);
  const behind = said.slice(place, place + WORDS_BYTES).split('endobj', 1)[0] ?? '';
  const words = before.slice(before.lastIndexOf('endobj') + 1) + behind;
  const names = [...words.replaceAll(BYTES_OF_FILE, '').matchAll(NAME_OF_FILE)];
  return names.length > 0 && names.every(([, text, hex]) => isXmlName(text, hex));
}

function isXmlName(text: string | undefined, hex = ''): boolean {
  const name = text ?? fromHex(hex.replaceAll(/\s/g, ''));
  // UTF-16 has a zero beside each letter of ASCII.
  return /\.xml$/i.test(name.replaceAll('\0', ''));
}
