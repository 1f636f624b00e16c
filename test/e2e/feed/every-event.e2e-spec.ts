import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/feed/wire/event.js';
import { EVENT_TYPES, scopeOf } from '../../../src/feed/wire/event-types.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { allIsShown } from '../../feed/shown.js';
import type { TestClient } from '../../support/client.js';
import { MailCatcher } from '../../support/mail-catcher.js';
import type { TestService } from '../../support/service.js';
import { FROM } from '../mail/mail-calls.js';
import { startRefundService } from '../payments/refund-calls.js';
import { playAll, type Scene } from './event-scenes.js';

let scene: Scene;
let clients: TestClient[];
beforeAll(async () => {
  const catcher = await MailCatcher.start();
  const mail = { url: catcher.url, from: FROM, dkim: null };
  scene = { ...(await startRefundService({ mail })), catcher };
  clients = await playAll(scene);
}, 120_000);
afterAll(async () => {
  await scene.close();
  await scene.catcher.stop();
});

async function typesIn({ database }: TestService, { accountId }: { accountId: string }) {
  const rows = await database.query<{ type: string }>(
    'SELECT DISTINCT type FROM events WHERE account_id = $1',
    [uuidOf('acc', accountId)],
  );
  return rows.map(({ type }) => type);
}

/** All that a token with these scopes reads of an account. */
async function seen(service: TestService, of: TestClient, scopes: string[]): Promise<string[]> {
  const reader = await service.aClient({ of, scopes: ['events:read', ...scopes] });
  const types: string[] = [];
  for (let after = 'beginning'; ;) {
    const path = `/v1/events?after=${after}&limit=100`;
    const { body } = await reader.get<{
      data: EventBody[];
      has_more: boolean;
      next_cursor: string;
    }>(path);
    types.push(...body.data.map(({ type }) => type));
    after = body.next_cursor;
    if (!body.has_more) return types.sort();
  }
}

describe('every type of event', () => {
  it('is caused by some call', async () => {
    const caused = new Set<string>();
    for (const one of clients) {
      for (const type of await typesIn(scene.service, one)) caused.add(type);
    }
    expect(EVENT_TYPES.filter((type) => !caused.has(type))).toEqual([]);
    expect(
      [...caused].filter((type) => !(EVENT_TYPES as readonly string[]).includes(type)),
    ).toEqual([]);
  });

  it('is read with the scope of its object, and with no other', async () => {
    await allIsShown(scene.service.database);
    const others = new Set(EVENT_TYPES.map(scopeOf));
    expect([...others].sort()).toEqual([
      'documents:read',
      'payments:read',
      'reports:read',
      'webhooks:manage',
    ]);
    for (const one of clients) {
      const all = await seen(scene.service, one, [...others] as string[]);
      expect(all.length).toBeGreaterThan(0);
      for (const scope of others) {
        const mine = all.filter((type) => scopeOf(type) === scope);
        expect(await seen(scene.service, one, [scope!])).toEqual(mine);
      }
    }
    expect(await seen(scene.service, clients[0]!, ['settings:write', 'audit:read'])).toEqual([]);
  }, 120_000);

  it('says no secret, and no name or address of a customer', async () => {
    const rows = await scene.service.database.query<{ text: string }>(
      'SELECT data::text AS text FROM events',
    );
    const told = rows.map(({ text }) => text).join('\n');
    expect(told).toContain('"gateway"');
    expect(told).not.toMatch(/whsec_|sk_test_|Globex|globex\.example/);
  });
});
