import iconv from 'iconv-lite';
import { malformedStatement } from '../domain/bank-statement.js';

/** SWIFT begins and ends a message so, and DOS a file, which may be several put together. */
const ENVELOPE = ['\u{1}', '\u{3}', '\u{1a}'];
const END_OF_FILE = '\u{1a}';
const BYTE_ORDER_MARK = '\u{feff}';
const UNDEFINED = '\u{fffd}';

/** ISO 20022 messages are UTF-8; what is declared or looks otherwise is refused, not guessed. */
export function xmlText(bytes: Buffer): string {
  const text = utf8(bytes);
  if (text === undefined) throw malformedStatement('The file is not UTF-8, as ISO 20022 asks for.');
  const [, declared = 'UTF-8'] =
    /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)/.exec(text.slice(0, 200)) ?? [];
  if (/^utf-?8$/i.test(declared)) return text;
  throw malformedStatement(
    `The file is declared as ${declared.slice(0, 40)}; ISO 20022 asks for UTF-8.`,
  );
}

/** Of MT940, without the envelope of its messages. */
export function messageText(bytes: Buffer): string {
  return withoutControls(
    ENVELOPE.reduce((text, mark) => text.replaceAll(mark, ''), decoded(bytes)),
  );
}

export function tableText(bytes: Buffer): string {
  return withoutControls(decoded(bytes));
}

function withoutControls(text: string): string {
  const whole = text.trimEnd().endsWith(END_OF_FILE) ? text.trimEnd().slice(0, -1) : text;
  const strange = whole.search(/[^\P{Cc}\t\r\n]/u);
  if (strange < 0) return whole;
  const line = whole.slice(0, strange).split('\n').length;
  const code = whole.charCodeAt(strange).toString(16).padStart(2, '0');
  throw malformedStatement(
    `The file is no text: line ${line} has the control character 0x${code}. Export it anew, as text in UTF-8.`,
  );
}

/** UTF-8, UTF-16, or the encoding of one byte a character in which it reads best. */
function decoded(bytes: Buffer): string {
  const text = utf16(bytes) ?? utf8(bytes);
  if (text !== undefined) return text;
  const encoding = encodingOf(bytes);
  const read = iconv.decode(bytes, encoding);
  const strange = read.indexOf(UNDEFINED);
  if (strange < 0) return read;
  const line = read.slice(0, strange).split('\n').length;
  throw malformedStatement(
    `Line ${line} has a byte that is no character of ${nameOf(encoding)}, nor is the file UTF-8; ` +
      'save it in the encoding UTF-8.',
  );
}

function utf8(bytes: Buffer): string | undefined {
  return unicode('utf-8', bytes);
}

function unicode(encoding: string, bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  } catch {
    return undefined;
  }
}

/** Its mark says so, or every other byte of its beginning, which is zero in ASCII. */
function utf16(bytes: Buffer): string | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  const isLittle = first === 0xff ? second === 0xfe : second === 0 && fourth === 0;
  const isBig = first === 0xfe ? second === 0xff : first === 0 && third === 0;
  if (isLittle === isBig) return undefined;
  const text = unicode(isLittle ? 'utf-16le' : 'utf-16be', bytes);
  if (text !== undefined) return text;
  throw malformedStatement('The file looks like UTF-16 and is not; save it in the encoding UTF-8.');
}

const WINDOWS = 'windows1252';
const CENTRAL = 'áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž ąćęłńóśźż áéíóöőúüű ăâîșşțţ čćđšž äöüß';
const WESTERN =
  'äöüß àâæçéèêëîïôœùûüÿ áéíñóúü áâãàçéêíóôõú àèéìòù åäöæøé ëïéèöüá çğıöşüi áæðéíóöþúý';
/** The encodings of banks, and the letters of the languages that they are for. */
const ENCODINGS = [
  { encoding: WINDOWS, name: 'Windows-1252', languages: WESTERN },
  { encoding: 'windows1250', name: 'Windows-1250', languages: CENTRAL },
  { encoding: 'cp850', name: 'CP850', languages: WESTERN },
  { encoding: 'cp852', name: 'CP852', languages: CENTRAL },
  { encoding: 'cp437', name: 'CP437', languages: WESTERN },
].map((one) => ({ ...one, alphabets: one.languages.split(' ').map((text) => new Set(text)) }));
type Encoding = (typeof ENCODINGS)[number];

const LARGEST_SAMPLE_BYTES = 65_536;
/** So few letters say little of a language. */
const FEW_LETTERS = 8;
const CLEARLY_BETTER = 0.3;

/**
 * Windows-1252, unless the lines with other characters read badly in it and better in another.
 * @throws DomainError `malformed_statement` where two encodings read as well, and differ
 */
function encodingOf(bytes: Buffer): string {
  const sample = linesBeyondAscii(bytes);
  const readings = ENCODINGS.map((one) => readingOf(sample, one));
  const best = Math.max(...readings.map(({ score }) => score));
  const [windows] = readings;
  if (!windows || best === Number.NEGATIVE_INFINITY) return WINDOWS;
  const isLikely =
    windows.misplaced === 0 &&
    (windows.count < FEW_LETTERS || best - windows.score < CLEARLY_BETTER);
  if (isLikely || windows.score === best) return WINDOWS;
  const likeliest = readings.filter(({ score }) => score === best);
  const [first = windows] = likeliest;
  if (likeliest.every(({ text }) => text === first.text)) return first.encoding;
  const names = likeliest.map(({ encoding }) => nameOf(encoding)).join(' or ');
  throw malformedStatement(
    `The encoding of the file is not clear: it may be ${names}. Save it in the encoding UTF-8.`,
  );
}

function nameOf(encoding: string): string {
  return ENCODINGS.find((one) => one.encoding === encoding)?.name ?? encoding;
}

function linesBeyondAscii(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < bytes.length && size < LARGEST_SAMPLE_BYTES;) {
    const next = bytes.indexOf(0x0a, at);
    const line = bytes.subarray(at, next < 0 ? bytes.length : next + 1);
    at += line.length;
    if (!line.some((byte) => byte > 0x7f)) continue;
    lines.push(line.subarray(0, LARGEST_SAMPLE_BYTES));
    size += line.length;
  }
  return Buffer.concat(lines);
}

/**
 * How many of its characters beyond ASCII are letters of one language, less those that stand where
 * none would (decision 201).
 */
function readingOf(sample: Buffer, { encoding, alphabets }: Encoding) {
  const text = iconv.decode(sample, encoding);
  const found = [...text.matchAll(/[^\p{ASCII}]/gu)];
  const count = found.length;
  // Those of C1 are controls, which no text has.
  if (/[\u{80}-\u{9f}\u{fffd}]/u.test(text)) {
    return { encoding, text, count, misplaced: count, score: Number.NEGATIVE_INFINITY };
  }
  const lower = found.map(([character]) => character.toLowerCase());
  const fits = alphabets.map((letters) => lower.filter((one) => letters.has(one)).length);
  const misplaced = found.filter(({ index }) => isMisplaced(text, index)).length;
  return { encoding, text, count, misplaced, score: (Math.max(...fits) - misplaced) / count };
}

/** Capitals inside of words, signs between letters, and characters that no payer writes. */
function isMisplaced(text: string, index: number): boolean {
  const [before = '', character = '', after = ''] = [-1, 0, 1].map((by) => text[index + by]);
  if (/\p{Script=Latin}/u.test(character)) {
    return /\p{Ll}/u.test(before) && /\p{Lu}/u.test(character);
  }
  if (/[\u{a0}\u{ad}’‘´·–—…]/u.test(character)) return false;
  return (
    /[\p{L}\u{2200}-\u{25ff}]/u.test(character) || (/\p{L}/u.test(before) && /\p{L}/u.test(after))
  );
}
