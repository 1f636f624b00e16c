import { type BankStatementFile, malformedStatement } from '../domain/bank-statement.js';

interface OtherFormat {
  name: string;
  /** How it begins, a character for each byte. */
  begins: string | RegExp;
  /** Default: another export of the bank. */
  instead?: string;
}

const EXPORT = 'Export camt.053, MT940 or CSV at your bank instead.';
const AS_CSV = 'Save it as CSV in UTF-8, and send that as text/csv.';

const OTHERS: readonly OtherFormat[] = [
  { name: 'PDF', begins: /^%PDF-/ },
  {
    name: 'an Excel file',
    begins: /^PK[^]{28}(?:\[Content_Types|xl\/|docProps|_rels)/,
    instead: AS_CSV,
  },
  {
    name: 'a zip archive',
    begins: 'PK\u{3}\u{4}',
    instead: 'Unpack it, and send each file in it.',
  },
  {
    name: 'packed with gzip',
    begins: '\u{1f}\u{8b}',
    instead: 'Unpack it, and send the file in it.',
  },
  { name: 'an Excel file', begins: '\u{d0}\u{cf}\u{11}\u{e0}', instead: AS_CSV },
  {
    name: 'OFX (QFX, QBO, Quicken or QuickBooks)',
    begins: /^\s*(?:OFXHEADER:|<OFX>|<\?OFX\s)|<OFX>/,
  },
  { name: 'QIF', begins: /^\s*!(?:Type|Account|Option|Clear):?/i },
  { name: 'BAI2', begins: /^01,[^,\n]{1,40},[^,\n]{1,40},\d{6},\d{0,4},/ },
  { name: 'CODA', begins: /^0{5}\d{9}05/ },
  {
    name: 'MT942, whose entries of the day may still change',
    begins: /\{2:[IO]942/,
    instead: 'Export MT940 or camt.053 instead.',
  },
  { name: 'a page of a web site', begins: /^\s*<(?:!doctype )?html/i },
  { name: 'RTF', begins: /^\{\\rtf/ },
];

/** As much as shows what a file is. */
const HEAD_BYTES = 2_000;

/** @throws DomainError `malformed_statement` that names the format, and says what to export */
export function refuseOtherFormats(bytes: Buffer, format: BankStatementFile['format']): void {
  const start = bytes.subarray(0, 3).equals(Buffer.from('\ufeff')) ? 3 : 0;
  const head = bytes.toString('latin1', start, HEAD_BYTES);
  const other = OTHERS.find(({ begins }) =>
    typeof begins === 'string' ? head.startsWith(begins) : begins.test(head),
  );
  if (other) {
    throw malformedStatement(`The file is ${other.name}. ${other.instead ?? EXPORT}`);
  }
  const own = ownFormat(head);
  if (!own || own.format === format) return;
  throw malformedStatement(`The file is ${own.name}: send it with Content-Type: ${own.type}.`);
}

/** One that is read here, if it is sent as what it is. */
function ownFormat(head: string) {
  if (/^\s*<(?:\?xml|Document)[\s>]/.test(head)) {
    return { format: 'camt', name: 'XML', type: 'application/xml' };
  }
  // A table has no line that begins so.
  const isMessage = /^:20:/m.test(head) && /^:25P?:/m.test(head);
  return isMessage ? { format: 'mt940', name: 'MT940', type: 'text/plain' } : undefined;
}
