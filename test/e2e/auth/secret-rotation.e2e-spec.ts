import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { startTestService, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem } from '../expectations.js';

// QUITTANCE_SECRET is a list, newest first. Rolling over has two phases: the new secret becomes the
// second of every process, then the first. In both, old and new processes serve the same clients.

const OLD = 'the old secret, of more than thirty-two characters';
const NEW = 'the new secret, of more than thirty-two characters';
const CUSTOMERS = '/v1/finance/customers';

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase();
});
afterAll(() => database.drop());

async function withServices(
  lists: readonly (readonly string[])[],
  work: (...services: TestService[]) => Promise<void>,
): Promise<void> {
  const services = await Promise.all(
    lists.map((secrets) => startTestService({ database, secrets })),
  );
  try {
    await work(...services);
  } finally {
    await Promise.all(services.map((service) => service.close()));
  }
}

const reads = async (service: TestService, token: string) =>
  (await service.call(CUSTOMERS, { headers: { authorization: `Bearer ${token}` } })).status;

/** A customer, made once by a key of its own. */
async function aKeyedCall(service: TestService, client: TestClient) {
  const request = {
    method: 'POST',
    body: { name: 'Globex' },
    headers: {
      authorization: `Bearer ${await client.bearer()}`,
      'idempotency-key': randomBytes(9).toString('hex'),
    },
  };
  const first = await service.call(CUSTOMERS, request);
  expect(first.status).toBe(201);
  return { request, first };
}

const storedBodies = () =>
  database.query<{ key: string; body: Buffer }>('SELECT key, body FROM idempotency_keys');

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const headOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as {
    kid?: string;
  };

describe.each([
  ['phase one, the new secret second', [OLD], [OLD, NEW]],
  ['phase two, the new secret first', [OLD, NEW], [NEW, OLD]],
  ['phase two, where some processes have dropped the old one later', [NEW, OLD], [NEW]],
])('two processes in %s', (name, before, after) => {
  it('take the tokens and replay the answers of each other', async () => {
    await withServices([before, after], async (one, other) => {
      const isLast = name.includes('dropped');
      const pairs = isLast
        ? [[other, one] as const]
        : [[one, other] as const, [other, one] as const];
      for (const [from, to] of pairs) {
        const client = await from.aClient();
        expect(await reads(to, await client.bearer())).toBe(200);
        const { request, first } = await aKeyedCall(from, client);
        const again = await to.call(CUSTOMERS, request);
        expect([again.status, again.text]).toEqual([201, first.text]);
        expect(again.headers.get('idempotency-replayed')).toBe('true');
      }
    });
  });
});

describe('a key id', () => {
  it('is in each token and before each sealed answer, and belongs to the newest secret', async () => {
    await withServices([[OLD], [NEW, OLD], [NEW]], async (...services) => {
      const ids = [];
      for (const service of services) {
        const client = await service.aClient();
        const { kid = '' } = headOf(await client.bearer());
        const { request } = await aKeyedCall(service, client);
        const stored = await storedBodies();
        const row = stored.find(({ key }) => key === request.headers['idempotency-key']);
        expect(row?.body.subarray(0, 4).toString('hex')).toBe(kid);
        ids.push(kid);
      }
      expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/), ids[2], ids[2]]);
      expect(ids[0]).not.toBe(ids[2]);
    });
  });

  it('that is unknown, or of another key than the one that signed, opens nothing', async () => {
    await withServices([[NEW, OLD]], async (service) => {
      const client = await service.aClient();
      const token = await client.bearer();
      const [, claims] = token.split('.');
      const signed = (header: object) => {
        const text = `${encoded({ alg: 'HS256', typ: 'at+jwt', ...header })}.${claims}`;
        return `${text}.${createHmac('sha256', OLD).update(text).digest('base64url')}`;
      };
      expect(await reads(service, signed({ kid: 'ffffffff' }))).toBe(401);
      expect(await reads(service, signed({ kid: headOf(token).kid }))).toBe(401);
      expect(await reads(service, signed({}))).toBe(401);
    });
  });
});

describe('an answer that can no longer be opened', () => {
  it('because its secret is gone is 409, each time, and nothing is done again', async () => {
    const { request } = await keyedBy([OLD]);
    await withServices([[NEW]], async (service) => {
      const client = await service.aClient({ of: { accountId: owner.accountId } });
      // Keys belong to a client: the row is given to the one that asks now.
      await database.query(
        `UPDATE idempotency_keys SET client_id = (SELECT client_id FROM api_clients
           ORDER BY created_at DESC LIMIT 1) WHERE key = $1`,
        [request.headers['idempotency-key']],
      );
      request.headers.authorization = `Bearer ${await client.bearer()}`;
      await expectUnreadable(service, request);
    });
  });

  it.each<[string, string]>([
    ['changed', `set_byte(body, 20, get_byte(body, 20) # 1)`],
    ['of another key id', `set_byte(body, 0, get_byte(body, 0) # 1)`],
    ['cut', 'substr(body, 1, 20)'],
    ['empty', `''`],
  ])('because its bytes are %s is 409, and nothing is done again', async (_, sql) => {
    await withServices([[OLD]], async (service) => {
      const { request } = await aKeyedCall(service, await service.aClient());
      await database.query(`UPDATE idempotency_keys SET body = ${sql} WHERE key = $1`, [
        request.headers['idempotency-key'],
      ]);
      await expectUnreadable(service, request);
    });
  });
});

let owner: TestClient;

async function keyedBy(secrets: readonly string[]) {
  let made: Awaited<ReturnType<typeof aKeyedCall>> | undefined;
  await withServices([secrets], async (service) => {
    owner = await service.aClient();
    made = await aKeyedCall(service, owner);
  });
  if (!made) throw new Error('nothing was made');
  return made;
}

async function expectUnreadable(service: TestService, request: object): Promise<void> {
  const before = await contentsOf(database);
  for (let times = 0; times < 2; times += 1) {
    expectProblem(await service.call(CUSTOMERS, request), 409, 'stored_answer_unreadable');
  }
  expect(await contentsOf(database)).toEqual(before);
}
