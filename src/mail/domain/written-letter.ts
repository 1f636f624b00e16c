import type { DocumentView } from '../../documents/index.js';
import { MailRefused } from './mail-sender.js';

/** A kind of an extension: its name, and that of its letter, `ext:loyalty:thanks`. */
export type ExtensionKind = `ext:${string}:${string}`;

/** The account that a letter is written for. */
export interface LetterAccount {
  /** `acc_...` */
  id: string;
  name: string;
  mode: 'live' | 'test';
  /** BCP 47. */
  language: string;
  timeZone: string;
}

/** A letter of an extension. The house adds its frame: logo, link to the page, name of the seller. */
export interface WrittenLetter {
  /** One line. */
  subject: string;
  /** Paragraphs, with an empty line between them. */
  text: string;
  /** The same with marks: well-formed elements of text, lists and tables. Default: made of `text`. */
  html?: string;
}

export interface LetterWriter {
  write(document: DocumentView, account: LetterAccount): WrittenLetter | Promise<WrittenLetter>;
  /** The PDF of the document goes with it. */
  withPdf?: boolean | undefined;
}

const LONGEST_SUBJECT = 200;
const LONGEST_TEXT = 20_000;
const LONGEST_HTML = 100_000;
const PARTS = new Set(['subject', 'text', 'html']);
const OF_EXTENSION = /^ext:[a-z][a-z0-9]{0,29}:[a-z][a-z0-9-]{0,39}$/;

export const isExtensionKind = (kind: unknown): kind is ExtensionKind =>
  typeof kind === 'string' && OF_EXTENSION.test(kind);

/** The name of the extension that has the kind. */
export const extensionOf = (kind: string): string | undefined =>
  isExtensionKind(kind) ? kind.split(':')[1] : undefined;

/** @throws MailRefused that says what is wrong with it; HTML is judged where it is put into the frame */
export function judgedLetter(kind: ExtensionKind, written: unknown): WrittenLetter {
  const fault = faultOf(written);
  if (fault !== null) throw new MailRefused(`the letter ${kind} ${fault}`);
  return written as WrittenLetter;
}

function faultOf(written: unknown): string | null {
  if (typeof written !== 'object' || written === null) return 'is none: an object is wanted';
  const unknown = Object.keys(written).filter((part) => !PARTS.has(part));
  if (unknown.length > 0) return `has parts that no letter has: ${unknown.join(', ')}`;
  const { subject, text, html } = written as Record<string, unknown>;
  return (
    faultOfText('subject', subject, { most: LONGEST_SUBJECT, isLine: true }) ??
    faultOfText('text', text, { most: LONGEST_TEXT, isLine: false }) ??
    (html === undefined ? null : faultOfText('html', html, { most: LONGEST_HTML, isLine: false }))
  );
}

function faultOfText(
  name: string,
  text: unknown,
  { most, isLine }: { most: number; isLine: boolean },
): string | null {
  if (typeof text !== 'string' || text.trim() === '') return `has no ${name}`;
  if (text.length > most) return `has a ${name} of more than ${most} characters`;
  if ([...text].some((one) => isControl(one) && (isLine || !'\n\r\t'.includes(one))))
    return `has a ${name} with line breaks or control characters`;
  return null;
}

/** Also the breaks that only Unicode has: some programs end a header there. */
const isControl = (one: string) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(one);
