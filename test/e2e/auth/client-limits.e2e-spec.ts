import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';
import { oneIn } from '../../support/share.js';

/*
 * Managers of clients, all pairs: each operation on a client of each past and present, by managers
 * that have more or less. A model of three levels says what is allowed. Afterwards an
 * administrator gives the client everything, and no secret that the manager ever saw may be good
 * for more than the manager is.
 */

const CLIENTS = '/v1/clients';
const OUTSIDE = '198.51.100.7';
const MOST_MS = 300_000;

/** Scopes, addresses and end: 2 is more than 1. */
type Levels = readonly [scopes: 1 | 2, addresses: 1 | 2, end: 1 | 2];

const LEAST: Levels = [1, 1, 1];
const ALL: Levels = [2, 2, 2];
const each = [1, 2] as const;
const EVERY = each.flatMap((s) => each.flatMap((a) => each.map((e): Levels => [s, a, e])));

const covers = (one: Levels, other: Levels) => one.every((level, at) => level >= other[at]!);
const joined = (one: Levels, other: Levels) =>
  one.map((level, at) => Math.max(level, other[at]!)) as unknown as Levels;
const withLevel = (levels: Levels, at: number, level: 1 | 2) =>
  levels.map((old, index) => (index === at ? level : old)) as unknown as Levels;

interface Known {
  client_id: string;
  client_secret: string;
}
interface Made {
  id: string;
  client_secret: string;
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ trustProxy: true });
});
afterAll(() => service.close());

let soon = '';
const SCOPES = { 1: ['documents:read'], 2: ['documents:read', 'payments:write'] } as const;
const ADDRESSES = { 1: ['127.0.0.0/8'], 2: null } as const;
const fieldsOf = ([scopes, addresses, end]: Levels) => ({
  scopes: SCOPES[scopes],
  addresses: ADDRESSES[addresses],
  expires_at: { 1: soon, 2: null }[end],
});
const FIELDS = ['scopes', 'addresses', 'expires_at'] as const;
const fieldAt = (at: number, level: 1 | 2) => {
  const name = FIELDS[at]!;
  return { [name]: fieldsOf([level, level, level])[name] };
};

/** A call of a manager, and the status that the model expects. */
interface Operation {
  name: string;
  call(manager: TestClient, id: string): Promise<Answer>;
  /** 403 where it may not give what this asks of it; otherwise this one. */
  asks(had: Levels, is: Levels): { givable: Levels | null; status: number };
}

const rotate = (manager: TestClient, id: string, body: object) =>
  manager.post(`${CLIENTS}/${id}/rotate`, body);
const patch = (manager: TestClient, id: string, body: object) =>
  manager.patch(`${CLIENTS}/${id}`, body);
const free = () => ({ givable: null, status: 200 });

const OPERATIONS: Operation[] = [
  { name: 'rename', call: (m, id) => patch(m, id, { name: 'renamed' }), asks: free },
  {
    name: 'rotate',
    call: (m, id) => rotate(m, id, {}),
    asks: (had) => ({ givable: had, status: 200 }),
  },
  {
    name: 'retire the old secret',
    call: (m, id) => rotate(m, id, { overlap_hours: 0 }),
    asks: (had) => ({ givable: had, status: 200 }),
  },
  {
    name: 'end',
    call: (m, id) => m.delete(`${CLIENTS}/${id}`),
    asks: (had) => ({ givable: had, status: 200 }),
  },
  {
    name: 'rotate and narrow to the least',
    call: (m, id) => rotate(m, id, fieldsOf(LEAST)),
    asks: (had) => ({ givable: had, status: 200 }),
  },
  ...[0, 1, 2].flatMap((at): Operation[] => [
    { name: `narrow ${FIELDS[at]}`, call: (m, id) => patch(m, id, fieldAt(at, 1)), asks: free },
    {
      name: `widen ${FIELDS[at]}`,
      call: (m, id) => patch(m, id, fieldAt(at, 2)),
      asks: (had, is) =>
        is[at] === 2 ? free() : { givable: joined(had, withLevel(is, at, 2)), status: 409 },
    },
    {
      name: `rotate and widen ${FIELDS[at]}`,
      call: (m, id) => rotate(m, id, fieldAt(at, 2)),
      asks: (had, is) => ({ givable: joined(had, withLevel(is, at, 2)), status: 200 }),
    },
    {
      name: `rotate and widen ${FIELDS[at]}, and keep the old secret`,
      call: (m, id) => rotate(m, id, { ...fieldAt(at, 2), overlap_hours: 24 }),
      asks: (had, is) => ({
        givable: joined(had, withLevel(is, at, 2)),
        status: is[at] === 2 ? 200 : 409,
      }),
    },
  ]),
];

const RELATIONS = EVERY.flatMap((had) =>
  EVERY.filter((is) => covers(had, is)).map((is) => ({ had, is })),
);

async function aManager(admin: TestClient, levels: Levels): Promise<TestClient> {
  const { scopes, ...limits } = fieldsOf(levels);
  const all = ['clients:manage', ...scopes];
  const manager = await service.aClient({ of: admin, scopes: all });
  expect((await admin.patch(`${CLIENTS}/${manager.id}`, limits)).status).toBe(200);
  return manager;
}

/** Made by the manager, who has its first secret, and brought by the administrator to what it is. */
async function aClientOf(manager: TestClient, admin: TestClient, had: Levels, is: Levels) {
  const made = await manager.post<Made>(CLIENTS, { name: 'c', ...fieldsOf(LEAST) });
  const { id, client_secret } = made.body;
  if (!covers(LEAST, had)) expect((await rotate(admin, id, fieldsOf(had))).status).toBe(200);
  if (!covers(is, had)) expect((await patch(admin, id, fieldsOf(is))).status).toBe(200);
  return { client_id: id, client_secret };
}

const tokenFor = (known: Known, from?: string) =>
  service.call<{ scope: string }>('/v1/auth/token', {
    method: 'POST',
    body: { ...known },
    headers: from === undefined ? {} : { 'x-forwarded-for': from },
  });

/** No secret may do what its holder may not. */
async function expectNoMoreThan(levels: Levels, known: readonly Known[]): Promise<void> {
  for (const secret of known) {
    const { status, body } = await tokenFor(secret);
    const scopes = status === 200 ? body.scope.split(' ') : [];
    expect(scopes.filter((scope) => !SCOPES[levels[0]].some((own) => own === scope))).toEqual([]);
    if (levels[1] === 1) expect((await tokenFor(secret, OUTSIDE)).status).toBe(401);
  }
}

describe.each<Levels>([[1, 2, 2], [2, 1, 2], [2, 2, 1], ALL])('a manager of %i %i %i', (...own) => {
  it(
    'ends with no credentials for what it does not have',
    async () => {
      soon = new Date(service.clock.now().getTime() + 3_600_000).toISOString();
      const ends: Known[] = [];
      for (const { had, is } of oneIn(6, RELATIONS)) {
        const admin = await service.aClient();
        const manager = await aManager(admin, own);
        await Promise.all(
          OPERATIONS.map(async ({ name, call, asks }) => {
            const first = await aClientOf(manager, admin, had, is);
            const id = first.client_id;
            const { givable, status } = asks(had, is);
            const answer = await call(manager, id);
            const expected = givable && !covers(own, givable) ? 403 : status;
            expect([had, is, name, answer.status]).toEqual([had, is, name, expected]);
            const secret = answer.body['client_secret'] as string | undefined;
            const known = [first, ...(secret ? [{ client_id: id, client_secret: secret }] : [])];
            await expectNoMoreThan(own, known);
            if (name === 'end' && answer.status === 200) return;
            // By whichever call the administrator gives it everything, and keeps what it may.
            const now = (await admin.get(`${CLIENTS}/${id}`)).body;
            const isAll = JSON.stringify(fieldsOf(ALL)) === JSON.stringify(picked(now));
            expect((await patch(admin, id, fieldsOf(ALL))).status).toBe(isAll ? 200 : 409);
            if (!isAll) expect((await rotate(admin, id, fieldsOf(ALL))).status).toBe(200);
            await expectNoMoreThan(own, known);
            ends.push(...known);
          }),
        );
      }
      if (own[2] === 2) return;
      service.clock.advance({ hours: 2 });
      try {
        for (const secret of ends) expect((await tokenFor(secret)).status).toBe(401);
      } finally {
        service.clock.set(new Date());
      }
    },
    MOST_MS,
  );
});

const picked = (client: object) =>
  Object.fromEntries(FIELDS.map((name) => [name, (client as Record<string, unknown>)[name]]));

describe('a new client', () => {
  it.each(EVERY)('is no more than who makes it: %i %i %i', async (...own) => {
    soon = new Date(service.clock.now().getTime() + 3_600_000).toISOString();
    const admin = await service.aClient();
    const manager = await aManager(admin, own);
    for (const wish of EVERY) {
      // Null cannot be said of a new one: a field that is left out is as the manager's.
      const named = Object.entries(fieldsOf(wish)).filter(([, value]) => value !== null);
      const as: Levels = [wish[0], Math.min(wish[1], own[1]), Math.min(wish[2], own[2])] as never;
      const answer = await manager.post<Made>(CLIENTS, {
        name: 'c',
        ...Object.fromEntries(named),
      });
      expect([wish, answer.status]).toEqual([wish, covers(own, as) ? 201 : 403]);
      const { id, client_secret } = answer.body;
      if (id) await expectNoMoreThan(own, [{ client_id: id, client_secret }]);
    }
  });
});
