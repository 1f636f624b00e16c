import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { BankStatementBody } from '../../../src/bank/wire/bank-statement.js';
import type { BankEntryBody, BankEntryDetailBody } from '../../../src/bank/wire/bank-entry.js';
import { aCamt053, bankFixture, type EntryWish } from '../../support/bank-files.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';

export const STATEMENTS = '/v1/finance/bank-statements';
export const ENTRIES = '/v1/finance/bank-entries';

export async function importFile(
  client: TestClient,
  file: string | Buffer,
  { type = 'application/xml', query = '', headers = {} } = {},
): Promise<Answer<BankStatementBody>> {
  return client.post<BankStatementBody>(`${STATEMENTS}${query}`, file, {
    'content-type': type,
    ...headers,
  });
}

/** Tells how files of a bank account are read; its id. */
export async function aBankFileMapping(client: TestClient): Promise<string> {
  const query = '?currency=EUR&account=NL91ABNA0417164300';
  await importFile(client, 'Date,Amount\n2026-11-18,-1.00\n', { type: 'text/csv', query });
  const { body } = await client.get<{ data: { id: string }[] }>('/v1/finance/bank-file-mappings');
  return body.data[0]?.id ?? '';
}

/** Imports a provider's report of payouts. */
export async function importReport<Body>(
  client: TestClient,
  file = bankFixture('stripe-payouts.csv'),
  query = 'gateway=gateway-a',
  headers = {},
): Promise<Answer<Body>> {
  const sent = { 'content-type': 'text/csv', ...headers };
  return client.post<Body>(`/v1/finance/payouts/import?${query}`, file, sent);
}

let files = 0;

/** Imports a camt.053 of these entries, and answers what became of them, in their order. */
export async function imported(
  client: TestClient,
  ...wishes: EntryWish[]
): Promise<BankEntryDetailBody[]> {
  files += 1;
  const own = wishes.map((wish, index) => ({ bankReference: `R-${files}-${index}`, ...wish }));
  const statement = await importFile(client, aCamt053(own, `S-${files}`));
  if (statement.status !== 201) throw new Error(statement.text);
  const entries = await entriesOf(client, `statement_id=${statement.body.id}&limit=100`);
  const details = await Promise.all(entries.map(({ id }) => entryOf(client, id)));
  const place = ({ bank_reference }: BankEntryBody) =>
    own.findIndex(({ bankReference }) => bankReference === bank_reference);
  return details.sort((one, other) => place(one) - place(other));
}

export async function entriesOf(client: TestClient, query = ''): Promise<BankEntryBody[]> {
  const answer = await client.get<{ data: BankEntryBody[] }>(`${ENTRIES}?${query}`);
  return answer.body.data;
}

export async function entryOf(client: TestClient, id: string): Promise<BankEntryDetailBody> {
  return (await client.get<BankEntryDetailBody>(`${ENTRIES}/${id}`)).body;
}

/** An invoice over 119.00 EUR, or as the fields say, of one customer. */
export async function invoiceOf(
  client: TestClient,
  customer: { id: string },
  over: object = {},
): Promise<DocumentBody> {
  return client.anInvoice({ customer: undefined, customer_id: customer.id, ...over });
}

type Answered = BankEntryDetailBody & { code: string };

/** Says something of an entry. */
export const tellOf =
  (client: () => TestClient) =>
  async (id: string | undefined, what: 'book' | 'unbook' | 'confirm' | 'ignore', body = {}) =>
    client().post<Answered>(`${ENTRIES}/${id}/${what}`, body);

/** Debits less credits, of the accounts that moved. */
export async function balancesOf(client: TestClient): Promise<Record<string, number>> {
  type Body = { data: { account: string; debit: number; credit: number }[] };
  const { body } = await client.get<Body>('/v1/finance/ledger/balances');
  const moved = body.data.map(({ account, debit, credit }) => [account, debit - credit] as const);
  return Object.fromEntries(moved.filter(([, balance]) => balance !== 0));
}
