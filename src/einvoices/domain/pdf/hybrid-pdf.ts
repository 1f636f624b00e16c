import { createHash } from 'node:crypto';
import { deflate } from 'node:zlib';
import { withInvoiceFacts } from './hybrid-xmp.js';
import { plainObject, readOurPdf, streamObject, withObjects } from './our-pdf.js';

// Sources: ISO 32000-1 (7.5.6 incremental updates, 7.11.4 embedded files), ISO 19005-3 (6.8 embedded
// files), Factur-X 1.09 (chapter 6: relationship, properties).

/** Ten thousand lines take a while: on another thread. */
function deflated(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    deflate(bytes, (error, packed) => (error ? reject(error) : resolve(packed)));
  });
}

/** An XML that a PDF carries. */
export interface EmbeddedXml {
  fileName: string;
  description: string;
  xml: Buffer;
  /** When its document was issued. */
  at: Date;
}

/**
 * A PDF/A-3a of ours with the XML of the same invoice in it: the PDF stays as it is, and all that is
 * new stands behind it (decision 243).
 *
 * @throws Error where the PDF is not one of ours
 */
export async function hybridPdf(pdf: Buffer, embedded: EmbeddedXml): Promise<Buffer> {
  const ours = readOurPdf(pdf);
  const catalog = plainObject(ours, ours.root);
  const metadata = Number.parseInt(/\/Metadata (\d+) 0 R/.exec(catalog)?.[1] ?? '', 10);
  const xmp = streamObject(ours, metadata).stream.toString('utf8');
  const facts = Buffer.from(withInvoiceFacts(xmp, embedded.fileName));
  const [file, specification] = [ours.size, ours.size + 1];
  const packed = await deflated(embedded.xml);
  const objects = new Map([
    [ours.root, { dictionary: withFile(catalog, embedded.fileName, specification), stream: null }],
    [
      metadata,
      {
        dictionary: `<</Type /Metadata\n/Subtype /XML\n/Length ${facts.length}>>`,
        stream: facts,
      },
    ],
    [file, { dictionary: embeddedFile(embedded, packed.length), stream: packed }],
    [specification, { dictionary: fileSpecification(embedded, file), stream: null }],
  ]);
  return withObjects(ours, objects, (chunks) => {
    const digest = createHash('sha256');
    for (const chunk of chunks) digest.update(chunk);
    return digest.digest('hex').slice(0, 32);
  });
}

function embeddedFile({ xml, at }: EmbeddedXml, length: number): string {
  // The only digest that a PDF has a place for.
  const checkSum = createHash('md5').update(xml).digest('hex');
  const day = `(D:${at.toISOString().replaceAll(/\.\d+Z|\D/g, '')}+00'00')`;
  return (
    `<</Type /EmbeddedFile\n/Subtype /text#2Fxml\n/Filter /FlateDecode\n` +
    `/Params <</Size ${xml.length} /ModDate ${day} /CheckSum <${checkSum}>>>\n/Length ${length}>>`
  );
}

/** The XML says the same as the pages: either may be read. */
function fileSpecification({ fileName, description }: EmbeddedXml, file: number): string {
  return (
    `<</Type /Filespec\n/F (${fileName})\n/UF (${fileName})\n/Desc (${description})\n` +
    `/AFRelationship /Alternative\n/EF <</F ${file} 0 R /UF ${file} 0 R>>>>`
  );
}

function withFile(catalog: string, fileName: string, specification: number): string {
  const names = `/EmbeddedFiles <</Names [(${fileName}) ${specification} 0 R]>>`;
  const named = catalog.includes('/Names <<')
    ? catalog.replace('/Names <<', `/Names <<${names}\n`)
    : `${catalog.slice(0, -2)}\n/Names <<${names}>>>>`;
  if (/\/Names \d/.test(catalog)) throw new Error('the names of the PDF are not in its catalog');
  return `${named.slice(0, -2)}\n/AF [${specification} 0 R]>>`;
}
