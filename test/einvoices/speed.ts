import { invoiceOf } from './of-view.js';
import { PROFILES } from '../../src/einvoices/domain/profile.js';
import { writeInvoice } from '../../src/einvoices/domain/writer.js';
import type { DocumentView } from '../../src/documents/index.js';
import { aLine, aView } from '../documents/document-views.js';
import { MARKETS } from './markets.js';

const WARM_UP_MS = 1000;
const MEASURED_MS = 3000;

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

function timesIn(view: DocumentView, ms: number): number {
  const startedMs = performance.now();
  let times = 0;
  while (performance.now() - startedMs < ms) {
    written(view);
    times += 1;
  }
  return (times * 1000) / (performance.now() - startedMs);
}

/** Documents a second on one core, by how many lines they have. */
export function speeds(): Map<number, number> {
  const told = new Map<number, number>();
  for (const lines of [1, 20, 1000, 10_000]) {
    const view = viewOf(lines);
    timesIn(view, WARM_UP_MS);
    told.set(lines, timesIn(view, MEASURED_MS));
  }
  return told;
}
