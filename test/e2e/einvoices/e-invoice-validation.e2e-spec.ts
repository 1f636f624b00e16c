import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ValidationBody } from '../../../src/einvoices/wire/e-invoice-validation.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks } from '../documents/document-calls.js';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

const judged = async (document: { id: string }, query = '') =>
  client.post<ValidationBody>(`/v1/finance/documents/${document.id}/validate${query}`);

const fatalIn = ({ e_invoice: one }: ValidationBody) =>
  (one?.findings ?? [])
    .filter(({ severity }) => severity === 'fatal')
    .map(({ rule, pointer }) => `${rule} ${pointer}`);

describe('a draft that is judged as XRechnung', () => {
  it('is told each field that it lacks, and is valid once it has them', async () => {
    const draft = await client.anInvoice({ issue: false, buyer_reference: undefined });
    const { status, body } = await judged(draft, '?profile=xrechnung-ubl');
    expect([status, body.e_invoice?.release, body.e_invoice?.valid]).toEqual([200, '3.0.2', false]);
    const told = fatalIn(body);
    expect(told).toEqual(
      expect.arrayContaining([
        'BR-DE-2 /seller/contact_name',
        'BR-DE-8 /customer/city',
        'BR-DE-15 /buyer_reference',
        'PEPPOL-EN16931-R010 /customer/electronic_address',
      ]),
    );
    const address = { address: ['Weg 1'], postal_code: '10115', city: 'Berlin', country: 'DE' };
    const seller = await client.patch('/v1/finance/seller', {
      ...address,
      contact_name: 'Erika Muster',
      phone: '+49 30 1234567',
      email: 'erika@acme.example',
      tax_id: 'DE123456788',
      electronic_address: { scheme: '9930', value: 'DE123456788' },
    });
    expect(seller.status).toBe(200);
    const { customer_id: customer } = draft;
    const electronic = { scheme: 'EM', value: 'invoices@globex.example' };
    const changed = await client.patch(`/v1/finance/customers/${customer}`, {
      ...address,
      electronic_address: electronic,
    });
    expect(changed.status).toBe(200);
    // The parties are judged as they are now, before the draft itself is touched.
    const between = await judged(draft, '?profile=xrechnung-ubl');
    expect(fatalIn(between.body)).toEqual(['BR-DE-15 /buyer_reference']);
    const reference = { buyer_reference: '04011000-12345-03' };
    await client.patch(`/v1/finance/documents/${draft.id}`, reference);
    const again = await judged(draft, '?profile=xrechnung-ubl');
    expect(fatalIn(again.body)).toEqual([]);
    expect(again.body.e_invoice?.valid).toBe(true);
    const peppol = await judged(draft, '?profile=peppol');
    expect(fatalIn(peppol.body)).toEqual([
      'PEPPOL-EN16931-CL008 /customer/electronic_address/scheme',
    ]);
  });
});

describe('a document without a profile', () => {
  it('is judged by the law alone, as before', async () => {
    const { status, body } = await judged(await client.anInvoice());
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['valid', 'strict', 'warnings']);
  });
});

describe('no e-invoice', () => {
  it('is judged of a quote, of nothing, or in a profile that nobody knows', async () => {
    const quote = await judged(await client.aQuote(), '?profile=peppol');
    expect([quote.status, quote.body]).toEqual([
      409,
      expect.objectContaining({ code: 'no_e_invoice' }),
    ]);
    const invoice = await client.anInvoice();
    expect((await judged(invoice, '?profile=edifact')).status).toBe(400);
    const none = await judged({ id: 'doc_01h455vb4pex5vsknk084sn02q' }, '?profile=peppol');
    expect(none.status).toBe(404);
  });
});
