import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflate, deflateSync, inflateSync } from 'node:zlib';
import { type PdfObject, readPdf, type PrintedPdf } from './printed-pdf.js';
import { xmpPacket } from './xmp-packet.js';

// Sources: ISO 32000-1 (7.5.7 object streams, 14.7 structure, 14.8.2.2 artifacts), ISO 19005-3
// (PDF/A-3), ISO 14289-1 (PDF/UA-1). test/documents/archival-pdf.e2e-spec.ts holds the result
// against both standards.

const deflatedByThread = promisify<Buffer, Buffer>(deflate);

/** A thread costs more than it saves: to pack so much takes less than a millisecond. */
const PACKED_AT_ONCE = 65_536;

/** Fewer and the file grows; more, and a reader unpacks much for one page. */
const OBJECTS_PER_STREAM = 1_000;

/** Elements of HTML that PDF/UA-1 does not know, and those that stand for them. */
const ROLES = { Strong: 'Span', Em: 'Span' };

export interface ArchivalFacts {
  /** When the document was made: bytes depend on nothing else that passes. */
  at: Date | null;
}

/**
 * Chromium's PDF as one for archives: PDF/A-3a and PDF/UA-1, a quarter of the size, and the same
 * bytes whenever the same page is printed.
 *
 * @throws Error when the file is not as Chromium writes them
 */
export async function archivalPdf(printed: Buffer, { at }: ArchivalFacts): Promise<Buffer> {
  const pdf = await readPdf(printed);
  await rewriteStreams(pdf);
  renameElements([...pdf.objects.values()]);
  completeCatalog(pdf, { at, profile: await colourProfile() });
  return write(pdf);
}

/** Corrects what pages draw, and which characters glyphs stand for. Fonts and images stay packed. */
async function rewriteStreams(pdf: PrintedPdf): Promise<void> {
  const changes = [
    ...referenced(pdf, /\/Contents (\d+) 0 R/).map((number) => [number, withArtifacts] as const),
    ...referenced(pdf, /\/ToUnicode (\d+) 0 R/).map(
      (number) => [number, withoutNullCharacters] as const,
    ),
  ];
  for (const [number, change] of changes) {
    const object = pdf.get(number);
    const isPacked = object.body.includes('/FlateDecode');
    const bytes = object.stream ?? Buffer.alloc(0);
    const text = (isPacked ? inflateSync(bytes) : bytes).toString('latin1');
    const changed = Buffer.from(change(text), 'latin1');
    object.stream = isPacked ? await deflated(changed) : changed;
    object.body = object.body.replace(/\/Length \d+/, `/Length ${object.stream.length}`);
    // A file of many sheets lets requests in between.
    await setImmediate();
  }
}

async function deflated(bytes: Buffer): Promise<Buffer> {
  return bytes.length <= PACKED_AT_ONCE ? deflateSync(bytes) : deflatedByThread(bytes);
}

/** Fonts of one face may share a table. */
function referenced(pdf: PrintedPdf, pattern: RegExp): number[] {
  const numbers = [...pdf.objects.values()].flatMap(({ body }) => {
    const number = pattern.exec(body)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return [...new Set(numbers)];
}

const ENDS_PATH = /(?:^|\s)(?:[fFSsnBb]\*?|f\*)$/;

/** Drawings that belong to no element, like the foot of a page, become artifacts. Skia ends a line with each. */
export function withArtifacts(content: string): string {
  const lines: string[] = [];
  let depth = 0;
  let end: ((line: string) => boolean) | null = null;
  for (const line of content.split('\n')) {
    if (end === null && depth === 0) {
      end = endOfArtifact(line);
      if (end) lines.push('/Artifact BMC');
    }
    lines.push(line);
    if (end?.(line)) {
      lines.push('EMC');
      end = null;
    } else if (end === null && /\bB[DM]C$/.test(line)) depth += 1;
    else if (end === null && line === 'EMC') depth -= 1;
  }
  return lines.join('\n');
}

/** How the artifact ends that begins with a line; null where none begins. */
function endOfArtifact(line: string): ((line: string) => boolean) | null {
  if (line === 'BT') return (last) => last === 'ET';
  if (/\s(?:re|m)$/.test(line)) return (last) => ENDS_PATH.test(last);
  if (/(?:^|\s)(?:Do|sh)$/.test(line)) return () => true;
  return null;
}

/** Glyphs that are parts of letters stand for no character of their own; the word says what it is. */
export function withoutNullCharacters(table: string): string {
  return table.replaceAll(/(?<=^<[\dA-F]{4}>(?: <[\dA-F]{4}>)? )<0000>$/gm, '<FFFD>');
}

const ELEMENT = /\(node(\d+)\)/g;

/** Chromium counts elements through its whole life: they are named anew, in the order of objects. */
function renameElements(objects: PdfObject[]): void {
  const names = new Map<string, string>();
  const nameOf = (digits: string) => {
    const name = names.get(digits) ?? `(node${String(names.size).padStart(8, '0')})`;
    names.set(digits, name);
    return name;
  };
  for (const { body } of objects) {
    for (const [, digits = ''] of body.matchAll(/\/ID \(node(\d+)\)/g)) nameOf(digits);
  }
  for (const object of objects) {
    if (!object.body.includes('(node')) continue;
    object.body = object.body
      .replaceAll(ELEMENT, (_, digits: string) => nameOf(digits))
      .replace(/\/Limits \[.*\]\n\/Names \[.*\]/, inOrder);
  }
}

/** A reader looks names up by halves. */
function inOrder(tree: string): string {
  const entries = [...tree.matchAll(/(\(node\d+\)) \d+ 0 R/g)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const [first, last] = [entries[0]?.[1], entries.at(-1)?.[1]];
  return `/Limits [${first} ${last}]\n/Names [${entries.map(([entry]) => entry).join(' ')}]`;
}

let loading: Promise<Buffer> | undefined;

/** The profile of sRGB: the colours of a style sheet, for a reader that knows none. */
function colourProfile(): Promise<Buffer> {
  return (loading ??= (async () => {
    // Loaded with the first PDF, like Chromium: most commands of the operator print none.
    const { default: sharp } = await import('sharp');
    const image = { width: 1, height: 1, channels: 3, background: '#fff' } as const;
    const png = await sharp({ create: image }).withIccProfile('srgb').png().toBuffer();
    const { icc } = await sharp(png).metadata();
    if (!icc) throw new Error('sharp gave no profile of sRGB');
    return deflated(icc);
  })());
}

/** Adds all that the standards want beside the pages. */
function completeCatalog(pdf: PrintedPdf, { at, profile }: ArchivalFacts & { profile: Buffer }) {
  const catalog = pdf.get(pdf.root);
  const info = pdf.get(pdf.info);
  const title = /\/Title (\((?:\\.|[^\\)])*\)|<[\da-f]*>)/is.exec(info.body)?.[1] ?? '()';
  const language = /\/Lang \(([\w-]+)\)/.exec(catalog.body)?.[1] ?? 'und';
  const day = at && `(D:${at.toISOString().replaceAll(/\.\d+Z|\D/g, '')}+00'00')`;
  const dates = day ? [`/CreationDate ${day}`, `/ModDate ${day}`] : [];
  const facts = [`/Title ${title}`, '/Creator (Quittance)', '/Producer (Quittance)', ...dates];
  info.body = `<<${facts.join('\n')}>>`;
  const xmp = Buffer.from(xmpPacket({ title: textOf(title), language, at }));
  const metadata = pdf.add(`<</Type /Metadata\n/Subtype /XML\n/Length ${xmp.length}>>`, xmp);
  const intent = pdf.add(`<</N 3\n/Filter /FlateDecode\n/Length ${profile.length}>>`, profile);
  catalog.body = withEntries(
    catalog.body,
    `/Metadata ${metadata} 0 R`,
    '/OutputIntents [<</Type /OutputIntent',
    '/S /GTS_PDFA1',
    '/OutputConditionIdentifier (sRGB)',
    `/DestOutputProfile ${intent} 0 R>>]`,
  );
  const tree = /\/StructTreeRoot (\d+) 0 R/.exec(catalog.body)?.[1];
  // An empty page has no elements.
  if (tree === undefined) return;
  const roles = Object.entries(ROLES).map(([role, standard]) => `/${role} /${standard}`);
  const elements = pdf.get(Number(tree));
  elements.body = withEntries(elements.body, `/RoleMap <<${roles.join(' ')}>>`);
}

function withEntries(dictionary: string, ...entries: string[]): string {
  return `${dictionary.slice(0, -2)}\n${entries.join('\n')}>>`;
}

/** A string of a PDF: literal in ASCII, or hexadecimal digits in UTF-16. */
function textOf(string: string): string {
  if (string.startsWith('(')) return string.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
  const bytes = Buffer.from(string.slice(1, -1), 'hex').subarray(2);
  return bytes.swap16().toString('utf16le');
}

/** The place of an object: a byte of the file, or an index in a stream of objects. */
type Place = [kind: 1 | 2, where: number, index: number];

async function write(pdf: PrintedPdf): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const places = new Map<number, Place>();
  const put = (chunk: Buffer | string) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk;
    chunks.push(bytes);
    size += bytes.length;
  };
  const putStream = ({ number, body, stream }: PdfObject) => {
    places.set(number, [1, size, 0]);
    put(`${number} 0 obj\n${body} stream\n`);
    put(stream ?? Buffer.alloc(0));
    put('\nendstream\nendobj\n');
  };
  put('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
  const all = [...pdf.objects.values()];
  const [streams, plain] = [
    all.filter(({ stream }) => stream),
    all.filter(({ stream }) => !stream),
  ];
  streams.forEach(putStream);
  for (let first = 0; first < plain.length; first += OBJECTS_PER_STREAM) {
    const group = plain.slice(first, first + OBJECTS_PER_STREAM);
    const number = pdf.nextNumber();
    group.forEach((object, index) => places.set(object.number, [2, number, index]));
    putStream({ number, ...(await objectStream(group)) });
  }
  const start = size;
  const number = pdf.nextNumber();
  places.set(number, [1, start, 0]);
  const table = await deflated(crossReferences(places, number + 1));
  const id = createHash('sha256');
  for (const chunk of chunks) id.update(chunk);
  const hash = id.digest('hex').slice(0, 32);
  put(
    `${number} 0 obj\n<</Type /XRef\n/Size ${number + 1}\n/W [1 4 2]\n/Root ${pdf.root} 0 R\n` +
      `/Info ${pdf.info} 0 R\n/ID [<${hash}> <${hash}>]\n/Filter /FlateDecode\n` +
      `/Length ${table.length}>> stream\n`,
  );
  put(table);
  put(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat(chunks);
}

async function objectStream(group: PdfObject[]): Promise<Pick<PdfObject, 'body' | 'stream'>> {
  let offset = 0;
  const heads = group.map(({ number, body }) => {
    const head = `${number} ${offset}`;
    offset += body.length + 1;
    return head;
  });
  const head = `${heads.join(' ')}\n`;
  const text = head + group.map(({ body }) => `${body}\n`).join('');
  const stream = await deflated(Buffer.from(text, 'latin1'));
  const body =
    `<</Type /ObjStm\n/N ${group.length}\n/First ${head.length}\n/Filter /FlateDecode\n` +
    `/Length ${stream.length}>>`;
  return { body, stream };
}

/** Seven bytes for each number of an object: kind, where, index. */
function crossReferences(places: Map<number, Place>, size: number): Buffer {
  const table = Buffer.alloc(size * 7);
  table.writeUInt16BE(65_535, 5);
  for (const [number, [kind, where, index]] of places) {
    table.writeUInt8(kind, number * 7);
    table.writeUInt32BE(where, number * 7 + 1);
    table.writeUInt16BE(index, number * 7 + 5);
  }
  return table;
}
