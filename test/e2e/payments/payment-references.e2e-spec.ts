import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  creditorReference,
  creditorReferenceOfId,
} from '../../../src/kernel/creditor-reference.js';
import { UuidV7Generator } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { textOf } from '../../support/pdf-text.js';
import { startTestService, type TestService } from '../../support/service.js';
import { FROZEN, Statements, uuid } from '../../support/statements.js';

// The text of a bank transfer, so that it is known which invoice it pays.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

const reference = (document: { payment_reference?: string | null }) => document.payment_reference;

describe('an issued invoice', () => {
  it('has the reference that says its number, whichever way it was issued', async () => {
    const first = await client.anInvoice();
    expect(reference(first)).toBe(creditorReference(first.number ?? ''));
    const draft = await client.anInvoice({ issue: false });
    expect(reference(draft)).toBeNull();
    const issued = await client.issue(draft);
    expect(reference(issued)).toBe(creditorReference(issued.number ?? ''));
    expect(reference(await client.read(issued))).toBe(reference(issued));
    const copy = await client.post<{ payment_reference: string; number: string }>(
      `/v1/finance/documents/${first.id}/duplicate`,
      { issue: true },
    );
    expect(copy.body.payment_reference).toBe(creditorReference(copy.body.number));
  });

  it('has one of its id where its number makes none', async () => {
    const number = 'Rechnung-für-Büro-1';
    const elsewhere = await client.anInvoice({ number, issue_date: '2026-11-01' });
    expect(reference(elsewhere)).toBe(creditorReferenceOfId(uuid(elsewhere)));
    expect(reference(await client.read(elsewhere))).toBe(reference(elsewhere));
  });

  it('keeps it for good', async () => {
    const { set, verdict } = statements();
    const invoice = await client.anInvoice();
    expect(await set(invoice, `payment_reference = 'RF712348231'`)).toBe(FROZEN);
    expect(await set(invoice, 'payment_reference = NULL')).toBe(FROZEN);
    const draft = await client.anInvoice({ issue: false });
    expect(
      await verdict(
        `INSERT INTO documents SELECT (jsonb_populate_record(d, '{"document_id":
           "${new UuidV7Generator().next()}", "number": "X-1", "number_series": null,
           "number_period": null, "number_sequence": null, "payment_reference": null}')).*
         FROM documents d WHERE document_id = $1`,
        [uuid(invoice)],
      ),
    ).toBe('23514 documents_issued_invoice_has_reference');
    expect(reference(draft)).toBeNull();
  });

  it('shows it in groups of four beside its number', async () => {
    const bank_accounts = [{ iban: 'DE89370400440532013000' }];
    await client.patch('/v1/finance/seller', { bank_accounts });
    const invoice = await client.anInvoice({ language: 'de' });
    const shown = (reference(invoice) ?? '').replace(/(.{4})(?=.)/g, '$1 ');
    const pdf = await client.get(`/v1/finance/documents/${invoice.id}/pdf`);
    const text = textOf(pdf.bytes);
    expect(text.replace(/\s+/g, ' ')).toContain('Strukturierte Referenz');
    expect(text.replace(/\s+/g, '')).toContain(shown.replaceAll(' ', ''));
    const page = await service.call(`/v1/portal/${await client.aPortalToken(invoice)}`, {
      headers: { accept: 'text/html' },
    });
    expect(page.text).toContain(shown);
  });
});

describe('a reference of the caller’s own', () => {
  const payment_reference = 'Deb. 12345 / Fact. 9876543';

  it('is said by answer, paper, page and e-invoice, and stays', async () => {
    const bank_accounts = [{ iban: 'DE89370400440532013000' }];
    await client.patch('/v1/finance/seller', { bank_accounts });
    const draft = await client.anInvoice({ issue: false, payment_reference: 'Other 1' });
    const at = `/v1/finance/documents/${draft.id}`;
    await client.patch(at, { payment_reference }, { 'if-match': `"${draft.version}"` });
    const invoice = await client.issue(await client.read(draft));
    expect(reference(invoice)).toBe(payment_reference);
    const pdf = await client.get(`${at}/pdf`);
    expect(textOf(pdf.bytes).replace(/\s+/g, '')).toContain(payment_reference.replaceAll(' ', ''));
    const page = await service.call(`/v1/portal/${await client.aPortalToken(invoice)}`, {
      headers: { accept: 'text/html' },
    });
    expect(page.text).toContain(payment_reference);
    const said = [];
    for (const profile of ['peppol', 'factur-x']) {
      said.push((await client.get(`${at}/xml?profile=${profile}`)).text);
    }
    expect(said[0]).toContain(`<cbc:PaymentID>${payment_reference}</cbc:PaymentID>`);
    expect(said[1]).toContain(`<ram:PaymentReference>${payment_reference}</ram:PaymentReference>`);
    expect(await statements().set(invoice, `payment_reference = 'X1'`)).toBe(FROZEN);
  });

  it('is not copied, and not that of a credit note', async () => {
    const invoice = await client.anInvoice({ payment_reference });
    const at = `/v1/finance/documents/${invoice.id}`;
    type Copy = { payment_reference: string | null; number: string };
    const copy = (await client.post<Copy>(`${at}/duplicate`, { issue: true })).body;
    expect(copy.payment_reference).toBe(creditorReference(copy.number));
    const note = (await client.post<Copy>(`${at}/credit-notes`, { amount: 11_900 })).body;
    expect(note.payment_reference).toBeNull();
  });

  it.each(['RF19539007547034', 'x'.repeat(141), '---', '+++090/9337/55494+++', 'a\u0000b', 7])(
    'is refused with its field: %o',
    async (wrong) => {
      const answer = await client.post<{ errors: object[] }>('/v1/finance/documents', {
        customer: { name: 'Globex' },
        lines: [],
        payment_reference: wrong,
      });
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toContainEqual(
        expect.objectContaining({
          pointer: '/payment_reference',
          code: 'invalid_payment_reference',
        }),
      );
    },
  );
});

describe('quotes and credit notes', () => {
  it('have none', async () => {
    expect(reference(await client.aQuote())).toBeNull();
    const invoice = await client.anInvoice();
    const note = await client.post<{ payment_reference: null }>(
      `/v1/finance/documents/${invoice.id}/credit-notes`,
      { amount: 11_900 },
    );
    expect([note.status, note.body.payment_reference]).toEqual([201, null]);
  });
});

describe('the database', () => {
  it('makes the same references as the code, for the invoices of before', async () => {
    const ids = new UuidV7Generator();
    const numbers = [
      'INV-00001',
      're 2026/7_b#1.x',
      '-',
      'ß1',
      'ÄB',
      'A'.repeat(21),
      'a'.repeat(22),
    ];
    numbers.push('2348231', 'G72UUR', '539007547034', '000', 'zZ9', 'A\u00a0B', 'ı');
    const cases = numbers.map((number) => ({ number, id: ids.next() }));
    cases.push({ number: '', id: '019aa000-0000-7000-8fff-ffffffffffff' });
    cases.push({ number: '', id: '019aa000-0000-7000-8000-000000000000' });
    for (const { number, id } of cases) {
      const [row] = await service.database.query<{ made: string }>(
        'SELECT creditor_reference($1, $2) AS made',
        [number, id],
      );
      expect([number, row?.made]).toEqual([
        number,
        creditorReference(number) ?? creditorReferenceOfId(id),
      ]);
    }
  });
});

function statements() {
  const all = new Statements(() => service.database);
  return { set: all.set.bind(all), verdict: all.verdict.bind(all) };
}
