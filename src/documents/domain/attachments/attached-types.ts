import { type AttachedType } from '../../../kernel/attachment-limits.js';
import { DocumentRefusal } from '../refusals.js';
import { flawOfPdf } from './pdf-content.js';
import { flawOfSheet } from './zip-content.js';

interface TypeOfFile {
  /** The first is the usual one. */
  endings: readonly string[];
  /** @returns the reason not to take it, as the end of a sentence about the file */
  flaw(bytes: Buffer): string | null;
}

const begins = (bytes: Buffer, hex: string) =>
  bytes.subarray(0, hex.length / 2).equals(Buffer.from(hex, 'hex'));

const UTF8 = new TextDecoder('utf-8', { fatal: true });

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/;

/** Pages, scripts and PDFs are text as well. */
const OF_ANOTHER_KIND = /^\s*(?:%PDF-|<|#!|\{\\rtf)/;

/** Files are known by their bytes: neither their names nor what is said of them counts. */
const TYPES: Record<AttachedType, TypeOfFile> = {
  'application/pdf': { endings: ['pdf'], flaw: flawOfPdf },
  'image/png': {
    endings: ['png'],
    flaw: (bytes) =>
      begins(bytes, '89504e470d0a1a0a0000000d49484452') && bytes.includes('IEND')
        ? null
        : 'is no whole PNG',
  },
  'image/jpeg': {
    endings: ['jpg', 'jpeg'],
    flaw: (bytes) =>
      begins(bytes, 'ffd8ff') && bytes.includes(Buffer.from('ffd9', 'hex'))
        ? null
        : 'is no whole JPEG',
  },
  'text/csv': { endings: ['csv'], flaw: flawOfText },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
    endings: ['xlsx'],
    flaw: (bytes) => flawOfSheet(bytes, 'xlsx'),
  },
  'application/vnd.oasis.opendocument.spreadsheet': {
    endings: ['ods'],
    flaw: (bytes) => flawOfSheet(bytes, 'ods'),
  },
};

function flawOfText(bytes: Buffer): string | null {
  try {
    const text = UTF8.decode(bytes);
    if (OF_ANOTHER_KIND.test(text)) return 'is text of another kind';
    return CONTROL.test(text) ? 'has control characters' : null;
  } catch {
    return 'is not text in UTF-8';
  }
}

/** @throws DomainError `invalid_attachment` */
export function assertContent(bytes: Buffer, type: AttachedType): void {
  const flaw = bytes.length === 0 ? 'is empty' : TYPES[type].flaw(bytes);
  if (flaw === null) return;
  throw DocumentRefusal.invalid_attachment.of(`The file ${flaw}; send another one as ${type}.`);
}

export function typeOfName(name: string): AttachedType | null {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const found = Object.entries(TYPES).find(([, { endings }]) => endings.includes(ending));
  return (found?.[0] as AttachedType | undefined) ?? null;
}
