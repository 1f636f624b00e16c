import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../src/kernel/ids.js';
import { IntegrityQuery } from '../../src/integrity/index.js';
import { sealAll } from '../support/books.js';
import type { TestClient } from '../support/client.js';
import { withoutGuards } from '../support/seals.js';
import { startTestService, type TestService } from '../support/service.js';
import { aPlace, type Place } from './program.js';

// A head that was kept by hand, and what the command says of a chain that lost it.

let place: Place;
let service: TestService;
let client: TestClient;
beforeAll(async () => {
  place = await aPlace();
  service = await startTestService();
});
afterAll(async () => {
  await place.remove();
  await service.close();
});

/** Two seals, of which the last is kept. */
let kept: string;
let digest: string;
beforeEach(async () => {
  client = await service.aClient();
  for (const notes of ['first', 'second']) {
    await client.anInvoice({ notes });
    await sealAll(service);
  }
  const accountId = uuidOf('acc', client.accountId) ?? '';
  const { sealed } = await service.app.get(IntegrityQuery).differences(accountId);
  expect(sealed?.sequence).toBe(2n);
  digest = sealed?.digest ?? '';
  kept = `2:${digest}`;
});

const env = () => ({ DATABASE_URL: service.database.url });
const integrity = async (...args: string[]) => place.command(['integrity', ...args], env());
const expecting = async (...heads: string[]) =>
  integrity('--account', client.accountId, '--expect-head', ...heads);
const lost = (sequence: number, stored: string) =>
  `${client.accountId}: the chain has the seal that was kept: ` +
  `stored seal ${sequence}: ${stored}, derived seal ${sequence}: ${digest}`;

describe('integrity --expect-head', () => {
  it('ends with 0 where the chain has the seal, also once it has gone on', async () => {
    const args = ['integrity', '--account', client.accountId, '--expect-head', kept];
    expect(await place.run('cli', args, env())).toMatchObject({ code: 0, errors: '' });
    await client.anInvoice();
    await sealAll(service);
    const { code, errors, output } = await expecting(kept);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toMatch(
      /^\d+ checks, no difference, 0 rows to be sealed; seal 3: [0-9a-f]{64}$/m,
    );
  });

  it('ends with 1 where the tail was cut off, and names the seal', async () => {
    const own = `account_id = '${uuidOf('acc', client.accountId)}'`;
    await withoutGuards(
      service,
      `DELETE FROM seals WHERE ${own} AND sequence = 2;
       UPDATE seal_heads SET (sequence, through_xact, digest) =
         (SELECT sequence, through_xact, digest FROM seals WHERE ${own}) WHERE ${own};`,
    );
    // Alone the chain looks whole: that is what a kept head is for.
    expect(await integrity('--account', client.accountId)).toMatchObject({ code: 0 });
    const { code, output } = await expecting(kept);
    expect([code, output.trim().split('\n')]).toEqual([1, [lost(2, 'missing')]]);
  });

  it('ends with 1 where another seal has its place', async () => {
    const forged = 'ab'.repeat(32);
    await service.database.query(`ALTER TABLE seals DISABLE TRIGGER USER;
      UPDATE seals SET digest = '\\x${forged}' WHERE sequence = 2;
      ALTER TABLE seals ENABLE TRIGGER USER`);
    const { code, output } = await expecting(kept);
    expect([code, output]).toEqual([1, expect.stringContaining(lost(2, forged))]);
  });

  it('ends with 1 where one of several is lost', async () => {
    const { code, output } = await expecting(kept, `9:${digest}`);
    expect([code, output.trim()]).toEqual([1, lost(9, 'missing')]);
  });

  it('ends with 2 where it cannot be asked so', async () => {
    const wrong = ['2', `0:${digest}`, `2:${digest.toUpperCase()}`, `2:${digest}0`];
    const ends = await Promise.all([expecting(kept, ...wrong), integrity('--expect-head', kept)]);
    expect(ends.map(({ code, errors }) => [code, errors.trim()])).toEqual([
      [2, `--expect-head: ${wrong.join(', ')}: no head (12:9f86..., as integrity prints it)`],
      [2, '--expect-head: name the account of the chain with --account'],
    ]);
  });
});
