import { writeFile } from 'node:fs/promises';
import { pdfHtml } from '../../src/documents/infrastructure/printing/pdf-template.js';
import { PuppeteerPdfRenderer } from '../../src/documents/infrastructure/printing/puppeteer-pdf-renderer.js';
import { hybridPdf } from '../../src/einvoices/domain/pdf/hybrid-pdf.js';
import { PROFILES } from '../../src/einvoices/domain/profile.js';
import { launch } from '../support/chromium.js';
import { EXAMPLES, exampleXml } from './examples.js';

// npm run einvoices:examples: writes docs/e-invoices, where a change is meant.

const FOLDER = new URL('../../docs/e-invoices/', import.meta.url);
const AT = new Date('2026-11-20T12:00:00Z');

const renderer = new PuppeteerPdfRenderer({ launch });
for (const example of EXAMPLES) {
  const { name, profile, view } = example;
  const xml = exampleXml(example);
  await writeFile(new URL(`${name}.xml`, FOLDER), xml);
  if (profile !== 'factur-x') continue;
  const pdf = await renderer.render(pdfHtml(view), { at: AT });
  const hybrid = await hybridPdf(pdf, {
    fileName: 'factur-x.xml',
    description: PROFILES[profile].title,
    xml: Buffer.from(xml),
    at: AT,
  });
  await writeFile(new URL(`${name}.pdf`, FOLDER), hybrid);
}
await renderer.close();
