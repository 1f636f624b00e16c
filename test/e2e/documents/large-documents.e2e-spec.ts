import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { readXml } from '../../einvoices/xml-reader.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { closeWithBooks, DOCUMENTS, good, made, patched, pathOf } from './document-calls.js';

const MOST_LINES = 10_000;

const line = (index: number) => ({
  description: `Connection ${index} to +49 30 ${100_000 + index}, data and calls`,
  external_id: `connection-${index}`,
  sku: `SIM-${index}`,
  metadata: { site: `${index % 40}` },
  quantity: '1.5',
  unit: 'C62',
  unit_amount: 100 + (index % 700),
  tax_rate: index % 3 ? '19' : '7',
});
const lines = (count: number) => Array.from({ length: count }, (_, index) => line(index));

let service: TestService;
let client: TestClient;
let invoice: DocumentBody;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  invoice = await client.anInvoice({
    lines: lines(MOST_LINES),
    discounts: [{ percent: '2', tax_rate: '7' }, { percent: '1' }],
  });
});
afterAll(() => closeWithBooks(service));

describe('a document of 10,000 lines', () => {
  it('is issued, read and explained whole', async () => {
    expect(invoice).toMatchObject({ status: 'open', number: expect.any(String) as string });
    const read = good(await client.get<DocumentBody>(pathOf(invoice)), 200);
    expect(read.lines).toHaveLength(MOST_LINES);
    expect(read.lines.at(-1)).toMatchObject({ position: MOST_LINES, sku: 'SIM-9999' });
    expect(read.lines.reduce((sum, { net_amount: net }) => sum + net, 0)).toBe(read.subtotal);
    const { steps } = good(
      await client.get<{ steps: { figure: string }[] }>(pathOf(invoice, 'calculation')),
      200,
    );
    expect(steps.filter(({ figure }) => figure.endsWith('/subtotal'))).toHaveLength(MOST_LINES + 1);
  });

  it('is an e-invoice of as many lines', async () => {
    const { status, bytes } = await client.get(pathOf(invoice, 'xml?profile=peppol'));
    expect(status).toBe(200);
    const text = bytes.toString('utf8');
    expect(readXml(text).name).toBe('ubl:Invoice');
    expect(text.match(/<cac:InvoiceLine>/g)).toHaveLength(MOST_LINES);
  });

  it('is changed in each line while it is a draft, and each change is told', async () => {
    const draft = await client.anInvoice({ lines: lines(MOST_LINES), issue: false });
    const changed = await patched(client, draft, {
      lines: draft.lines.map(({ id }, index) => ({ ...line(index), id, quantity: '2' })),
    });
    expect(changed.lines.map(({ id }) => id)).toEqual(draft.lines.map(({ id }) => id));
    const { data } = good(
      await client.get<{ data: { changes: { field: string }[] }[] }>(pathOf(draft, 'history')),
      200,
    );
    const quantities = data
      .flatMap(({ changes }) => changes)
      .filter(({ field }) => field.endsWith('/quantity'));
    expect(quantities).toHaveLength(MOST_LINES);
  });

  it('is credited line by line', async () => {
    const note = await made(client, invoice, 'credit-notes', {
      lines: invoice.lines.map(({ position }) => ({ position, quantity: '0.5' })),
    });
    expect(note.lines).toHaveLength(MOST_LINES);
    const rest = await made(client, invoice, 'credit-notes');
    expect(note.total + rest.total).toBe(invoice.total);
  });

  it('is bounded on its page, which leads to the PDF', async () => {
    const token = await client.aPortalToken(invoice);
    const { text } = await service.call(`/v1/portal/${token}`, {
      headers: { accept: 'text/html', 'accept-language': 'en' },
    });
    expect(text.match(/<td class="position">/g)).toHaveLength(500);
    expect(text).toContain(
      `<a href="/v1/portal/documents/${token}/pdf">Show all items: 10000 (PDF)</a>`,
    );
  });

  it('is refused with a line more, and with more bytes or names than lines have', async () => {
    const more = await client.post(DOCUMENTS, { lines: lines(MOST_LINES + 1) });
    expectProblem(more, 422, 'too_many_items');
    const notes = 'x'.repeat(service.config.documentBodyLimitBytes);
    expectProblem(await client.post(DOCUMENTS, { notes }), 413, 'body_too_large');
    const names = Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`k${at}`, 1]));
    expectProblem(await client.post(DOCUMENTS, { metadata: names }), 400, 'body_too_complex');
  });

  it('gives no other call a larger body', async () => {
    const text = 'x'.repeat(service.config.bodyLimitBytes);
    for (const path of ['/v1/finance/customers', `${DOCUMENTS}/${invoice.id}/payments`]) {
      expectProblem(await client.post(path, { text }), 413, 'body_too_large');
    }
    const file = 'x'.repeat(service.config.bankFileLimitBytes + 1);
    const bank = await client.post('/v1/finance/bank-statements', file, {
      'content-type': 'text/csv',
    });
    expectProblem(bank, 413, 'body_too_large');
  });
});
