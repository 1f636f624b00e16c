import { inflateSync } from 'node:zlib';

/** A PDF as `archivalPdf` writes it: one stream of references, and plain objects in streams of objects. */
export interface OurPdf {
  bytes: Buffer;
  /** Of its references. */
  start: number;
  size: number;
  root: number;
  info: number;
  /** In hexadecimal digits. */
  id: string;
  references: Buffer;
}

const REFERENCES =
  /^\d+ 0 obj\n<<\/Type \/XRef\n\/Size (\d+)\n\/W \[1 4 2\]\n\/Root (\d+) 0 R\n\/Info (\d+) 0 R\n\/ID \[<(\w+)> <\w+>\]\n\/Filter \/FlateDecode\n\/Length (\d+)>> stream\n/;

/** A reference has a kind, a place, and an index. */
const REFERENCE_BYTES = 7;

/** @throws Error where it is another PDF */
export function readOurPdf(bytes: Buffer): OurPdf {
  const end = /startxref\n(\d+)\n%%EOF\n$/.exec(bytes.subarray(-64).toString('latin1'));
  const start = whole(end?.[1]);
  const head = REFERENCES.exec(bytes.subarray(start, start + 512).toString('latin1'));
  if (!head) throw new Error('the PDF is not one of ours');
  const [all, size, root, info, id = '', length] = head;
  const from = start + all.length;
  const references = inflateSync(bytes.subarray(from, from + whole(length)));
  return { bytes, start, size: whole(size), root: whole(root), info: whole(info), id, references };
}

function whole(digits = ''): number {
  return Number.parseInt(digits, 10);
}

/** The dictionary of an object that has no stream of its own. */
export function plainObject(pdf: OurPdf, number: number): string {
  const at = number * REFERENCE_BYTES;
  const place = pdf.references.readUInt32BE(at + 1);
  const index = pdf.references.readUInt16BE(at + 5);
  if (pdf.references.readUInt8(at) !== 2) throw new Error(`object ${number} is not in a stream`);
  const { dictionary, stream } = streamObject(pdf, place);
  const text = inflateSync(stream).toString('latin1');
  const first = whole(/\/First (\d+)/.exec(dictionary)?.[1]);
  // Its head is a number and a place for each.
  const places = text
    .slice(0, first)
    .split(' ')
    .filter((_, at) => at % 2 === 1);
  const [from, to] = [places[index], places[index + 1]];
  if (from === undefined) throw new Error(`object ${number} is missing`);
  return text
    .slice(first + whole(from), to === undefined ? undefined : first + whole(to))
    .trimEnd();
}

/** An object with its bytes as they are. */
export function streamObject(pdf: OurPdf, number: number): { dictionary: string; stream: Buffer } {
  const at = pdf.references.readUInt32BE(number * REFERENCE_BYTES + 1);
  const text = pdf.bytes.subarray(at, at + 1024).toString('latin1');
  const [head, dictionary] = /^\d+ 0 obj\n(<<.*?>>) stream\n/s.exec(text) ?? [];
  if (head === undefined || dictionary === undefined)
    throw new Error(`object ${number} is no stream`);
  const from = at + head.length;
  const length = whole(/\/Length (\d+)/.exec(dictionary)?.[1]);
  return { dictionary, stream: pdf.bytes.subarray(from, from + length) };
}

/** The same with objects behind it, and references to them, which lead on to those before. */
export function withObjects(
  pdf: OurPdf,
  objects: ReadonlyMap<number, { dictionary: string; stream: Buffer | null }>,
  digestOf: (chunks: readonly Buffer[]) => string,
): Buffer {
  const chunks: Buffer[] = [];
  let size = pdf.bytes.length;
  const put = (chunk: Buffer | string) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk;
    chunks.push(bytes);
    size += bytes.length;
  };
  const places = new Map<number, number>();
  for (const [number, { dictionary, stream }] of objects) {
    places.set(number, size);
    put(`${number} 0 obj\n${dictionary}`);
    if (stream) {
      put(' stream\n');
      put(stream);
      put('\nendstream');
    }
    put('\nendobj\n');
  }
  const own = Math.max(pdf.size, ...[...objects.keys()].map((number) => number + 1));
  places.set(own, size);
  const start = size;
  const numbers = [...places.keys()].toSorted((one, other) => one - other);
  const table = Buffer.alloc(numbers.length * REFERENCE_BYTES);
  numbers.forEach((number, row) => {
    table.writeUInt8(1, row * REFERENCE_BYTES);
    table.writeUInt32BE(places.get(number) ?? 0, row * REFERENCE_BYTES + 1);
  });
  const index = numbers.map((number) => `${number} 1`).join(' ');
  put(
    `${own} 0 obj\n<</Type /XRef\n/Size ${own + 1}\n/Index [${index}]\n/W [1 4 2]\n` +
      `/Prev ${pdf.start}\n/Root ${pdf.root} 0 R\n/Info ${pdf.info} 0 R\n` +
      `/ID [<${pdf.id}> <${digestOf(chunks)}>]\n/Length ${table.length}>> stream\n`,
  );
  put(table);
  put(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat([pdf.bytes, ...chunks]);
}
