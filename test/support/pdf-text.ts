import { inflateSync } from 'node:zlib';

interface PdfObject {
  dictionary: string;
  /** Inflated. */
  stream: string;
}

/**
 * The text that a reader's search or screen reader finds in a PDF of ours. It is the text layer,
 * decoded by the fonts' own tables, one line an element, in the order of drawing. Glyphs that a
 * table does not name are `\ufffd`.
 */
export function textOf(pdf: Buffer): string {
  return pageTextsOf(pdf).join('\n');
}

/** The same of each page. */
export function pageTextsOf(pdf: Buffer): string[] {
  return pagesOf(pdf).map(({ content, tableOf }) => drawnText(content, tableOf));
}

interface Page {
  /** Its drawing operators. */
  content: string;
  /** In points. */
  height: number;
  /** The characters of a font's glyphs. */
  tableOf: (font: string) => ReadonlyMap<string, string>;
}

/** The sheets of a PDF of ours, in their order. */
export function pagesOf(pdf: Buffer): Page[] {
  const objects = objectsOf(pdf);
  const tables = new Map<string, Map<string, string>>();
  const tableOf = (font: string): Map<string, string> => {
    const known = tables.get(font);
    if (known) return known;
    const id = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font)?.dictionary ?? '')?.[1] ?? '';
    const table = unicodeTable(objects.get(id)?.stream ?? '');
    tables.set(font, table);
    return table;
  };
  const pages = [...objects.values()].filter(({ dictionary }) =>
    /\/Type\s*\/Page\b(?!s)/.test(dictionary),
  );
  return pages.map(({ dictionary }) => {
    const fonts = new Map(
      [...dictionary.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id = '']) => [name, id]),
    );
    const contents = /\/Contents (\d+) 0 R/.exec(dictionary)?.[1] ?? '';
    return {
      content: objects.get(contents)?.stream ?? '',
      height: Number(/\/MediaBox ?\[0 0 [\d.]+ ([\d.]+)\]/.exec(dictionary)?.[1]),
      tableOf: (name) => tableOf(fonts.get(name) ?? ''),
    };
  });
}

/** All of a PDF in the open, for a search in its dictionaries and drawing operators. */
export function openedPdf(pdf: Buffer): string {
  return [...objectsOf(pdf).values()]
    .filter(({ dictionary }) => !dictionary.includes('/ObjStm'))
    .map(({ dictionary, stream }) => `${dictionary}\n${stream}`)
    .join('\n');
}

function objectsOf(bytes: Buffer): Map<string, PdfObject> {
  const pdf = bytes.toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const { 0: start, 1: id = '', index } of pdf.matchAll(/(?<=^|\n)(\d+) 0 obj\n/g)) {
    const begin = index + start.length;
    const body = pdf.slice(begin, pdf.indexOf('endobj', begin));
    const cut = body.indexOf('stream\n');
    const dictionary = cut < 0 ? body : body.slice(0, cut);
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1] ?? 0);
    const at = begin + cut + 'stream\n'.length;
    const packed = cut < 0 ? '' : pdf.slice(at, at + length);
    objects.set(id, { dictionary, stream: inflated(dictionary, packed) });
  }
  for (const { dictionary, stream } of objects.values()) {
    if (!/\/Type ?\/ObjStm\b/.test(dictionary)) continue;
    for (const [id, body] of packedIn(dictionary, stream)) {
      objects.set(id, { dictionary: body, stream: '' });
    }
  }
  return objects;
}

/** The objects of a stream of objects: their numbers and places first, then the objects. */
function packedIn(dictionary: string, stream: string): [id: string, body: string][] {
  const first = Number(/\/First (\d+)/.exec(dictionary)?.[1]);
  const places = [...stream.slice(0, first).matchAll(/(\d+) (\d+)/g)];
  return places.map(([, id = '', from], at) => {
    const to = places[at + 1]?.[2];
    return [id, stream.slice(first + Number(from), to ? first + Number(to) : undefined)];
  });
}

function inflated(dictionary: string, bytes: string): string {
  if (!dictionary.includes('/FlateDecode')) return bytes;
  return inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1');
}

/** Glyph number, four hexadecimal digits, to text. */
function unicodeTable(cmap: string): Map<string, string> {
  const table = new Map<string, string>();
  for (const [, rows = ''] of cmap.matchAll(/beginbfchar([^]*?)endbfchar/g)) {
    for (const [, glyph = '', text = ''] of rows.matchAll(/<(\w+)>\s*<(\w+)>/g)) {
      table.set(glyph.toUpperCase(), utf16(text));
    }
  }
  for (const [, rows = ''] of cmap.matchAll(/beginbfrange([^]*?)endbfrange/g)) {
    for (const [, from = '', to = '', text = ''] of rows.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      const first = Number.parseInt(from, 16);
      for (let glyph = first; glyph <= Number.parseInt(to, 16); glyph += 1) {
        const code = Number.parseInt(text, 16) + glyph - first;
        table.set(hex(glyph), utf16(code.toString(16).padStart(text.length, '0')));
      }
    }
  }
  return table;
}

// The choice of a font, text that stands for glyphs, glyphs, the element that they belong to, and
// the ends of blocks. One word may be drawn with several fonts.
const OPERATORS =
  /\/(F\d+) [\d.-]+ Tf|\/ActualText <FEFF([^>]*)>|<([\da-fA-F]+)> Tj|\/MCID (\d+)|\b(EMC|BT|ET)\b|\/ReversedChars (BMC)/g;

function drawnText(content: string, tableOf: Page['tableOf']): string {
  let table: ReadonlyMap<string, string> = new Map();
  const elements: Element[] = [];
  let number = '';
  let block: Block = { pieces: [], isReversed: false };
  let isNamed = false;
  for (const [, font, actual, glyphs, next, bound, reversed] of content.matchAll(OPERATORS)) {
    if (font !== undefined) table = tableOf(font);
    else if (next !== undefined && next !== number) {
      elements.push([]);
      number = next;
    } else if (reversed !== undefined) block.isReversed = true;
    else if (actual !== undefined) {
      block.pieces.push(utf16(actual));
      isNamed = true;
    } else if (bound === 'EMC') isNamed = false;
    else if (bound === 'BT') {
      block = { pieces: [], isReversed: false };
      if (elements.length === 0) elements.push([]);
      elements.at(-1)?.push(block);
    } else if (glyphs !== undefined && !isNamed) {
      const numbers = glyphs.toUpperCase().match(/.{4}/g) ?? [];
      block.pieces.push(...numbers.map((glyph) => table.get(glyph) ?? '\ufffd'));
    }
  }
  return elements.map(readable).join('\n');
}

/** Pieces of text from left to right; those of a script from right to left say so. */
interface Block {
  pieces: string[];
  isReversed: boolean;
}
type Element = Block[];

function readable(element: Element): string {
  const isReversed = element.some((block) => block.isReversed);
  return (isReversed ? element.toReversed() : element)
    .map((block) => (block.isReversed ? block.pieces.toReversed() : block.pieces).join(''))
    .join('');
}

function utf16(digits: string): string {
  return (digits.match(/.{4}/g) ?? [])
    .map((unit) => String.fromCharCode(Number.parseInt(unit, 16)))
    .join('');
}

function hex(glyph: number): string {
  return glyph.toString(16).toUpperCase().padStart(4, '0');
}
