import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem, pointersOf } from '../expectations.js';
import { closeWithBooks, DOCUMENTS, historyOf, made, patched, pathOf } from './document-calls.js';

// How a document is collected is said by itself, or left to the mandate of its customer.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});

const automatic = { collection_method: 'charge_automatically' };
const byClient = { collection_method: 'send_invoice' };
const methodOf = async (document: { id: string }) =>
  (await client.read(document)).collection_method;
const refusedFor = async (document: { id: string }, body: object) =>
  expectProblem(await client.patch(pathOf(document), body), 409, 'document_not_payable');

describe('the collection method of a document', () => {
  it('is null unless it is said, and stays as it is said', async () => {
    expect((await client.anInvoice()).collection_method).toBeNull();
    expect(await methodOf(await client.anInvoice(automatic))).toBe('charge_automatically');
    expect(await methodOf(await client.anInvoice({ ...byClient, issue: false }))).toBe(
      'send_invoice',
    );
  });

  it('of a draft changes with the draft, and is emptied by null', async () => {
    const draft = await client.anInvoice({ issue: false });
    expect((await patched(client, draft, byClient)).collection_method).toBe('send_invoice');
    const both = { ...automatic, notes: 'x' };
    expect(await patched(client, draft, both)).toMatchObject(both);
    expect((await patched(client, draft, { notes: 'y' })).collection_method).toBe(
      'charge_automatically',
    );
    expect(
      (await patched(client, draft, { collection_method: null })).collection_method,
    ).toBeNull();
    await patched(client, draft, byClient);
    expect((await client.issue(draft)).collection_method).toBe('send_invoice');
  });

  it('of an issued invoice changes as long as something is due, and history tells', async () => {
    const invoice = await client.anInvoice({ metadata: { a: '1' } });
    const after = await patched(client, invoice, automatic);
    expect(after).toMatchObject({
      ...automatic,
      metadata: { a: '1' },
      version: invoice.version + 1,
    });
    expect(await methodOf(invoice)).toBe('charge_automatically');
    expect((await historyOf(client, invoice)).at(-1)).toMatchObject({
      type: 'document.updated',
      changes: [{ field: '/collection_method', from: null, to: 'charge_automatically' }],
    });
    await client.pay(invoice, { amount: 5000 });
    await patched(client, invoice, { ...byClient, metadata: { a: '2' } });
    expect(await client.read(invoice)).toMatchObject({ ...byClient, metadata: { a: '2' } });
    await client.pay(invoice, { amount: 6900 });
    expect((await refusedFor(invoice, automatic))['document_status']).toBe('paid');
    // The same again changes nothing, so it is no error.
    expect((await patched(client, invoice, byClient)).collection_method).toBe('send_invoice');
  });

  it('of what asks for nothing stays', async () => {
    const [voided, rejected, lost] = [
      await client.anInvoice(),
      await client.anInvoice(),
      await client.anInvoice(),
    ];
    await client.void(voided);
    const path = `/v1/portal/${await client.aPortalToken(rejected)}/reject`;
    await client.post(path, { reason: 'No' });
    await client.post(pathOf(lost, 'write-off'), {});
    for (const one of [voided, rejected, lost, await client.aQuote()]) {
      await refusedFor(one, automatic);
      expect(await methodOf(one)).toBeNull();
    }
  });

  it('goes with an issued invoice alone: other fields stay frozen', async () => {
    const invoice = await client.anInvoice();
    const body = { ...automatic, due_date: '2027-01-01' };
    expectProblem(await client.patch(pathOf(invoice), body), 409, 'document_not_draft');
    expect(await methodOf(invoice)).toBeNull();
  });

  it('goes on to revisions, copies and the invoice of a quote, and to no credit note', async () => {
    const quote = await client.aQuote(automatic);
    expect((await made(client, quote, 'convert')).collection_method).toBe('charge_automatically');
    const invoice = await client.anInvoice(byClient);
    expect((await made(client, invoice, 'duplicate')).collection_method).toBe('send_invoice');
    expect((await made(client, invoice, 'revise')).collection_method).toBe('send_invoice');
    const note = await aCreditNote(client, await client.anInvoice(byClient));
    expect(await methodOf(note)).toBeNull();
  });

  it('is none of a credit note', async () => {
    const lines = [{ description: 'Work', unit_amount: 1000 }];
    const note = { kind: 'credit_note', currency: 'EUR', customer: { name: 'Ada' }, lines };
    const refused = await client.post(DOCUMENTS, { ...note, ...automatic });
    expectProblem(refused, 422, 'collection_method_of_credit_note');
    expect(pointersOf(refused.body)).toEqual(['/collection_method']);
    const draft = await client.post<DocumentBody>(DOCUMENTS, note);
    expectProblem(
      await client.patch(pathOf(draft.body), byClient),
      422,
      'collection_method_of_credit_note',
    );
  });

  it.each(['', 'automatic', 'CHARGE_AUTOMATICALLY', 7, true, ['send_invoice'], {}])(
    'is not %j, which is told with all other wrong fields',
    async (collection_method) => {
      const invoice = await client.anInvoice();
      const body = { collection_method, metadata: 'x', colour: 'red' };
      const answers = [
        await client.patch(pathOf(invoice), body),
        await client.post(DOCUMENTS, { ...body, lines: [] }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([422, 422]);
      const wrong = ['/collection_method', '/colour', '/metadata'];
      expect(pointersOf(answers[0]?.body ?? {})).toEqual(wrong);
      expect(pointersOf(answers[1]?.body ?? {})).toEqual(expect.arrayContaining(wrong));
      expect(await methodOf(invoice)).toBeNull();
    },
  );
});
