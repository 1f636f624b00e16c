import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdfHtml } from '../../src/documents/infrastructure/printing/pdf-template.js';
import { PuppeteerPdfRenderer } from '../../src/documents/infrastructure/printing/puppeteer-pdf-renderer.js';
import { invoiceOf } from './of-view.js';
import { hybridPdf } from '../../src/einvoices/domain/pdf/hybrid-pdf.js';
import { PROFILES } from '../../src/einvoices/domain/profile.js';
import { invoiceXml } from '../../src/einvoices/domain/writer.js';
import { aLine, aView } from '../documents/document-views.js';
import { launch } from '../support/chromium.js';
import { canValidate, validate } from '../support/pdf-validator.js';

// veraPDF notices neither missing Names, fx: properties, ModDate nor Desc: they are looked at by hand.

const AT = new Date('2026-11-20T12:00:00Z');

let renderer: PuppeteerPdfRenderer;
beforeAll(() => {
  renderer = new PuppeteerPdfRenderer({ launch });
});
afterAll(() => renderer.close());

async function made(lines: number) {
  const view = aView({ lines: Array.from({ length: lines }, () => aLine()) });
  const pdf = await renderer.render(pdfHtml(view), { at: AT });
  const invoice = invoiceOf(view);
  const xml = Buffer.from(invoiceXml(invoice, PROFILES['factur-x']));
  const embedded = { fileName: 'factur-x.xml', description: 'Factur-X', xml, at: AT };
  return { pdf, xml, hybrid: await hybridPdf(pdf, embedded), embedded };
}

/** The objects that stand in the open behind the first file, which are all that was added. */
function added(pdf: Buffer, hybrid: Buffer): Map<number, { body: string; stream: Buffer }> {
  const text = hybrid.toString('latin1');
  const objects = new Map<number, { body: string; stream: Buffer }>();
  for (const { 0: head, 1: number, index } of text.matchAll(/(?<=\n)(\d+) 0 obj\n/g)) {
    if (index < pdf.length) continue;
    const from = index + head.length;
    const body = text.slice(from, text.indexOf('endobj', from));
    const start = body.indexOf(' stream\n');
    const length = Number(/\/Length (\d+)/.exec(body)?.[1] ?? 0);
    const at = from + start + ' stream\n'.length;
    objects.set(Number(number), {
      body: start < 0 ? body.trimEnd() : body.slice(0, start),
      stream: start < 0 ? Buffer.alloc(0) : hybrid.subarray(at, at + length),
    });
  }
  return objects;
}

describe('a hybrid PDF', () => {
  it('is PDF/A-3a and PDF/UA-1 in the eyes of veraPDF', async (test) => {
    const reason = await canValidate();
    if (reason) return test.skip(reason);
    const [one, many] = [await made(1), await made(120)];
    const verdicts = await validate({ one: one.hybrid, many: many.hybrid });
    expect(verdicts.broken).toEqual([]);
    expect(verdicts.compliant).toBe(4);
  });

  it('has the XML, and the catalog, its names and the facts lead there', async () => {
    const { pdf, xml, hybrid } = await made(3);
    expect(hybrid.subarray(0, pdf.length).equals(pdf)).toBe(true);
    const objects = added(pdf, hybrid);
    const find = (text: string) =>
      [...objects].filter(([, { body }]) => body.includes(text)).map(([number]) => number);
    const [[catalog = 0], [specification = 0], [file = 0], [facts = 0]] = [
      find('/Type /Catalog'),
      find('/Type /Filespec'),
      find('/Type /EmbeddedFile'),
      find('/Type /Metadata'),
    ];
    const { body: said } = objects.get(catalog)!;
    expect(said).toContain(`/AF [${specification} 0 R]`);
    expect(said).toMatch(
      new RegExp(
        `/Names <<[^]*/EmbeddedFiles <</Names \\[\\(factur-x\\.xml\\) ${specification} 0 R\\]>>`,
      ),
    );
    expect(said).toContain(`/Metadata ${facts} 0 R`);
    const wanted = `/F (factur-x.xml)\n/UF (factur-x.xml)\n/Desc (Factur-X)\n/AFRelationship /Alternative\n/EF <</F ${file} 0 R /UF ${file} 0 R>>`;
    expect(objects.get(specification)?.body).toContain(wanted);
    const { body, stream } = objects.get(file)!;
    expect(inflateSync(stream).equals(xml)).toBe(true);
    const md5 = createHash('md5').update(xml).digest('hex');
    expect(body).toContain('/Subtype /text#2Fxml');
    expect(body).toContain(
      `/Params <</Size ${xml.length} /ModDate (D:20261120120000+00'00') /CheckSum <${md5}>>>`,
    );
    const xmp = objects.get(facts)!.stream.toString('utf8');
    for (const [name, value] of Object.entries({
      DocumentType: 'INVOICE',
      DocumentFileName: 'factur-x.xml',
      Version: '1.0',
      ConformanceLevel: 'EN 16931',
    })) {
      expect(xmp).toContain(`<fx:${name}>${value}</fx:${name}>`);
      expect(xmp).toContain(`<pdfaProperty:name>${name}</pdfaProperty:name>`);
    }
    expect(xmp).toContain('xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"');
    expect(xmp).toContain(
      '<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>',
    );
    expect(xmp).toContain('<pdfuaid:part>1</pdfuaid:part>');
  });

  it('is opened by a reader: references lead to each new object', async () => {
    const { pdf, hybrid } = await made(2);
    const text = hybrid.toString('latin1');
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
    const [, index = '', previous = ''] =
      /\/Index \[([\d ]+)\]\n\/W \[1 4 2\]\n\/Prev (\d+)/.exec(text.slice(start)) ?? [];
    const before = /startxref\n(\d+)\n%%EOF\n$/.exec(pdf.toString('latin1'))?.[1];
    expect(previous).toBe(before);
    const numbers = index.split(' ').filter((_, at) => at % 2 === 0);
    const table = start + text.slice(start).indexOf(' stream\n') + ' stream\n'.length;
    numbers.forEach((number, row) => {
      const place = hybrid.readUInt32BE(table + row * 7 + 1);
      expect(text.slice(place, place + number.length + 7)).toBe(`${number} 0 obj\n`);
    });
    expect(numbers).toHaveLength(5);
  });

  it('has the same bytes each time', async () => {
    const { pdf, hybrid, embedded } = await made(20);
    expect((await hybridPdf(pdf, embedded)).equals(hybrid)).toBe(true);
  });

  it('is made of no other PDF', async () => {
    const other = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\nstartxref\n9\n%%EOF\n');
    const embedded = { fileName: 'factur-x.xml', description: '', xml: Buffer.alloc(0), at: AT };
    await expect(hybridPdf(other, embedded)).rejects.toThrow('not one of ours');
  });
});
