import { setImmediate } from 'node:timers/promises';

/** An object of a PDF, with its bytes where it is a stream. */
export interface PdfObject {
  number: number;
  /** All but the bytes of a stream, in Latin-1. */
  body: string;
  stream: Buffer | null;
}

const READ_AT_ONCE = 5000;
const STREAM = /^(<<.*?>>) stream\n/s;

/**
 * The objects of a PDF as Chromium's Skia writes it: one table of references, each object once and
 * in the open, lengths of streams in their own dictionaries. It reads no other PDF (decision 136).
 */
export class PrintedPdf {
  constructor(
    /** In the order of their numbers. */
    readonly objects: Map<number, PdfObject>,
    readonly root: number,
    readonly info: number,
    private last: number,
  ) {}

  /** @throws Error */
  get(number: number): PdfObject {
    const object = this.objects.get(number);
    if (!object) throw unknownForm(`object ${number} is missing`);
    return object;
  }

  nextNumber(): number {
    this.last += 1;
    return this.last;
  }

  /** @returns its number */
  add(body: string, stream: Buffer): number {
    const number = this.nextNumber();
    this.objects.set(number, { number, body, stream });
    return number;
  }
}

/** @throws Error where it is not as Skia writes it */
export async function readPdf(bytes: Buffer): Promise<PrintedPdf> {
  const text = bytes.toString('latin1');
  const start = Number(/startxref\n(\d+)\n%%EOF\s*$/.exec(text.slice(-100))?.[1] ?? Number.NaN);
  const table = /^xref\n0 (\d+)\n/.exec(text.slice(start, start + 40));
  const trailer = /trailer\n<<\/Size (\d+)\n\/Root (\d+) 0 R\n\/Info (\d+) 0 R>>/.exec(
    text.slice(start),
  );
  if (!table || !trailer) throw unknownForm('it has no plain table of references');
  const [head, count = '0'] = table;
  const offsets = new Map<number, number>();
  for (let number = 1; number < Number(count); number += 1) {
    const entry = text.slice(start + head.length + number * 20).slice(0, 18);
    if (entry.endsWith('n')) offsets.set(number, Number(entry.slice(0, 10)));
  }
  const starts = [...offsets.values(), start].toSorted((one, other) => one - other);
  const ends = new Map(starts.map((from, at) => [from, starts[at + 1]]));
  const objects = new Map<number, PdfObject>();
  for (const [number, from] of offsets) {
    const to = ends.get(from) ?? start;
    objects.set(number, readObject(number, text.slice(from, to), bytes.subarray(from, to)));
    // A file of many lines lets requests in between.
    if (objects.size % READ_AT_ONCE === 0) await setImmediate();
  }
  return new PrintedPdf(objects, Number(trailer[2]), Number(trailer[3]), Number(trailer[1]) - 1);
}

function readObject(number: number, text: string, bytes: Buffer): PdfObject {
  const head = `${number} 0 obj\n`;
  if (!text.startsWith(head)) throw unknownForm(`object ${number} is not where the table says`);
  const isStream = text.endsWith('\nendstream\nendobj\n');
  const end = isStream ? '\nendstream\nendobj\n' : '\nendobj\n';
  if (!text.endsWith(end)) throw unknownForm(`object ${number} has no end`);
  const inner = text.slice(head.length, -end.length);
  if (!isStream) return { number, body: inner, stream: null };
  const [start, body = ''] = STREAM.exec(inner) ?? [];
  if (start === undefined) throw unknownForm(`object ${number} has no dictionary`);
  const from = head.length + start.length;
  return { number, body, stream: bytes.subarray(from, bytes.length - end.length) };
}

function unknownForm(detail: string): Error {
  return new Error(`the PDF is not as Chromium writes them: ${detail}`);
}

/**
 * The sheets on which the rows of the first tables are, from 0. Rows of tables in their cells do not
 * count.
 */
export function sheetsOfRows(pdf: PrintedPdf, tables = 1): number[] {
  const sheets = new Map(
    sheetsIn(pdf, reference(pdf.get(pdf.root), /\/Pages (\d+) 0 R/)).map((one, at) => [one, at]),
  );
  const tree = reference(pdf.get(pdf.root), /\/StructTreeRoot (\d+) 0 R/);
  return elements(pdf, tree, 'Table')
    .slice(0, tables)
    .flatMap((table) => elements(pdf, table, 'TR'))
    .map((row) => sheets.get(sheetOf(pdf, row) ?? 0) ?? 0);
}

/** The objects of pages, in their order. */
function sheetsIn(pdf: PrintedPdf, node: number): number[] {
  const { body } = pdf.get(node);
  if (!/\/Type \/Pages\b/.test(body)) return [node];
  return references(/\/Kids \[([^\]]*)\]/.exec(body)?.[1]).flatMap((kid) => sheetsIn(pdf, kid));
}

/** The outermost elements of a kind within another one. */
function elements(pdf: PrintedPdf, within: number, kind: string): number[] {
  return kidsOf(pdf, within).flatMap((kid) => {
    const [, found] = /\/S \/(\w+)/.exec(pdf.get(kid).body) ?? [];
    return found === kind ? [kid] : elements(pdf, kid, kind);
  });
}

function sheetOf(pdf: PrintedPdf, element: number): number | undefined {
  const own = /\/Pg (\d+) 0 R/.exec(pdf.get(element).body)?.[1];
  if (own !== undefined) return Number(own);
  for (const kid of kidsOf(pdf, element)) {
    const found = sheetOf(pdf, kid);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A kid without `R` is drawn content, not an element. */
function kidsOf(pdf: PrintedPdf, element: number): number[] {
  const { body } = pdf.get(element);
  return references(/\/K (\[[^\]]*\]|\d+ 0 R)/.exec(body)?.[1]);
}

function reference({ number, body }: PdfObject, pattern: RegExp): number {
  const found = pattern.exec(body)?.[1];
  if (found === undefined) throw unknownForm(`object ${number} has no ${pattern.source}`);
  return Number(found);
}

function references(list = ''): number[] {
  return [...list.matchAll(/(?<!\d)(\d{1,10}) 0 R/g)].map(([, number]) => Number(number));
}
