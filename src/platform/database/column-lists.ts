/** How PostgreSQL takes a value in binary: of one size, or as text or bytes of any length. */
interface OneSize {
  bytes: number;
  write(value: unknown, into: Buffer, at: number): void;
}
interface AnyLength {
  contentOf(value: unknown): string | Buffer;
  /** Before the content: the version of the format. */
  version?: number;
}
/** The oid is the same in every database. */
type ListType = { oid: number } & (OneSize | AnyLength);

const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
const EPOCH_MS = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;

const TYPES: Readonly<Record<string, ListType>> = {
  uuid: { oid: 2950, bytes: 16, write: (value, into, at) => writeUuid(String(value), into, at) },
  text: { oid: 25, contentOf: String },
  jsonb: { oid: 3802, contentOf: jsonOf, version: 1 },
  bytea: { oid: 17, contentOf: (value) => value as Buffer },
  bigint: {
    oid: 20,
    bytes: 8,
    write: (value, into, at) => into.writeBigInt64BE(BigInt(value as bigint | number), at),
  },
  integer: { oid: 23, bytes: 4, write: (value, into, at) => into.writeInt32BE(whole(value), at) },
  smallint: { oid: 21, bytes: 2, write: (value, into, at) => into.writeInt16BE(whole(value), at) },
  boolean: { oid: 16, bytes: 1, write: (value, into, at) => into.writeUInt8(whole(value), at) },
  timestamptz: {
    oid: 1184,
    bytes: 8,
    // Microseconds.
    write: (value, into, at) =>
      into.writeBigInt64BE(BigInt((value as Date).getTime() - EPOCH_MS) * 1000n, at),
  },
  date: {
    oid: 1082,
    bytes: 4,
    write: (value, into, at) =>
      into.writeInt32BE(whole((Date.parse(`${String(value)}T00:00Z`) - EPOCH_MS) / DAY_MS), at),
  },
};

/** Whether columns of these types can be sent as lists. */
export function canBeLists(types: readonly string[]): boolean {
  return types.every((type) => Object.hasOwn(TYPES, type));
}

/**
 * The values of a column in many rows as one parameter, a binary array that PostgreSQL takes
 * without parsing. `unnest` makes rows of several. For 30 rows that costs PostgreSQL half of what a
 * parameter for each value does.
 * @param values at least one, each as it would be sent alone
 * @throws RangeError or TypeError for a value that is none of the type
 * @source PostgreSQL, `array_recv` in src/backend/utils/adt/arrayfuncs.c
 */
export function columnList(type: string, values: readonly unknown[]): Buffer {
  const kind = TYPES[type];
  if (!kind) throw new TypeError(`${type} cannot be sent as a list`);
  return 'bytes' in kind ? listOfOneSize(kind, values) : listOfAnyLength(kind, values);
}

function listOfOneSize(kind: { oid: number } & OneSize, values: readonly unknown[]): Buffer {
  const nulls = values.reduce((count: number, value) => count + Number(isNull(value)), 0);
  const content = (values.length - nulls) * kind.bytes;
  const list = begin(kind.oid, values.length, nulls > 0, content);
  let at = HEAD_BYTES;
  for (const value of values) {
    const length = isNull(value) ? NULL_LENGTH : kind.bytes;
    list.writeInt32BE(length, at);
    at += LENGTH_BYTES;
    if (length === NULL_LENGTH) continue;
    kind.write(value, list, at);
    at += length;
  }
  return list;
}

function listOfAnyLength(
  { oid, contentOf, version }: { oid: number } & AnyLength,
  values: readonly unknown[],
): Buffer {
  const before = version === undefined ? 0 : 1;
  const contents = values.map((value) => (isNull(value) ? null : contentOf(value)));
  const lengths = contents.map((one) => (one === null ? NULL_LENGTH : before + lengthOf(one)));
  const content = lengths.reduce((sum, length) => sum + Math.max(0, length), 0);
  const list = begin(oid, values.length, contents.includes(null), content);
  let at = HEAD_BYTES;
  for (const [index, one] of contents.entries()) {
    list.writeInt32BE(lengths[index] ?? NULL_LENGTH, at);
    at += LENGTH_BYTES;
    if (one === null) continue;
    if (version !== undefined) at = list.writeUInt8(version, at);
    at += typeof one === 'string' ? list.write(one, at) : one.copy(list, at);
  }
  return list;
}

/** Dimensions, whether there are nulls, type; then of the one dimension its size and first index. */
function begin(oid: number, count: number, hasNulls: boolean, contentBytes: number): Buffer {
  const list = Buffer.allocUnsafe(HEAD_BYTES + count * LENGTH_BYTES + contentBytes);
  list.writeInt32BE(1, 0);
  list.writeInt32BE(Number(hasNulls), 4);
  list.writeInt32BE(oid, 8);
  list.writeInt32BE(count, 12);
  list.writeInt32BE(1, 16);
  return list;
}

function isNull(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function lengthOf(content: string | Buffer): number {
  return typeof content === 'string' ? Buffer.byteLength(content) : content.length;
}

/** Buffers write NaN as 0. */
function whole(value: unknown): number {
  const number = Number(value);
  if (!Number.isInteger(number)) throw new RangeError('not a whole number');
  return number;
}

/** A text is JSON already. */
function jsonOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const DASH = '-'.charCodeAt(0);
/** The value of a hexadecimal digit, by its character code. */
const DIGITS = Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? undefined : digit;
});

function writeUuid(uuid: string, into: Buffer, start: number): void {
  let at = start;
  for (let from = 0; from < uuid.length; from += 2) {
    if (uuid.charCodeAt(from) === DASH) from += 1;
    into[at] = (digitAt(uuid, from) << 4) | digitAt(uuid, from + 1);
    at += 1;
  }
  if (at !== start + 16) throw new RangeError('not a UUID');
}

function digitAt(text: string, at: number): number {
  const digit = DIGITS[text.charCodeAt(at)];
  if (digit === undefined) throw new RangeError('not a UUID');
  return digit;
}
