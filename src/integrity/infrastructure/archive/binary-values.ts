/** A value as record_send writes it. */
export interface BinaryValue {
  /** The id of PostgreSQL's own type, the same in every database. */
  type: number;
  /** Null: SQL's NULL. */
  bytes: Buffer | null;
}

/** Of the types that sealed tables have. Another one is shown by its bytes. */
const TYPES: Record<number, { name: string; json(bytes: Buffer): string }> = {
  16: { name: 'boolean', json: (bytes) => (bytes.readInt8() === 0 ? 'false' : 'true') },
  17: { name: 'bytea', json: (bytes) => JSON.stringify(`\\x${bytes.toString('hex')}`) },
  20: { name: 'bigint', json: (bytes) => `${bytes.readBigInt64BE()}` },
  21: { name: 'smallint', json: (bytes) => `${bytes.readInt16BE()}` },
  23: { name: 'integer', json: (bytes) => `${bytes.readInt32BE()}` },
  25: { name: 'text', json: (bytes) => JSON.stringify(utf8In(bytes)) },
  869: { name: 'inet', json: (bytes) => addressJson(bytes) },
  1009: { name: 'text[]', json: (bytes) => list(bytes) },
  1043: { name: 'varchar', json: (bytes) => JSON.stringify(utf8In(bytes)) },
  1082: { name: 'date', json: (bytes) => dateJson(bytes.readInt32BE()) },
  1184: { name: 'timestamptz', json: (bytes) => instantJson(bytes.readBigInt64BE()) },
  1700: { name: 'numeric', json: (bytes) => numericJson(bytes) },
  2950: { name: 'uuid', json: (bytes) => JSON.stringify(uuidIn(bytes)) },
  2951: { name: 'uuid[]', json: (bytes) => list(bytes) },
  3802: { name: 'jsonb', json: (bytes) => jsonbText(bytes) },
};

const EPOCH_MS = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;

export const typeName = (type: number): string => TYPES[type]?.name ?? `type ${type}`;

/**
 * The values of a row in the form of record_send.
 * @throws RangeError where the bytes are none
 */
export function valuesIn(record: Buffer): BinaryValue[] {
  const count = record.readInt32BE();
  const values: BinaryValue[] = [];
  let at = 4;
  for (let index = 0; index < count; index += 1) {
    const type = record.readUInt32BE(at);
    const length = record.readInt32BE(at + 4);
    at += 8;
    const end = at + Math.max(0, length);
    if (end > record.length) throw new RangeError('a value ends behind its row');
    values.push({ type, bytes: length < 0 ? null : record.subarray(at, end) });
    at = end;
  }
  if (at !== record.length) throw new RangeError('a row ends behind its values');
  return values;
}

/** As JSON that a person can read: numbers exact, instants in UTC. Only the bytes are proven. */
export function jsonOf({ type, bytes }: BinaryValue): string {
  if (bytes === null) return 'null';
  return TYPES[type]?.json(bytes) ?? JSON.stringify({ type, hex: bytes.toString('hex') });
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const utf8In = (bytes: Buffer): string => UTF8.decode(bytes);

/** Behind the number of its form, as jsonb's own text. */
export const jsonbText = (bytes: Buffer): string => utf8In(bytes.subarray(1));

export function uuidIn(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20)].join('-');
}

/** PostgreSQL's infinities, and years that no ISO date has, are so many days from the year 2000. */
function dateJson(days: number): string {
  const text = isoOf(EPOCH_MS + days * DAY_MS)?.slice(0, 10);
  return text === undefined ? `${days}` : JSON.stringify(text);
}

function instantJson(micros: bigint): string {
  const part = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = (micros - part) / 1_000_000n;
  const text = isoOf(EPOCH_MS + Number(seconds) * 1000)?.slice(0, 19);
  if (text === undefined) return `${micros}`;
  return JSON.stringify(`${text}.${`${part}`.padStart(6, '0')}Z`);
}

function isoOf(ms: number): string | undefined {
  const date = new Date(ms);
  const year = Number.isNaN(date.getTime()) ? -1 : date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? date.toISOString() : undefined;
}

const NEGATIVE = 0x4000;
const NOT_FINITE: Record<number, string> = { 49152: 'NaN', 53248: 'Infinity', 61440: '-Infinity' };

/** Digits of 10,000, the first of which stands `weight` before the point. */
function numericJson(bytes: Buffer): string {
  const [count, weight] = [bytes.readInt16BE(0), bytes.readInt16BE(2)];
  const [sign, scale] = [bytes.readUInt16BE(4), bytes.readUInt16BE(6)];
  const name = NOT_FINITE[sign];
  if (name !== undefined) return JSON.stringify(name);
  const digit = (place: number) =>
    `${place >= 0 && place < count ? bytes.readInt16BE(8 + 2 * place) : 0}`.padStart(4, '0');
  let whole = '';
  for (let place = 0; place <= weight; place += 1) whole += digit(place);
  let part = '';
  for (let place = weight + 1; part.length < scale; place += 1) part += digit(place);
  const shown = whole.replace(/^0+(?=\d)/, '') || '0';
  return `${sign === NEGATIVE ? '-' : ''}${shown}${scale > 0 ? `.${part.slice(0, scale)}` : ''}`;
}

const INET_4 = 2;

/** Behind family, bits of the net, a mark and a length. */
function addressJson(bytes: Buffer): string {
  const address = bytes.subarray(4);
  const is4 = bytes.readUInt8(0) === INET_4;
  const groups = is4
    ? [...address].join('.')
    : Array.from({ length: 8 }, (_, at) => address.readUInt16BE(2 * at).toString(16)).join(':');
  const bits = bytes.readUInt8(1);
  return JSON.stringify(bits === address.length * 8 ? groups : `${groups}/${bits}`);
}

/** Of one dimension, as all of ours are. */
function list(bytes: Buffer): string {
  const dimensions = bytes.readInt32BE(0);
  const type = bytes.readUInt32BE(8);
  if (dimensions === 0) return '[]';
  const shown: string[] = [];
  for (let at = 20; at < bytes.length;) {
    const length = bytes.readInt32BE(at);
    at += 4;
    const end = at + Math.max(0, length);
    shown.push(jsonOf({ type, bytes: length < 0 ? null : bytes.subarray(at, end) }));
    at = end;
  }
  return `[${shown.join(',')}]`;
}
