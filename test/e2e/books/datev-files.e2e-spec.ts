import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { readExtf, readRows } from '../../vat/extf-reader.js';
import { closeWithBooks, good } from '../documents/document-calls.js';

// Files for DATEV say more than amounts: debtors, rates, days of supply and texts.

const CHART = '/v1/finance/chart-of-accounts';
const DATEV = { consultant_number: 29_098, client_number: 55_003 };

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  service.clock.set('2026-06-15T12:00:00Z');
  client = await service.aClient();
  good(await client.patch('/v1/finance/seller', { country: 'DE' }), 200);
  good(await client.patch(CHART, { template: 'skr03', datev: DATEV }), 200);
});
afterAll(() => closeWithBooks(service));

async function ask(query: Record<string, string> = {}) {
  const asked = { from: '2026-06-01', to: '2026-06-30', format: 'datev', ...query };
  const answer = await client.get(`/v1/finance/reports/journal?${new URLSearchParams(asked)}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer;
}

const postingsOf = async (query: Record<string, string> = {}) => readExtf((await ask(query)).bytes);
const debtorsOf = async (query: Record<string, string> = {}) =>
  readRows((await ask({ ...query, format: 'datev_debtors' })).bytes);

const revenueIn = async (days: { from: string; to: string }) =>
  (await postingsOf(days)).postings.map(({ contra }) => contra);
const linesIn = ({ text }: { text: string }) => text.split('\r\n').slice(2);

describe('the debtors of a DATEV file', () => {
  it('have a number each, which the master data says with name and address', async () => {
    const customer = {
      name: 'Société Générale de Distribution et de Logistique SARL',
      address: ['1 rue de la Paix'],
      postal_code: '75002',
      city: 'Paris',
      country: 'FR',
      tax_id: 'FR12345678901',
      email: 'compta@societe.example',
    };
    await client.anInvoice({ customer });
    await client.anInvoice({ customer: { name: 'Müller; "Nord"', country: 'DE' } });
    const { header, columns, rows } = await debtorsOf();
    expect(header).toHaveLength(31);
    expect(header.slice(0, 5)).toEqual(['EXTF', '700', '16', 'Debitoren/Kreditoren', '5']);
    expect(header.slice(10, 14)).toEqual(['29098', '55003', '20260101', '4']);
    expect(columns).toHaveLength(254);
    const [first, second] = rows.map((row) => Object.fromEntries([...row].filter(([, v]) => v)));
    expect(first).toEqual({
      Konto: '10000',
      'Name (Adressattyp Unternehmen)': 'Société Générale de Distribution et de Logistique ',
      Adressattyp: '2',
      Kurzbezeichnung: 'Société Général',
      'EU-Land': 'FR',
      'EU-UStID': '12345678901',
      Adressart: 'STR',
      Straße: '1 rue de la Paix',
      Postleitzahl: '75002',
      Ort: 'Paris',
      Land: 'FR',
      'E-Mail': 'compta@societe.example',
    });
    expect(second).toMatchObject({
      Konto: '10001',
      'Name (Adressattyp Unternehmen)': 'Müller; "Nord"',
    });
  });

  it('keep their number in later files, whoever came first', async () => {
    const late = await client.aCustomer({ name: 'Early' });
    await client.anInvoice({ customer: { name: 'First in a file', country: 'DE' } });
    expect((await debtorsOf()).rows).toHaveLength(1);
    await client.anInvoice({ customer_id: late.id, customer: undefined });
    const names = (await debtorsOf()).rows.map((row) => [
      row.get('Konto'),
      row.get('Name (Adressattyp Unternehmen)'),
    ]);
    expect(names).toEqual([
      ['10000', 'First in a file'],
      ['10001', 'Early'],
    ]);
    const { postings } = await postingsOf();
    expect(postings.map(({ debit }) => debit).toSorted()).toEqual(['10000', '10001']);
  });

  it('have one digit more than the accounts, and share an account in the CSV', async () => {
    await client.anInvoice();
    good(await client.patch(CHART, { accounts: [{ account: 'cash', number: '12000' }] }), 200);
    const { header, postings } = await postingsOf();
    expect([header[13], postings[0]?.debit]).toEqual(['5', '100000']);
    expect((await ask({ format: 'csv' })).text).toContain('"1410","8400"');
  });
});

describe('a line of a DATEV file', () => {
  it('in another currency has its rate, in a file of that currency', async () => {
    await client.putRates([{ base: 'EUR', quote: 'USD', rate: '1.0873', day: '2026-06-10' }]);
    await client.anInvoice({ currency: 'USD' });
    await client.anInvoice({ currency: 'USD', issue_date: '2026-06-09' });
    await client.anInvoice();
    const dollars = await postingsOf({ currency: 'USD' });
    expect(dollars.header[21]).toBe('EUR');
    const told = dollars.postings.map(({ cells, currency }) => [currency, cells.get('Kurs')]);
    expect(told).toEqual([
      ['USD', '1,087300'],
      ['USD', ''],
    ]);
    expect((await postingsOf()).postings.map(({ cells }) => cells.get('Kurs'))).toEqual(['']);
    const { headers } = await ask({ currency: 'USD' });
    expect(headers.get('content-disposition')).toContain('EXTF_Buchungsstapel_USD_2026-06-01');
  });

  it('has the day of the supply and what was sold', async () => {
    const supplied = await client.anInvoice({
      supply_date: '2026-05-28',
      lines: [{ description: 'Consulting', unit_amount: 100, tax_rate: '19' }],
    });
    await client.anInvoice({ service_period: { start: '2026-05-01', end: '2026-05-31' } });
    good(await client.pay(supplied, { amount: 119 }), 201);
    const { postings } = await postingsOf();
    expect(postings.map(({ cells }) => cells.get('Leistungsdatum'))).toEqual([
      '28052026',
      '31052026',
      '',
    ]);
    expect(postings[0]?.text).toMatch(/ Consulting$/);
    expect(postings[2]?.text).toMatch(/ Zahlung$/);
  });
});

describe('a closed month', () => {
  const MAY = { from: '2026-05-01', to: '2026-05-31' };
  const BOTH = { from: '2026-05-01', to: '2026-06-30' };

  it('keeps the chart that it was closed with, until it is opened', async () => {
    await client.anInvoice({ issue_date: '2026-05-20', due_date: '2026-06-20' });
    await client.anInvoice();
    const close = async (step: string) =>
      good(await client.post(`/v1/finance/periods/2026-05/${step}`), 200);
    await close('close');
    const [datev, csv] = [await ask(MAY), await ask({ ...MAY, format: 'csv' })];
    good(await client.patch(CHART, { template: 'skr04' }), 200);
    expect(await revenueIn(BOTH)).toEqual(['8400', '4400']);
    expect((await ask({ ...MAY, format: 'csv' })).text).toBe(csv.text);
    expect(linesIn(await ask(MAY))).toEqual(linesIn(datev));
    await close('reopen');
    expect(await revenueIn(BOTH)).toEqual(['4400', '4400']);
    await close('close');
    good(await client.patch(CHART, { template: 'skr03' }), 200);
    expect(await revenueIn(BOTH)).toEqual(['4400', '8400']);
  });

  it('has the first chart that is told, where none was when it was closed', async () => {
    client = await service.aClient();
    await client.anInvoice({ issue_date: '2026-05-20', due_date: '2026-06-20' });
    good(await client.post('/v1/finance/periods/2026-05/close'), 200);
    good(await client.patch(CHART, { template: 'skr03', datev: DATEV }), 200);
    good(await client.patch(CHART, { template: 'skr04' }), 200);
    expect(await revenueIn(MAY)).toEqual(['8400']);
  });
});
