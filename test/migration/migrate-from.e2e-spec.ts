import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPlace, type Place } from '../startup/program.js';
import type { TestClient } from '../support/client.js';
import { checkedBooks } from '../support/books.js';
import { startTestService, type TestService } from '../support/service.js';
import { ExportCopy, exportOf } from './exports.js';

// Coming from another system, as its user would: with the command, over HTTP, into an empty account.

let service: TestService;
let place: Place;
beforeAll(async () => {
  service = await startTestService();
  place = await aPlace();
});
afterAll(async () => {
  await place.remove();
  await service.close();
});

interface Told {
  written: boolean;
  rows: Record<string, { made: number; known: number }>;
  lost: { what: string }[];
  left_out: { file: string; line: number; subject: string; id: string; reason: string }[];
  totals: { what: string; currency: string; export: string; service: string; equal: boolean }[];
  opening_balance: { account: string; currency: string; balance: string }[] | null;
  whole: boolean;
}

const CUT_OVER = ['--cut-over', '2026-11-01'];

const run = async ({ id, secret }: TestClient, args: string[]) =>
  place.command(['migrate-from', ...args, ...CUT_OVER], {
    QUITTANCE_URL: service.url,
    QUITTANCE_CLIENT_ID: id,
    QUITTANCE_CLIENT_SECRET: secret,
  });

async function told(client: TestClient, args: string[]): Promise<Told & { code: number | null }> {
  const { code, output, errors } = await run(client, [...args, '--json']);
  expect(errors).toBe('');
  return { ...(JSON.parse(output) as Told), code };
}

const sumsOf = ({ totals }: Told) =>
  totals.map(({ what, currency, export: there, service: here }) => [what, currency, there, here]);

const openingOf = ({ opening_balance: lines }: Told, account: string) =>
  lines?.filter((line) => line.account === account).map((line) => [line.currency, line.balance]);

/** Calls of the account that are not about its own migration. */
async function countOf(client: TestClient, list: string): Promise<number> {
  const { body } = await client.get<{ total_count: number }>(
    `/v1/finance/${list}?include=total_count&limit=1`,
  );
  return body.total_count;
}

const EXPORTS = [
  {
    system: 'stripe',
    which: 'stripe',
    rows: { customers: 3, items: 2, invoices: 5, credits: 1 },
    sums: [
      ['open invoices', 'EUR', '203.69'],
      ['open invoices', 'GBP', '120.00'],
      ['open invoices', 'JPY', '30000'],
      ['open invoices', 'USD', '75.00'],
      ['credit', 'USD', '25.00'],
    ],
    payments: 3,
  },
  {
    system: 'stripe',
    which: 'stripe-tables',
    rows: { customers: 2, items: 2, invoices: 2, credits: 1 },
    sums: [
      ['open invoices', 'EUR', '200.00'],
      ['open invoices', 'USD', '75.00'],
      ['credit', 'USD', '25.00'],
    ],
    payments: 2,
  },
  {
    system: 'invoice-ninja',
    which: 'invoice-ninja',
    rows: { customers: 2, items: 2, invoices: 2, credits: 2 },
    sums: [
      ['open invoices', 'CHF', '268.52'],
      ['open invoices', 'EUR', '560.29'],
      ['credit', 'CHF', '75.05'],
      ['credit', 'EUR', '40.00'],
    ],
    payments: 3,
  },
  {
    system: 'csv',
    which: 'csv',
    rows: { customers: 2, items: 2, invoices: 3, credits: 1 },
    sums: [
      ['open invoices', 'EUR', '450.61'],
      ['open invoices', 'KWD', '10.125'],
      ['credit', 'EUR', '15.00'],
    ],
    payments: 2,
  },
] as const;

describe.each(EXPORTS)(
  'migrate-from $system: $which',
  ({ system, which, rows, sums, payments }) => {
    let client: TestClient;
    beforeAll(async () => (client = await service.aClient()));
    const sumsNamed = (name: string) =>
      sums.filter(([what]) => what === name).map(([, currency, sum]) => [currency, sum]);
    const counted = (fresh: 'made' | 'known') => {
      const none = { made: 0, known: 0 };
      return Object.fromEntries(
        Object.entries(rows).map(([what, count]) => [what, { ...none, [fresh]: count }]),
      );
    };

    it('tells first what would be, and writes nothing', async () => {
      const dry = await told(client, [system, exportOf(which)]);
      expect(dry).toMatchObject({ code: 0, whole: true, written: false, left_out: [] });
      expect(dry.rows).toEqual(counted('made'));
      expect(sumsOf(dry)).toEqual(sums.map((line) => [...line, line[2]]));
      expect(dry.opening_balance).toBeNull();
      expect(await countOf(client, 'customers')).toBe(0);
      expect(await countOf(client, 'items')).toBe(0);
    });

    it('takes all over, to the same totals by the books of the service', async () => {
      const done = await told(client, [system, exportOf(which), '--write']);
      expect(done).toMatchObject({ code: 0, whole: true, written: true, left_out: [] });
      expect(done.rows).toEqual(counted('made'));
      expect(sumsOf(done)).toEqual(sums.map((line) => [...line, line[2]]));
    });

    it('has the open invoices and the credit as the opening balance', async () => {
      const done = await told(client, [system, exportOf(which), '--write']);
      expect(openingOf(done, 'receivables')).toEqual(sumsNamed('open invoices'));
      expect(openingOf(done, 'customer_credit')).toEqual(
        sumsNamed('credit').map(([currency, sum]) => [currency, `-${sum}`]),
      );
      // Nothing of it is in a month that is ours.
      const { body } = await client.get<{ data: { debit: number; credit: number }[] }>(
        '/v1/finance/reports/trial-balance?from=2026-11-01&to=2026-11-30',
      );
      expect(body.data.length).toBeGreaterThan(0);
      expect(body.data.filter(({ debit, credit }) => debit !== 0 || credit !== 0)).toEqual([]);
    });

    it('does nothing when it is run again, also after the time of its keys', async () => {
      await service.database.query('DELETE FROM idempotency_keys');
      const again = await told(client, [system, exportOf(which), '--write']);
      expect(again).toMatchObject({ code: 0, whole: true });
      expect(again.rows).toEqual(counted('known'));
      expect(sumsOf(again)).toEqual(sums.map((line) => [...line, line[2]]));
      expect(await countOf(client, 'customers')).toBe(rows.customers);
      expect(await countOf(client, 'items')).toBe(rows.items);
      expect(await countOf(client, 'documents')).toBe(rows.invoices);
      expect(await countOf(client, 'payments')).toBe(payments);
      const { differences } = await checkedBooks(service, client);
      expect(differences).toEqual([]);
    });
  },
);

describe('documents that came', () => {
  it('have their numbers, dates, taxes and what was settled', async () => {
    const client = await service.aClient();
    await told(client, ['stripe', exportOf('stripe'), '--write']);
    const { body } = await client.get<Record<string, unknown>>(
      '/v1/finance/documents/by-external-id/stripe%3Ain_1Part',
    );
    expect(body).toMatchObject({
      number: 'GLX1-0002',
      issue_date: '2026-10-05',
      due_date: '2026-11-04',
      total: 34_268,
      tax_total: 5269,
      amount_paid: 14_268,
      amount_due: 20_000,
      status: 'partially_paid',
    });
  });

  it('go on where a run broke off before what was settled', async () => {
    const client = await service.aClient();
    const unpaid = new ExportCopy('csv').change('invoices.csv', (text) =>
      text.replace('286.79,200.00,', '286.79,286.79,'),
    );
    await told(client, ['csv', unpaid.folder, '--write']);
    expect(await countOf(client, 'payments')).toBe(1);
    const done = await told(client, ['csv', exportOf('csv'), '--write']);
    expect(done).toMatchObject({ code: 0, whole: true, rows: { invoices: { made: 0, known: 3 } } });
    expect(await countOf(client, 'payments')).toBe(2);
  });
});

describe('a way on which answers get lost', () => {
  const lost = new Set<string>();
  let url: string;
  let proxy: Server;
  beforeAll(async () => {
    proxy = createServer(async (request, response) => {
      const body = await buffer(request);
      const { method = 'GET', url: path = '', headers } = request;
      const sent = { method, headers: headers as Record<string, string> };
      const answer = await fetch(
        `${service.url}${path}`,
        body.length > 0 ? { ...sent, body } : sent,
      );
      const write = `${method} ${path} ${String(headers['idempotency-key'])}`;
      const isReading = method === 'GET' || /preview|token/.test(path);
      // Each write is done, and nobody hears of it at first.
      if (!isReading && !lost.has(write)) {
        lost.add(write);
        response.destroy();
        return;
      }
      const type = answer.headers.get('content-type') ?? 'application/json';
      response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    proxy.closeAllConnections();
    proxy.close();
  });

  it('brings each row once', async () => {
    const client = await service.aClient();
    const done = await told(client, ['stripe', exportOf('stripe'), '--write', '--url', url]);
    // Customers, items, documents, what was settled of two, and a credit.
    expect(lost.size).toBe(3 + 2 + 5 + 2 + 1);
    expect(done).toMatchObject({ code: 0, whole: true });
    expect(await countOf(client, 'customers')).toBe(3);
    expect(await countOf(client, 'items')).toBe(2);
    expect(await countOf(client, 'documents')).toBe(5);
    expect(await countOf(client, 'payments')).toBe(3);
  });
});

describe('what cannot be taken over', () => {
  it('is told by row, and the others are taken', async () => {
    const client = await service.aClient();
    const copy = new ExportCopy('csv')
      .change('customers.csv', (text) => `${text}K-102,Bad mail,nobody,,,,,,\n`)
      .change(
        'invoices.csv',
        (text) =>
          `${text}B-1,K-102,2026-10-01,,EUR,1.00,,Of a customer left out,1,,1,,,,\n` +
          `B-2,K-999,2026-10-01,,EUR,1.00,,Of nobody,1,,1,,,,\n` +
          `B-3,K-100,2026-10-01,,EUR,2.00,,Another total,1,,1,,,,\n` +
          `B-4,K-100,2026-11-01,,EUR,1.00,,After the cut-over,1,,1,,,,\n` +
          `B-5,K-100,2026-10-01,,EUR,1.00,1.50,More open than it was,1,,1,,,,\n` +
          `INV-00001,K-100,2026-10-01,,EUR,1.00,,A number of ours,1,,1,,,,\n`,
      );
    const done = await told(client, ['csv', copy.folder, '--write']);
    expect(done).toMatchObject({ code: 1, whole: false });
    expect(done.left_out.map(({ file, line, reason }) => `${file}:${line} ${reason}`)).toEqual([
      expect.stringMatching(/^customers\.csv:4 \/email invalid_email: /),
      'invoices.csv:7 its customer csv:K-102 was left out',
      'invoices.csv:8 its customer csv:K-999 is not in the export',
      'invoices.csv:9 it says 2.00 EUR, and its lines come to 1.00 EUR',
      'invoices.csv:10 it is of 2026-11-01, not before the cut-over',
      'invoices.csv:11 1.50 EUR are open of 1.00 EUR',
      expect.stringMatching(/^invoices\.csv:12 \/number number_belongs_to_series: /),
    ]);
    expect(done.rows).toMatchObject({ customers: { made: 2 }, invoices: { made: 3 } });
    expect(done.totals[0]).toEqual({
      what: 'open invoices',
      currency: 'EUR',
      export: '458.11',
      service: '450.61',
      equal: false,
    });
  });

  it('shows as a table, with a line for each', async () => {
    const client = await service.aClient();
    const { code, output } = await run(client, ['stripe', exportOf('stripe')]);
    expect(code).toBe(0);
    expect(output).toContain('Left out: nothing');
    expect(output).toMatch(/^ {2}invoices, paid +1 {2}119\.00 EUR$/m);
    expect(output).toMatch(/^ {2}open invoices {2}EUR +203\.69 +203\.69 {2}equal$/m);
    expect(output).toContain('nothing was written. Run it again with --write.');
  });
});

async function refused(args: string[], client: TestClient): Promise<string> {
  const { code, errors } = await run(client, args);
  expect(code).toBe(2);
  return errors;
}

describe('migrate-from refuses', () => {
  it('systems, folders and days that it does not know', async () => {
    const client = await service.aClient();
    expect(await refused(['sage', '.'], client)).toContain('sage is none of stripe, invoice-ninja');
    expect(await refused(['csv', 'nowhere'], client)).toContain('there is no such file or folder');
    const day = ['csv', exportOf('csv'), '--cut-over', '2026-02-30'];
    const { errors } = await place.command(['migrate-from', ...day], {});
    expect(errors).toContain('--cut-over: must be a day');
  });

  it('a client that may not, before anything is written', async () => {
    const client = await service.aClient({ scopes: ['documents:read', 'reports:read'] });
    expect(await refused(['csv', exportOf('csv'), '--write'], client)).toContain(
      'insufficient_scope',
    );
  });

  it('to mail all old invoices to their clients', async () => {
    const client = await service.aClient();
    const { status } = await client.patch('/v1/finance/mail-settings', { send_documents: true });
    expect(status).toBe(200);
    expect(await refused(['csv', exportOf('csv'), '--write'], client)).toContain(
      'Turn send_documents',
    );
    expect(await countOf(client, 'customers')).toBe(0);
  });
});
