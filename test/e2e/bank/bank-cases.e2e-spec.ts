import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BankReconciliationBody } from '../../../src/bank/wire/bank-reconciliation.js';
import type { BankStatementBody } from '../../../src/bank/wire/bank-statement.js';
import type { BankEntryBody } from '../../../src/bank/wire/bank-entry.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks } from '../documents/document-calls.js';
import { entriesOf, importFile } from './bank-calls.js';

// Files in the form of real ones, and what is right for them: test/fixtures/bank/README.md.

const CASES = new URL('../../fixtures/bank/cases/', import.meta.url);
const RIGHT = '.right.json';

interface Case {
  kind: string;
  why: string;
  /** Made first, one after another. */
  invoices?: { amount: number; currency: string; customer: string }[];
  steps?: { file: string; type: string; query: string; right: Right[] }[];
  /** Of the invoices, when all steps are done. */
  documents?: Partial<DocumentBody>[];
  /** The sum of all entries that count. */
  money_in?: { amount: number; currency: string };
  /** How many entries have this other side. */
  entries_of?: Record<string, number>;
  /** Fields of a line, which are printed without a warning. */
  document?: object;
}

/** Any one of a list is right. */
interface Right {
  status: number;
  /** A pattern of what a refusal says. */
  detail?: string;
  entries?: (Partial<BankEntryBody> & { remittance_has?: string })[];
  /** No entry is so, ... */
  entries_not?: Partial<BankEntryBody>;
  /** ... or so many were known before. */
  or_known?: number;
  known_before?: number;
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));

const names = readdirSync(CASES).filter((name) => name.endsWith(RIGHT));
const read = (name: string) => readFileSync(new URL(name, CASES));
const withoutEnd = (name: string) => name.slice(0, -RIGHT.length);

it.each(names.map(withoutEnd))('%s', async (name) => {
  const one = JSON.parse(read(`${name}${RIGHT}`).toString()) as Case;
  if (!one.steps && !one.document) throw new Error('nothing to play');
  const client = await service.aClient();
  if (one.document) await expectPrintable(client, one.document);
  const invoices = await invoicesOf(client, one);
  const fill = filledWith(invoices);
  for (const { file, type, query, right } of one.steps ?? []) {
    const answer = await importFile(client, filledBytes(read(file), fill), {
      type,
      query: query && `?${fill(query)}`,
    });
    const found = await entriesIn(client, answer);
    const wanted = JSON.parse(fill(JSON.stringify(right))) as Right[];
    const said = JSON.stringify({ wanted, answer: answer.body, found }, null, 1);
    expect(
      wanted.some((one) => isRight(one, answer, found)),
      `${one.why}\n${said}`,
    ).toBe(true);
  }
  await expectAfter(client, one, invoices);
});

async function invoicesOf(client: TestClient, { invoices = [] }: Case): Promise<DocumentBody[]> {
  const made: DocumentBody[] = [];
  for (const { amount, currency, customer } of invoices) {
    const line = { description: 'Goods', quantity: '1', unit_amount: amount, tax_rate: '0' };
    const buyer = { name: customer, country: 'DE' };
    made.push(await client.anInvoice({ currency, customer: buyer, lines: [line] }));
  }
  return made;
}

/** `{{number:1}}` is the number of the first invoice. */
function filledWith(invoices: readonly DocumentBody[]): (text: string) => string {
  return (text) =>
    text.replace(/\{\{(number|reference):(\d+)\}\}/g, (_, what: string, place: string) => {
      const invoice = invoices[Number(place) - 1];
      const value = what === 'number' ? invoice?.number : invoice?.payment_reference;
      if (!value) throw new Error(`there is no ${what} ${place}`);
      return value;
    });
}

/** Files are bytes, and some of them two for a character. */
function filledBytes(bytes: Buffer, fill: (text: string) => string): Buffer {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'latin1';
  return Buffer.from(fill(bytes.toString(encoding)), encoding);
}

async function entriesIn(client: TestClient, answer: Answer<BankStatementBody>) {
  if (answer.status !== 201) return [];
  return entriesOf(client, `statement_id=${answer.body.id}&limit=100`);
}

function isRight(right: Right, answer: Answer<BankStatementBody>, found: BankEntryBody[]): boolean {
  if (answer.status !== right.status) return false;
  const { detail = '', counts } = answer.body as BankStatementBody & { detail?: string };
  if (right.detail !== undefined && !new RegExp(right.detail, 'i').test(detail)) return false;
  if (right.known_before !== undefined && counts.known_before !== right.known_before) return false;
  if (right.entries && !haveAll(found, right.entries)) return false;
  const { entries_not: never, or_known: known = Infinity } = right;
  return !never || counts.known_before >= known || !found.some((entry) => isLike(entry, never));
}

/** Each wish has an entry of its own. */
function haveAll(found: BankEntryBody[], wishes: NonNullable<Right['entries']>): boolean {
  const left = [...found];
  return wishes.every(({ remittance_has: words = '', ...fields }) => {
    const place = left.findIndex(
      (entry) => isLike(entry, fields) && (entry.remittance ?? '').includes(words),
    );
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

function isLike(entry: BankEntryBody, fields: Partial<BankEntryBody>): boolean {
  return Object.entries(fields).every(
    ([field, value]) => entry[field as keyof BankEntryBody] === value,
  );
}

async function expectAfter(client: TestClient, one: Case, invoices: DocumentBody[]): Promise<void> {
  const after = await Promise.all(invoices.map((invoice) => client.read(invoice)));
  expect(after, one.why).toMatchObject(one.documents ?? after);
  if (one.money_in) {
    const { currency, amount } = one.money_in;
    const path = '/v1/finance/reports/bank-reconciliation';
    const { accounts } = (await client.get<BankReconciliationBody>(path)).body;
    const sums = accounts
      .filter((account) => account.currency === currency)
      .map(({ booked, not_booked: open, ignored }) => booked + open + ignored);
    expect(
      sums.reduce((sum, part) => sum + part, 0),
      one.why,
    ).toBe(amount);
  }
  const all = await entriesOf(client, 'limit=100');
  for (const [name, count] of Object.entries(one.entries_of ?? {})) {
    const theirs = all.filter((entry) => entry.counterparty_name === name);
    expect(theirs, one.why).toHaveLength(count);
  }
}

async function expectPrintable(client: TestClient, fields: object): Promise<void> {
  const { body } = await client.post<DocumentBody>('/v1/finance/documents/preview', {
    kind: 'invoice',
    currency: 'EUR',
    customer: { name: 'Globex', country: 'US' },
    lines: [{ unit_amount: 100, ...fields }],
  });
  expect(body.lines).toHaveLength(1);
  const codes = (body.warnings ?? []).map(({ code }) => code);
  expect(codes).not.toContain('characters_not_printable');
}
