import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import { OPERATOR } from '../../../src/kernel/actor.js';
import { Sealer } from '../../../src/integrity/application/sealer.js';
import { LostErasures } from '../../../src/privacy/index.js';
import { untilAllHaveEnded } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import type { TestDatabase } from '../../support/database.js';
import { aRestoredCopy } from '../../support/restore.js';
import { startTestService, type TestService } from '../../support/service.js';
import { good } from '../documents/document-calls.js';

// Customers who were erased, and whom a backup brings back. The file of heads stays as it was.

let folder: string;
let file: string;
let made: TestService;
let copy: TestDatabase;
let restored: TestService;
let client: TestClient;
let there: TestClient;
const customers: Record<'ada' | 'bob' | 'eve', string> = { ada: '', bob: '', eve: '' };
let draft: { id: string };

const at = (id: string, end = '') => `/v1/finance/customers/${id}${end}`;
const uuid = (id: string) => uuidOf('cus', id);
const lost = () => restored.app.get(LostErasures);
const nameThere = async (id: string) => good(await there.get<{ name: string }>(at(id)), 200).name;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-erased-'));
  file = join(folder, 'heads');
  made = await startTestService({ sealHeadsFile: file, doesJobs: false });
  client = await made.aClient();
  for (const name of ['ada', 'bob', 'eve'] as const) {
    customers[name] = (await client.aCustomer({ name, email: `${name}@example.com` })).id;
  }
  draft = await client.anInvoice({ customer: undefined, customer_id: customers.bob, issue: false });
  await made.app.get(Sealer).seal();
  copy = await aRestoredCopy(made.database);
  // After the backup.
  good(await client.delete(`/v1/finance/documents/${draft.id}`), 204);
  for (const id of [customers.ada, customers.bob]) {
    good(await client.post(at(id, '/erase'), {}), 200);
  }
  await untilAllHaveEnded(made);
  await made.app.get(Sealer).seal();
  const last = (await readFile(file, 'utf8')).trimEnd().split('\n').at(-1);
  // A restore before this one had brought both back, too.
  await appendFile(file, `no line\n{"account":"acc_x","erased":["cus_x"]}\n${last}\n`);
  restored = await startTestService({ sealHeadsFile: file, doesJobs: false, database: copy });
  there = await restored.aClient({ of: client });
});
afterAll(async () => {
  await restored.close();
  await made.close();
  await copy.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('erasures that a backup does not have', () => {
  it('stand in the file of heads by ids alone', async () => {
    const text = await readFile(file, 'utf8');
    expect(text).toContain(`"erased":["${customers.ada}","${customers.bob}"]`);
    expect(text).not.toMatch(/ada|bob/);
  });

  it('are not said to be none where the file is not there', async () => {
    const service = await startTestService({ sealHeadsFile: join(folder, 'gone') });
    try {
      await expect(service.app.get(LostErasures).list()).rejects.toThrow('ENOENT');
    } finally {
      await service.close();
    }
  });

  it('are none where they were made', async () => {
    expect(await made.app.get(LostErasures).list()).toEqual([]);
  });

  it('are listed', async () => {
    const ids = (await lost().list()).map(({ customerId }) => customerId);
    expect(ids.toSorted()).toEqual([uuid(customers.ada), uuid(customers.bob)].toSorted());
  });

  it('are made again, but of one with something open', async () => {
    const { erased, refused } = await lost().repeat(OPERATOR);
    expect(erased).toMatchObject([{ customerId: uuid(customers.ada) }]);
    expect(refused).toMatchObject([
      { customerId: uuid(customers.bob), reason: expect.stringContaining(draft.id) as string },
    ]);
    const names = Object.values(customers).map(async (id) => nameThere(id));
    expect(await Promise.all(names)).toEqual(['erased', 'bob', 'eve']);
  });

  it('are made again when that was ended, and then no more', async () => {
    good(await there.delete(`/v1/finance/documents/${draft.id}`), 204);
    expect(await lost().repeat(OPERATOR)).toMatchObject({
      erased: [{ customerId: uuid(customers.bob) }],
      refused: [],
    });
    expect(await lost().repeat(OPERATOR)).toEqual({ erased: [], refused: [] });
    expect(await nameThere(customers.eve)).toBe('eve');
  });
});
