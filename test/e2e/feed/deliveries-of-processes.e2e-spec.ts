import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { HeldDeliveries } from '../../../src/feed/index.js';
import { Presence } from '../../../src/feed/infrastructure/presence.js';
import type { WebhookDeliveryBody } from '../../../src/feed/wire/delivery.js';
import type { WebhookEndpointWithSecretBody } from '../../../src/feed/wire/webhook-endpoint.js';
import type { Database } from '../../../src/platform/database/database.js';
import { leasedByAnother } from '../../feed/lease.js';
import { answering, Receiver } from '../../feed/receiver.js';
import type { TestClient } from '../../support/client.js';
import { aDatabase } from '../../support/database.js';
import { aRestoredCopy } from '../../support/restore.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let client: TestClient;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  service = await startTestService({ sendsEvents: true });
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function receiver(...of: Parameters<typeof Receiver.open>): Promise<Receiver> {
  const opened = await Receiver.open(...of);
  ends.push(async () => opened.close());
  return opened;
}

async function another(
  of: TestService['database'],
  wish: Parameters<typeof startTestService>[0] = {},
): Promise<TestService> {
  const started = await startTestService({ sendsEvents: true, database: of, ...wish });
  ends.push(async () => started.close());
  return started;
}

const endpoint = async (to: Receiver, types?: string[]) =>
  (
    await client.post<WebhookEndpointWithSecretBody>('/v1/webhook-endpoints', {
      url: to.url,
      types,
    })
  ).body;

const soon = async (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 50 });

const statuses = async (of: TestClient, { id }: { id: string }) => {
  const { body } = await of.get<{ data: WebhookDeliveryBody[] }>(
    `/v1/webhook-endpoints/${id}/deliveries?limit=100`,
  );
  return body.data.map(({ status }) => status);
};

describe('deliveries of several processes', () => {
  it('leave once, whichever process makes and sends them', async () => {
    const other = await another(service.database);
    const there = await other.aClient({ of: client });
    const to = await receiver();
    const made = await endpoint(to, ['document.issued']);
    await Promise.all(
      Array.from({ length: 40 }, async (_, at) => (at % 2 === 0 ? client : there).anInvoice()),
    );
    await soon(async () =>
      expect(await statuses(client, made)).toEqual(Array.from({ length: 40 }, () => 'delivered')),
    );
    expect(to.ids).toHaveLength(40);
    expect(new Set(to.ids).size).toBe(40);
  });

  it('leave also where they were made before any process had ever sent one', async () => {
    const database = await aDatabase();
    ends.push(async () => database.drop());
    const answering = await another(database, { sendsEvents: false });
    const maker = await answering.aClient();
    const to = await receiver();
    const wish = { url: to.url, types: ['document.issued'] };
    await maker.post('/v1/webhook-endpoints', wish);
    await maker.anInvoice();
    await another(database);
    await soon(() => expect(to.calls).toHaveLength(1));
  });

  it('go on in another process when one ends, with what it had begun', async () => {
    const doomed = await startTestService({ sendsEvents: true, database: service.database });
    const hanging = await receiver((_, response) => {
      // The first calls are answered only when nobody listens any more.
      setTimeout(() => answering(200)(_, response), hanging.calls.length > 2 ? 0 : 8000);
    });
    const made = await endpoint(hanging, ['document.issued']);
    await client.anInvoice();
    await client.anInvoice();
    await soon(() => expect(hanging.calls).toHaveLength(2));
    await doomed.close();
    await soon(async () =>
      expect(await statuses(client, made)).toEqual(['delivered', 'delivered']),
    );
    expect(new Set(hanging.ids).size).toBe(2);
  });

  it('go on at once where one is killed, whatever time its lease has', async () => {
    const to = await receiver();
    await endpoint(to, ['document.issued']);
    const kill = await leasedByAnother(service.database);
    ends.push(kill);
    await client.anInvoice();
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(to.calls).toEqual([]);
    await kill();
    await soon(() => expect(to.calls).toHaveLength(1));
  });

  it('go on where the database ended the connection by which a process was seen', async () => {
    const to = await receiver();
    const made = await endpoint(to, ['document.issued']);
    await client.anInvoice();
    await soon(() => expect(to.calls).toHaveLength(1));
    const seen = async () =>
      service.database.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE application_name = 'quittance deliveries'
         AND datname = current_database()`,
      );
    const [first] = await seen();
    await service.database.query('SELECT pg_terminate_backend($1)', [first?.pid]);
    await client.anInvoice();
    await soon(async () =>
      expect(await statuses(client, made)).toEqual(['delivered', 'delivered']),
    );
    const [second] = await seen();
    expect(second?.pid).toBeGreaterThan(0);
    expect(second?.pid).not.toBe(first?.pid);
  });
});

describe('the presence of a process', () => {
  it('is begun again where its lock failed, also by two at once', async () => {
    let connections = 0;
    const connect = async () => {
      const client = await service.database.connect();
      connections += 1;
      ends.push(async () => client.end());
      if (connections > 1) return client;
      vi.spyOn(client, 'query').mockImplementationOnce(() => Promise.reject(new Error('no lock')));
      const end = client.end.bind(client);
      vi.spyOn(client, 'end').mockImplementationOnce(async () => {
        meanwhile = presence.show().catch(() => undefined);
        await end();
      });
      return client;
    };
    let meanwhile: Promise<unknown> | undefined;
    const presence = new Presence({ connect } as unknown as Database);
    await expect(presence.show()).rejects.toThrow('no lock');
    await meanwhile;
    await presence.show();
    await presence.show();
    expect(connections).toBe(2);
  });
});

describe('secrets of endpoints', () => {
  it('are kept under the newest secret of the operator, and sign as before', async () => {
    const database = await aDatabase();
    ends.push(async () => database.drop());
    const [old, newest] = [service.config.secrets[0]!, `another ${service.config.secrets[0]}`];
    const first = await another(database);
    const to = await receiver();
    const maker = await first.aClient();
    const wish = { url: to.url, types: ['document.issued'] };
    const path = '/v1/webhook-endpoints';
    const { body: made } = await maker.post<WebhookEndpointWithSecretBody>(path, wish);
    await first.close();
    const key = async () => {
      const [row] = await database.query<{ key: string }>(
        `SELECT encode(substr(sealed_secret, 1, 4), 'hex') AS key FROM webhook_endpoints`,
      );
      return row!.key;
    };
    const before = await key();
    await (await another(database, { secrets: [newest, old] })).close();
    expect(await key()).not.toBe(before);
    const last = await another(database, { secrets: [newest] });
    await (await last.aClient({ of: maker })).anInvoice();
    await soon(() => expect(to.calls).toHaveLength(1));
    const { body, headers } = to.calls[0]!;
    expect(new Webhook(made.secret!).verify(body, headers)).toMatchObject({
      type: 'document.issued',
    });
  });
});

describe('deliveries of a database that was restored', () => {
  it('wait for the word of the operator, and leave with the ids of then', async () => {
    // The first service leaves it alone from now on.
    const to = await receiver((call, response) =>
      answering(to.calls.length > 1 ? 200 : 429, { 'retry-after': '80000' })(call, response),
    );
    const made = await endpoint(to, ['document.issued']);
    await client.anInvoice();
    await soon(() => expect(to.calls).toHaveLength(1));
    const copy = await aRestoredCopy(service.database);
    ends.push(async () => copy.drop());
    const restored = await another(copy);
    const there = await restored.aClient({ of: client });
    await soon(async () => expect(await statuses(there, made)).toEqual(['held']));
    restored.clock.advance({ days: 2 });
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(await statuses(there, made)).toEqual(['held']);
    expect(to.calls).toHaveLength(1);
    // Events of from now on leave.
    await there.anInvoice();
    await soon(() => expect(to.calls).toHaveLength(2));
    const held = restored.app.get(HeldDeliveries);
    expect(await held.survey()).toMatchObject({ held: 1 });
    expect(await held.release()).toBe(1);
    await soon(() => expect(to.calls).toHaveLength(3));
    expect(to.ids[2]).toBe(to.ids[0]);
  });
});
