import { expect } from 'vitest';
import type { AgedCustomerPage, AgedDocumentPage } from '../../../src/books/wire/aging.js';
import type { LedgerBalancesBody, LedgerPage } from '../../../src/books/wire/ledger.js';
import type { RevenueBody } from '../../../src/books/wire/revenue.js';
import type { StatementBody } from '../../../src/books/wire/customer-statement.js';
import type { TestClient } from '../../support/client.js';

type Query = Record<string, string | number>;

const withQuery = (path: string, query: Query) =>
  `/v1/finance/${path}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`;

/** A report as JSON; it must be there. */
async function read<Body>(client: TestClient, path: string, query: Query): Promise<Body> {
  const { status, text, body } = await client.get<Body>(withQuery(path, query));
  if (status !== 200) throw new Error(text);
  return body;
}

export const ledgerOf = async (client: TestClient, query: Query = {}) =>
  read<LedgerPage>(client, 'ledger', query);

export const balancesOf = async (client: TestClient, query: Query = {}) =>
  read<LedgerBalancesBody>(client, 'ledger/balances', query);

export const agingOf = async (client: TestClient, query: Query = {}) =>
  read<AgedCustomerPage>(client, 'reports/aging', query);

export const agedDocumentsOf = async (client: TestClient, query: Query = {}) =>
  read<AgedDocumentPage>(client, 'reports/aging', { group: 'document', ...query });

export const statementOf = async (client: TestClient, customerId: string, query: Query = {}) =>
  read<StatementBody>(client, `customers/${customerId}/statement`, query);

export const revenueOf = async (client: TestClient, query: Query = {}) =>
  read<RevenueBody>(client, 'reports/revenue', query);

/** The lines of a CSV file, without its header, as objects. None of our cells has a line end. */
export async function csvOf(
  client: TestClient,
  path: string,
  query: Query = {},
): Promise<Record<string, string>[]> {
  const answer = await client.get(withQuery(path, { ...query, format: 'csv' }));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/csv; charset=utf-8',
  ]);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=[\w-]+\.csv$/);
  expect(answer.text.endsWith('\r\n')).toBe(true);
  const [head = [], ...rows] = answer.text.trimEnd().split('\r\n').map(cellsOf);
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])));
}

/** Parted at commas with an even number of quotes behind them. */
function cellsOf(line: string): string[] {
  return line
    .split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .map((cell) => cell.replace(/^"(.*)"$/, '$1').replaceAll('""', '"'));
}

/** The balance of an account of the ledger in euros. */
export async function balanceOf(
  client: TestClient,
  account: string,
  query: Query = {},
): Promise<number> {
  const { data } = await balancesOf(client, { currency: 'EUR', ...query });
  return data.find((line) => line.account === account)?.balance ?? 0;
}
