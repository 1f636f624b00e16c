import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import { IntegrityQuery, SealsRepository } from '../../../src/integrity/index.js';
import { IntegrityJob } from '../../../src/integrity/application/integrity-job.js';
import { Sealer } from '../../../src/integrity/application/sealer.js';
import { createLog } from '../../../src/platform/observability/log.js';
import { checkedBooks, sealAll, untilAllHaveEnded } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import { CUT_TAILS, withoutGuards } from '../../support/seals.js';
import { startTestService, type TestService } from '../../support/service.js';

// Heads of chains that were kept, inside and outside of the database, against who rewrites chains.

let folder: string;
let file: string;
let service: TestService;
let client: TestClient;
const lines: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-heads-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  file = join(folder, `heads-${Date.now()}`);
  lines.length = 0;
  const log = createLog('info', { write: (line) => lines.push(line) });
  service = await startTestService({ sealHeadsFile: file, log });
  // The migration of the template is in the chain of no account: here is one chain only.
  await service.database.query(`ALTER TABLE audit_entries DISABLE TRIGGER USER;
    DELETE FROM audit_entries; ALTER TABLE audit_entries ENABLE TRIGGER USER`);
  client = await service.aClient();
});
afterEach(() => service.close());

/** One round of the sealer, in a window that has something. */
async function seal(notes = 'sealed'): Promise<void> {
  await client.anInvoice({ notes });
  await untilAllHaveEnded(service);
  await service.app.get(Sealer).seal();
}

interface Kept {
  account: string;
  sequence: number;
  digest: string;
  numbers?: { series: string; period: string; last: number }[];
  erased?: string[];
}

const inFile = async (): Promise<Kept[]> =>
  (await readFile(file, 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line.startsWith('{"account"') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Kept);
const told = (message: string) =>
  lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === message);
const checks = async (): Promise<string[]> => {
  const { differences } = await service.app.get(IntegrityQuery).differences();
  return differences.map(({ check }) => check);
};
const head = async () => {
  const accountId = uuidOf('acc', client.accountId) ?? '';
  return (await service.app.get(IntegrityQuery).differences(accountId)).sealed;
};

const SEEN = 'a chain has the first seal that it had, and each that a check of the books has seen';
const KEPT = 'the chain has the seal that was kept';

/** The owner's change, with new seals made over it. */
const forge = () =>
  service.database.query(`ALTER TABLE document_contents DISABLE TRIGGER USER;
    UPDATE document_contents SET notes = 'forged';
    ALTER TABLE document_contents ENABLE TRIGGER USER`);

async function rewrite(): Promise<void> {
  await withoutGuards(service, 'DELETE FROM seals; DELETE FROM seal_heads; DELETE FROM seals_seen');
  await forge();
  await sealAll(service);
}

const differencesOf = async (one: TestClient) =>
  (await checkedBooks(service, one)).differences.length;
const unwritten = async () =>
  /^seal_heads_unwritten_total (\d+)$/m.exec((await service.metrics()).text)?.[1];

describe('the heads of chains', () => {
  it('are in the log and in the file, one line a seal', async () => {
    await seal();
    await seal();
    const logged = told('sealed').map(({ account, sequence, digest }) => ({
      account,
      sequence,
      digest,
    }));
    expect(logged).toMatchObject([{ sequence: 1 }, { sequence: 2 }]);
    expect(await inFile()).toMatchObject(logged);
    expect((await inFile()).map(({ numbers }) => numbers)).toEqual([
      [{ series: 'invoice', period: '', last: 1 }],
      [{ series: 'invoice', period: '', last: 2 }],
    ]);
    expect(logged[1]).toMatchObject({ account: client.accountId, digest: (await head())?.digest });
    expect(await checks()).toEqual([]);
  });

  it('say how long the oldest row waits for one, and warn from a minute on', async () => {
    const waiting = async () =>
      Number(/^books_unsealed_seconds (\S+)$/m.exec((await service.metrics()).text)?.[1] ?? -1);
    const round = async () => service.app.get(Sealer).seal();
    await seal();
    expect(await waiting()).toBe(0);
    const other = await service.database.connect();
    try {
      await other.query('BEGIN; SELECT pg_current_xact_id()');
      await client.anInvoice();
      await round();
      expect(told('sealing is held back')).toEqual([]);
      service.clock.advance({ seconds: 90 });
      await round();
      expect(await waiting()).toBeGreaterThanOrEqual(90);
      expect(told('sealing is held back')).toHaveLength(1);
      await other.query('COMMIT');
    } finally {
      await other.end();
    }
    await untilAllHaveEnded(service);
    await round();
    expect(await waiting()).toBe(0);
  });

  it('stay in the database as they are', async () => {
    await seal();
    for (const sql of [
      'DELETE FROM seals',
      'DELETE FROM seal_heads',
      'DELETE FROM seals_seen',
      'TRUNCATE seals',
      'TRUNCATE seal_heads',
      'TRUNCATE seals_seen',
      'UPDATE seals SET rows = 1',
      'UPDATE seals_seen SET sequence = 2',
      'UPDATE seal_heads SET sequence = sequence',
      'UPDATE seal_heads SET sequence = sequence + 1',
      'UPDATE seal_heads SET sequence = sequence + 2, through_xact = through_xact + 1',
    ]) {
      await expect(service.database.query(sql)).rejects.toThrow('is refused');
    }
  });
});

describe('who deletes all seals and heads', () => {
  it('is seen, because each chain had another first seal', async () => {
    await seal();
    await withoutGuards(service, 'DELETE FROM seals; DELETE FROM seal_heads');
    expect(await checks()).toEqual([SEEN, KEPT]);
    await forge();
    await sealAll(service);
    expect(await checks()).toEqual([SEEN, KEPT]);
  });

  it('and what was seen, is seen in the file only', async () => {
    await seal();
    await withoutGuards(
      service,
      'DELETE FROM seals; DELETE FROM seal_heads; DELETE FROM seals_seen',
    );
    await forge();
    await sealAll(service);
    expect(await checks()).toEqual([KEPT]);
    await rm(file);
    expect(await checks()).toEqual([]);
  });
});

describe('who cuts the tails of chains', () => {
  it('is seen in the file', async () => {
    await seal();
    await seal('later');
    await withoutGuards(service, CUT_TAILS);
    await forge();
    expect(await checks()).toContain(KEPT);
    await sealAll(service);
    expect(await checks()).toContain(KEPT);
  });

  it('is seen without a file, where a check of the books has seen what was cut', async () => {
    const job = await startTestService({ database: service.database, integrityHours: 24 });
    try {
      await seal();
      await seal('later');
      expect(await job.app.get(IntegrityJob).run()).toBe(1);
      await withoutGuards(service, CUT_TAILS);
      await sealAll(service);
      await rm(file);
      expect(await checks()).toEqual([SEEN]);
    } finally {
      await job.close();
    }
  });
});

describe('who writes the whole chain anew', () => {
  it('is told from a seal that was kept by hand, and in the file', async () => {
    await seal();
    const kept = await head();
    await rewrite();
    const query = `?sequence=${kept?.sequence}&digest=${kept?.digest}`;
    const body = await checkedBooks(service, client, query);
    expect(body.contains_seal).toBe(false);
    expect(body.differences).toEqual([
      expect.objectContaining({ check: KEPT, id: client.accountId }),
      expect.objectContaining({ check: KEPT, id: client.accountId }),
    ]);
  });

  it('is still told when the file has heads of the new chain, too', async () => {
    await seal();
    await rewrite();
    await seal('after');
    expect(await inFile()).toHaveLength(2);
    expect(await checks()).toEqual([KEPT]);
  });

  it('is told to the account whose chain it is, and to no other', async () => {
    await seal();
    const other = await service.aClient();
    await rewrite();
    expect(await differencesOf(client)).toBe(1);
    expect(await differencesOf(other)).toBe(0);
  });
});

describe('a file that cannot be written', () => {
  it('does not stop sealing, is told and counted, and gets what it missed', async () => {
    await mkdir(file);
    const ids: string[] = [];
    const erase = async () => {
      const { id } = await client.aCustomer();
      await client.post(`/v1/finance/customers/${id}/erase`);
      ids.push(id);
    };
    await erase();
    await seal();
    await client.aQuote();
    await erase();
    await seal('later');
    expect((await head())?.sequence).toBe(2n);
    expect(await unwritten()).toBe('2');
    expect(told('heads of seals were not written')).toHaveLength(2);
    await rm(file, { recursive: true });
    await service.app.get(Sealer).seal();
    const [{ numbers, erased } = { numbers: [] }, ...others] = await inFile();
    expect(others).toEqual([]);
    expect(erased).toEqual(ids);
    expect(numbers).toHaveLength(2);
    expect(numbers).toContainEqual({ series: 'invoice', period: '', last: 2 });
    expect(numbers).toContainEqual({ series: 'quote', period: '', last: 1 });
    expect(await unwritten()).toBe('2');
    expect(await checks()).toEqual([]);
  });

  it('is a difference where it cannot be read either', async () => {
    await mkdir(file);
    expect(await checks()).toEqual(['the file of the heads of seals can be read']);
  });

  it('keeps a line that was cut off apart from what comes after it', async () => {
    await seal();
    await writeFile(file, '{"account":"acc_01', { flag: 'a' });
    await seal('later');
    expect((await readFile(file, 'utf8')).split('\n').slice(1, 3)).toEqual([
      '{"account":"acc_01',
      expect.stringContaining('"sequence":2'),
    ]);
    expect(await checks()).toEqual([]);
  });

  it('is shared by processes that seal in turns', async () => {
    const other = await startTestService({ database: service.database, sealHeadsFile: file });
    try {
      for (let round = 0; round < 5; round += 1) {
        await client.anInvoice();
        await Promise.all([service.app.get(Sealer).seal(), other.app.get(Sealer).seal()]);
      }
      await seal();
      const sequences = (await inFile()).map(({ sequence }) => sequence);
      expect(new Set(sequences).size).toBe(sequences.length);
      expect(await service.app.get(SealsRepository).sealNext()).toEqual([]);
      expect(sequences.sort((one, next) => one - next)).toEqual(sequences.map((_, i) => i + 1));
      expect(await checks()).toEqual([]);
    } finally {
      await other.close();
    }
  });
});
