import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BankEntryBody } from '../../../src/bank/wire/bank-entry.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { oneIn } from '../../support/share.js';
import { closeWithBooks } from '../documents/document-calls.js';
import { entriesOf, entryOf, importFile } from './bank-calls.js';
import { type BankText, RETOLD } from './file-variants.js';

// The hunt of docs/testing.md: however the same money is told again, its sum never changes.

const FOLDER = new URL('../../fixtures/bank/', import.meta.url);
const TYPES: Record<string, string> = {
  csv: 'text/csv',
  sta: 'text/plain',
  xml: 'application/xml',
};
const FILES = readdirSync(FOLDER).filter((name) => TYPES[name.split('.').at(-1) ?? '']);
const CASES = FILES.flatMap((file) => Object.keys(RETOLD).map((how) => ({ file, how })));
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));

interface Money {
  /** Of all entries that count and are not perhaps another one, by direction and currency. */
  told: Record<string, number>;
  /** That became payments. */
  booked: number;
}

async function moneyOf(client: TestClient): Promise<Money> {
  const told: Record<string, number> = {};
  for (const one of await entriesOf(client, 'limit=100')) {
    const isSettled = ['booked', 'recorded', 'returned', 'posted'].includes(one.status);
    const counts = one.status !== 'replaced' && one.status !== 'withdrawn';
    // Of two that may be one, the later one is in doubt; ids are in the order of time.
    const twins = isSettled ? [] : (await entryOf(client, one.id)).perhaps_same;
    const isDoubted = twins.some(({ bank_entry_id: other }) => other < one.id);
    const key = `${one.direction} ${one.currency}`;
    if (counts && !isDoubted) told[key] = (told[key] ?? 0) + one.amount;
  }
  const { body } = await client.get<{ data: { amount: number }[] }>(
    '/v1/finance/payments?limit=100',
  );
  return { told, booked: body.data.reduce((sum, { amount }) => sum + amount, 0) };
}

const send = async (client: TestClient, { type }: BankText, bytes: Buffer) =>
  importFile(client, bytes, { type });

/** The file with an invoice for each credit whose text stands in it as it is: so its money is booked. */
async function named(client: TestClient, file: string, whole: BankText): Promise<BankText> {
  const scratch = await service.aClient();
  const read = await send(scratch, whole, Buffer.from(whole.text));
  expect([file, read.status]).toEqual([file, 201]);
  let { text } = whole;
  for (const one of await entriesOf(scratch, 'limit=100')) {
    const { remittance, direction, amount, currency } = one;
    const isFit = direction === 'credit' && amount > 0 && remittance && remittance.length > 8;
    if (!isFit || text.split(remittance).length !== 2) continue;
    const lines = [{ description: 'Work', unit_amount: amount, tax_rate: '0' }];
    const { payment_reference: reference } = await client.anInvoice({ currency, lines });
    text = text.replace(remittance, reference ?? '');
  }
  return { ...whole, text };
}

describe('the sum of money', () => {
  let booked = 0;
  it.each(oneIn(4, CASES))(
    'of $file stays, told again $how',
    { timeout: 60_000 },
    async ({ file, how }) => {
      const client = await service.aClient();
      const bytes = readFileSync(new URL(file, FOLDER));
      const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
      const told = await named(client, file, {
        text,
        type: TYPES[file.split('.').at(-1) ?? ''] ?? '',
      });
      await send(client, told, Buffer.from(told.text));
      const first = await moneyOf(client);
      booked += first.booked;
      const entries: BankEntryBody[] = await entriesOf(client, 'limit=100');
      const again = RETOLD[how]?.(told, entries) ?? [];
      for (const one of again) {
        const { status } = await send(client, told, one);
        expect([201, 422]).toContain(status);
        expect(await moneyOf(client)).toEqual(first);
      }
      // Without the first file, all parts together are the same money.
      if (!how.startsWith('cut') || again.length === 0) return;
      const other = await service.aClient();
      for (const one of again) await send(other, told, one);
      expect((await moneyOf(other)).told).toEqual(first.told);
    },
  );

  it('was booked in part, so that it could have been booked twice', () => {
    expect(booked).toBeGreaterThan(0);
  });
});
