import { v7 } from 'uuid';
import { randomBytesOf } from './random-bytes.js';

/** Public id prefixes: the kind of thing an id names can be read off the id. */
export type IdPrefix =
  | 'acc'
  | 'alloc'
  | 'att'
  | 'aud'
  | 'bentry'
  | 'bmap'
  | 'bstmt'
  | 'chk'
  | 'cli'
  | 'cus'
  | 'doc'
  | 'dsp'
  | 'evt'
  | 'gw'
  | 'gevt'
  | 'item'
  | 'line'
  | 'mand'
  | 'msg'
  | 'pay'
  | 'plink'
  | 'pout'
  | 'prod'
  | 'ptok'
  | 'rcpt'
  | 'rem'
  | 'rfnd'
  | 'sch'
  | 'trel'
  | 'txr'
  | 'use'
  | 'whep'
  | 'xfer';

/** `doc_01h...`: UUIDv7 in the database, type-prefixed base32 outside (TypeID). */
export type PublicId = string;

/** A UUID as PostgreSQL prints it. */
export type Uuid = string;

/** In whose name stands what belongs to no account. */
export const NO_ACCOUNT: Uuid = '00000000-0000-0000-0000-000000000000';

/** Makes ids that sort by time. Abstract class: port and injection token at once. */
export abstract class IdGenerator {
  abstract next(): Uuid;
}

/** Each is after the one before it, also within a millisecond and where the clock was set back. */
export class UuidV7Generator extends IdGenerator {
  private msecs = 0;
  private seq = 0;

  next(): Uuid {
    const random = randomBytesOf(16);
    const now = Date.now();
    this.seq = now > this.msecs ? random.readUInt32BE(6) >>> 1 : (this.seq + 1) >>> 0;
    this.msecs = now > this.msecs ? now : this.msecs + (this.seq === 0 ? 1 : 0);
    return v7({ random, msecs: this.msecs, seq: this.seq });
  }
}

/** Crockford's base32, in the order of ASCII: ids sort as their UUIDs do. */
const BASE32 = digitsOf('0123456789abcdefghjkmnpqrstvwxyz');
const HEX = digitsOf('0123456789abcdef');

/** Digits as character codes, and the value of each character code; below zero for no digit. */
function digitsOf(text: string) {
  const codes = Buffer.from(text, 'latin1');
  const values = new Int8Array(128).fill(-1);
  for (const [value, code] of codes.entries()) values[code] = value;
  return { codes, valueAt: (from: string, at: number) => values[from.charCodeAt(at)] ?? -1 };
}

const PLAIN_UUID = '00000000-0000-0000-0000-000000000000';
/** The places of the digits in a UUID's text. */
const PLACES = Array.from(PLAIN_UUID, (_, at) => at).filter((at) => PLAIN_UUID[at] === '0');
const ID_LENGTH = 26;

/** Texts are written here, digit by digit, and copied. */
const idDigits = Buffer.alloc(ID_LENGTH);
const uuidDigits = Buffer.from(PLAIN_UUID, 'latin1');

/**
 * TypeID 0.3: two letters for the first eight bits, then four for each twenty. Written here, because
 * money is told with many ids, and the library for it took 7 % of the time of a payment (decision 141).
 */
export function publicId(prefix: IdPrefix, uuid: Uuid): PublicId {
  let to = writeBase32(bitsIn(uuid, 0, 2), 0, 2);
  for (let digit = 2; digit < PLACES.length; digit += 5) {
    to = writeBase32(bitsIn(uuid, digit, 5), to, 4);
  }
  return `${prefix}_${idDigits.toString('latin1')}`;
}

/** The value of hexadecimal digits of a UUID. */
function bitsIn(uuid: Uuid, from: number, count: number): number {
  let bits = 0;
  for (let digit = from; digit < from + count; digit += 1) {
    bits = (bits << 4) | HEX.valueAt(uuid, PLACES[digit] ?? 0);
  }
  return bits;
}

/** @returns the place after the letters */
function writeBase32(bits: number, at: number, letters: number): number {
  for (let letter = 0; letter < letters; letter += 1) {
    idDigits[at + letter] = BASE32.codes[(bits >> (5 * (letters - 1 - letter))) & 31] ?? 0;
  }
  return at + letters;
}

/** The UUID inside a public id, or undefined when the text is not an id with this prefix. */
export function uuidOf(prefix: IdPrefix, text: string): Uuid | undefined {
  const start = prefix.length + 1;
  if (text.length !== start + ID_LENGTH || !text.startsWith(`${prefix}_`)) return undefined;
  const first = lettersAt(text, start, 2);
  if (first < 0 || first > 0xff) return undefined;
  let digit = writeHex(first, 0, 2);
  for (let at = start + 2; at < text.length; at += 4) {
    const bits = lettersAt(text, at, 4);
    if (bits < 0) return undefined;
    digit = writeHex(bits, digit, 5);
  }
  return uuidDigits.toString('latin1');
}

/** Below zero if one is no letter of ours. */
function lettersAt(text: string, at: number, count: number): number {
  let bits = 0;
  for (let letter = at; letter < at + count; letter += 1) {
    const value = BASE32.valueAt(text, letter);
    if (value < 0) return -1;
    bits = (bits << 5) | value;
  }
  return bits;
}

/** @returns the place after the digits */
function writeHex(bits: number, at: number, digits: number): number {
  for (let digit = 0; digit < digits; digit += 1) {
    const place = PLACES[at + digit] ?? 0;
    uuidDigits[place] = HEX.codes[(bits >> (4 * (digits - 1 - digit))) & 15] ?? 0;
  }
  return at + digits;
}
