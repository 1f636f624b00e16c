import { pdfHtml } from '../../src/documents/infrastructure/printing/pdf-template.js';
import { PuppeteerPdfRenderer } from '../../src/documents/infrastructure/printing/puppeteer-pdf-renderer.js';
import { hybridPdf } from '../../src/einvoices/domain/pdf/hybrid-pdf.js';
import { PROFILES } from '../../src/einvoices/domain/profile.js';
import { invoiceXml, writeInvoice } from '../../src/einvoices/domain/writer.js';
import type { DocumentView } from '../../src/documents/index.js';
import { launch } from '../support/chromium.js';
import { aLine, aView } from '../documents/document-views.js';
import { MARKETS } from './markets.js';
import { invoiceOf } from './of-view.js';

const WARM_UP_MS = 1000;
const MEASURED_MS = 3000;
const PRINTS = 30;

function viewOf(lines: number): DocumentView {
  const { seller, customer } = MARKETS.DE;
  const line = aLine({ description: 'An hour of work', quantity: '1.5', unitAmountMinor: 12_345n });
  const said = { seller, customer: customer.party };
  return aView({ lines: Array.from({ length: lines }, () => line), ...said });
}

/** From the document to bytes, as it is stored. */
function written(view: DocumentView): number {
  const invoice = invoiceOf(view);
  const pieces = Array.from(writeInvoice(invoice, PROFILES.peppol), (piece) => Buffer.from(piece));
  return Buffer.concat(pieces).length;
}

/** Of this process: others on the machine take wall time, and not this. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function timesIn(view: DocumentView, ms: number): number {
  const startedMs = cpuMs();
  let times = 0;
  while (cpuMs() - startedMs < ms) {
    written(view);
    times += 1;
  }
  return (times * 1000) / (cpuMs() - startedMs);
}

/** Documents in a second of one core, by how many lines they have. */
export function speeds(): Map<number, number> {
  const told = new Map<number, number>();
  for (const lines of [1, 20, 1000, 2000, 10_000]) {
    const view = viewOf(lines);
    timesIn(view, WARM_UP_MS);
    told.set(lines, timesIn(view, MEASURED_MS));
  }
  return told;
}

const median = (times: number[]) => times.toSorted((one, other) => one - other)[times.length >> 1]!;

/** Milliseconds that a PDF of 20 lines takes, and those that the XML in it takes: both by turns. */
export async function printTimes(): Promise<{ pdf: number; hybrid: number }> {
  const renderer = new PuppeteerPdfRenderer({ launch });
  const [view, at] = [viewOf(20), new Date('2026-11-20T12:00:00Z')];
  const [printing, embedding]: [number[], number[]] = [[], []];
  try {
    await renderer.warm();
    for (let round = -5; round < PRINTS; round += 1) {
      const startedMs = performance.now();
      const pdf = await renderer.render(pdfHtml(view), { at });
      const printedMs = performance.now();
      const xml = Buffer.from(invoiceXml(invoiceOf(view), PROFILES['factur-x']));
      const { title: description } = PROFILES['factur-x'];
      await hybridPdf(pdf, { fileName: 'factur-x.xml', description, xml, at });
      if (round < 0) continue;
      printing.push(printedMs - startedMs);
      embedding.push(performance.now() - printedMs);
    }
  } finally {
    await renderer.close();
  }
  const pdf = median(printing);
  return { pdf, hybrid: pdf + median(embedding) };
}
