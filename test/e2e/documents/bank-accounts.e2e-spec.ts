import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { SellerProfileBody } from '../../../src/documents/wire/seller.js';
import { readXml, textAt } from '../../einvoices/xml-reader.js';
import type { DocumentWish, TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { textOf } from '../../support/pdf-text.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem, pointersOf } from '../expectations.js';
import { closeWithBooks, good } from './document-calls.js';

const SELLER = '/v1/finance/seller';
const EURO = { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', currency: 'EUR' };
const DOLLAR = {
  bank_name: 'First Bank',
  account_number: '000123456789',
  bank_code: { name: 'Routing number', value: '021000021' },
  currency: 'USD',
};
const ANY = { account_number: '12-3456-0', bank_name: 'Any Bank' };

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
  const set = await client.patch(SELLER, { bank_accounts: [EURO, DOLLAR, ANY] });
  expect(set.status).toBe(200);
});

const pathOf = ({ id }: { id: string }, ending: string) => `/v1/finance/documents/${id}/${ending}`;

/** Which of the three the paper names, and which stands in the XML. */
async function namedBy(document: DocumentBody) {
  const { bytes } = await client.get(pathOf(document, 'pdf'));
  const paper = textOf(bytes).replaceAll(/\s/g, '');
  const xml = await client.get(pathOf(document, 'xml?profile=en16931-ubl'));
  const root = readXml(xml.bytes.toString('utf8'));
  const means = 'a:PaymentMeans/a:PayeeFinancialAccount';
  return {
    paper: [EURO.iban, DOLLAR.account_number, ANY.account_number].map((number) =>
      paper.includes(number),
    ),
    xml: textAt(root, `${means}/b:ID`),
    bank: textAt(root, `${means}/a:FinancialInstitutionBranch/b:ID`),
    paperText: paper,
  };
}

const draftIn = async (wish: DocumentWish & { payment_account?: string }) =>
  client.post<DocumentBody>('/v1/finance/documents', {
    kind: 'invoice',
    customer: { name: 'Globex' },
    lines: [{ description: 'Work', unit_amount: 1000, tax_rate: '0', tax_category: 'Z' }],
    ...wish,
  });

describe('bank accounts', () => {
  it('are kept with an IBAN or another number, as they were sent', async () => {
    const { body } = await client.get<SellerProfileBody>(SELLER);
    expect(body.bank_accounts).toEqual([
      { holder: null, bank_name: null, ...EURO },
      { holder: null, iban: null, bic: null, ...DOLLAR },
      { holder: null, iban: null, bic: null, ...ANY },
    ]);
  });

  it('have one number each', async () => {
    const both = { ...EURO, account_number: '1' };
    const wrong = await client.patch(SELLER, { bank_accounts: [{ bic: EURO.bic }, ANY, both] });
    expectProblem(wrong, 422, 'validation_failed');
    expect(pointersOf(wrong.body as object)).toEqual([
      '/bank_accounts/0/iban',
      '/bank_accounts/2/account_number',
    ]);
  });

  it('are named by documents in their currency, on paper and in the e-invoice', async () => {
    const euro = await namedBy(await client.anInvoice());
    expect(euro).toMatchObject({ paper: [true, false, true], xml: EURO.iban, bank: EURO.bic });
    const dollar = await namedBy(await client.anInvoice({ currency: 'USD' }));
    expect(dollar).toMatchObject({
      paper: [false, true, true],
      xml: `${DOLLAR.account_number} | ${ANY.account_number}`,
      bank: DOLLAR.bank_code.value,
    });
    expect(dollar.paperText).toContain('Routingnumber021000021');
    const yen = await namedBy(await client.anInvoice({ currency: 'JPY' }));
    expect(yen).toMatchObject({ paper: [false, false, true], xml: ANY.account_number });
  });

  it('are one where the document says which, as long as the seller has it', async () => {
    const said = { payment_account: 'de89 3704 0044 0532 0130 00' };
    const invoice = await client.anInvoice({ currency: 'USD', ...said });
    expect(await namedBy(invoice)).toMatchObject({ paper: [true, false, false], xml: EURO.iban });
    const unknown = await draftIn({ payment_account: 'NL91ABNA0417164300' });
    expectProblem(unknown, 422, 'unknown_payment_account');
    expect(pointersOf(unknown.body as object)).toEqual(['/payment_account']);
    const draft = good(await draftIn(said), 201);
    await client.patch(SELLER, { bank_accounts: [ANY] });
    expectProblem(await client.post(pathOf(draft, 'issue')), 422, 'unknown_payment_account');
    // The issued one keeps its account, and what takes it back names none.
    expect(await namedBy(invoice)).toMatchObject({ paper: [true, false, false], xml: EURO.iban });
    const note = await aCreditNote(client, invoice, { amount: 100 });
    expect(note.payment_account).toBeUndefined();
    const changed = { payment_account: null };
    good(await client.patch(`/v1/finance/documents/${draft.id}`, changed), 200);
    good(await client.post(pathOf(draft, 'issue')), 200);
  });

  it('are hidden in the audit log, whatever their number is called', async () => {
    await client.patch(SELLER, { bank_accounts: [DOLLAR] });
    const { text } = await client.get('/v1/audit?limit=1');
    expect(text).toContain('****6789');
    expect(text).not.toContain(DOLLAR.account_number);
  });
});
