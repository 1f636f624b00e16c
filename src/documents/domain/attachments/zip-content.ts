// The list at the end of a ZIP file says what is in it. Nothing is unpacked here.

const END = 0x06054b50;
const END_BYTES = 22;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const FILE = 0x04034b50;
const FILE_BYTES = 30;
const LONGEST_COMMENT_BYTES = 65_535;
const MOST_ENTRIES = 5000;
/** By what the list says. A reader that believes it needs no more memory. */
const MOST_UNPACKED_BYTES = 268_435_456;
const IS_ENCRYPTED = 1;

interface Entry {
  name: string;
  isEncrypted: boolean;
  unpackedBytes: number;
}

const ODS = 'application/vnd.oasis.opendocument.spreadsheet';

/** Parts that a sheet has, and parts that run as programs. */
const SHEETS = {
  xlsx: {
    needs: ['[Content_Types].xml', 'xl/workbook.xml'],
    runs: /^xl\/(?:vbaProject|activeX|embeddings|macrosheets)|\.bin$/i,
    mayBe: /^xl\/(?:printerSettings\/|calcChain|sharedStrings)/i,
  },
  ods: {
    needs: ['mimetype', 'content.xml', 'META-INF/manifest.xml'],
    runs: /^(?:Basic|Scripts)\/|^Object |\.bin$/i,
    mayBe: /^$/,
  },
} as const;

/** @returns the reason not to take it */
export function flawOfSheet(bytes: Buffer, kind: keyof typeof SHEETS): string | null {
  const entries = entriesOf(bytes);
  if (entries === null) return 'is no whole ZIP file, as such sheets are';
  const { needs, runs, mayBe } = SHEETS[kind];
  const names = new Set(entries.map(({ name }) => name));
  if (needs.some((name) => !names.has(name))) return 'has not the parts of such a sheet';
  if (kind === 'ods' && !saysToBeOds(bytes)) return 'does not say that it is such a sheet';
  if (entries.some(({ isEncrypted }) => isEncrypted)) return 'is encrypted';
  if (entries.some(({ name }) => runs.test(name) && !mayBe.test(name))) {
    return 'has macros or other programs in it';
  }
  const unpacked = entries.reduce((sum, one) => sum + one.unpackedBytes, 0);
  return unpacked > MOST_UNPACKED_BYTES ? 'is too large when it is unpacked' : null;
}

/** Null for what is none: also if something stands before or behind it. */
function entriesOf(bytes: Buffer): Entry[] | null {
  const end = endOf(bytes);
  if (end === null || bytes.readUInt32LE(0) !== FILE) return null;
  const count = bytes.readUInt16LE(end + 10);
  const [size, start] = [bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)];
  if (count > MOST_ENTRIES || start + size !== end) return null;
  const entries: Entry[] = [];
  let at = start;
  while (at + ENTRY_BYTES <= end && bytes.readUInt32LE(at) === ENTRY) {
    const nameEnd = at + ENTRY_BYTES + bytes.readUInt16LE(at + 28);
    entries.push({
      name: bytes.toString('latin1', at + ENTRY_BYTES, nameEnd),
      isEncrypted: (bytes.readUInt16LE(at + 8) & IS_ENCRYPTED) !== 0,
      unpackedBytes: bytes.readUInt32LE(at + 24),
    });
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return at === end && entries.length === count ? entries : null;
}

/** The last record of the file, behind which there is nothing but its own comment. */
function endOf(bytes: Buffer): number | null {
  const first = Math.max(0, bytes.length - END_BYTES - LONGEST_COMMENT_BYTES);
  for (let at = bytes.length - END_BYTES; at >= first; at -= 1) {
    const isEnd = bytes.readUInt32LE(at) === END;
    if (isEnd && at + END_BYTES + bytes.readUInt16LE(at + 20) === bytes.length) return at;
  }
  return null;
}

/** It stands first, and is not packed, so that anybody can see it. */
function saysToBeOds(bytes: Buffer): boolean {
  const name = 'mimetype';
  const from = FILE_BYTES + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  return (
    bytes.toString('latin1', FILE_BYTES, FILE_BYTES + name.length) === name &&
    bytes.toString('latin1', from, from + ODS.length) === ODS
  );
}
