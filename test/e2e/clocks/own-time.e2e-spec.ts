import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Clock } from '../../../src/kernel/clock.js';
import { TestClock } from '../../../src/testing/test-clock.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { allIsShown } from '../../feed/shown.js';
import type { TestClient } from '../../support/client.js';
import { MailCatcher } from '../../support/mail-catcher.js';
import type { TestService } from '../../support/service.js';
import { expectBooksToAgree } from '../documents/document-calls.js';
import { playAll, type Scene } from '../feed/event-scenes.js';
import { FROM } from '../mail/mail-calls.js';
import { startRefundService } from '../payments/refund-calls.js';

// Each call that the feed's scenes make, by accounts whose clock is years ahead: what of it is theirs?

const AHEAD = new Date('2033-03-05T10:00:00Z');

/** The clock of the scenes: that of all their accounts, which the server's goes on beside. */
class Ahead extends TestClock {
  private at = AHEAD;
  readonly accounts = new Set<string>();

  constructor(private readonly service: TestService) {
    super();
  }

  override now(): Date {
    return this.at;
  }

  override serverNow(): Date {
    return this.service.clock.serverNow();
  }

  override advance(by: Parameters<TestClock['advance']>[0]): void {
    const before = this.serverNow().getTime();
    this.service.clock.advance(by);
    this.at = new Date(this.at.getTime() + this.serverNow().getTime() - before);
    for (const accountId of this.accounts) this.service.app.get(Clock).standAt(accountId, this.at);
  }

  async own(accountId: string): Promise<void> {
    this.accounts.add(accountId);
    await this.service.database.query(
      'INSERT INTO test_clocks (account_id, stands_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [accountId, this.at],
    );
    this.service.app.get(Clock).standAt(accountId, this.at);
  }
}

/** Long before the one, long after the other. */
const BETWEEN = new Date('2030-01-01T00:00:00Z');

/** Of programs and the law, not of facts; or from before it had a clock. */
const OF_THE_SERVER: Record<string, string[]> = {
  accounts: ['created_at', 'updated_at'],
  api_clients: ['created_at'],
  audit_entries: ['occurred_at'],
  checkout_look_ups: ['next_look_at'],
  gateway_deliveries: ['received_at'],
  gateways: ['created_at', 'updated_at'],
  mail_letters: ['counted_at'],
  mail_messages: ['counted_at'],
  mandates: ['next_look_at'],
  number_series: ['created_at'],
  token_families: ['ends_at', 'started_at'],
  webhook_deliveries: ['created_at', 'next_try_at'],
  webhook_endpoints: ['created_at', 'updated_at'],
};

/** Providers but the sandbox date what they tell by their own clocks. */
const OF_PROVIDERS: Record<string, string[]> = {
  payment_links: ['paid_at'],
  payments: ['paid_at'],
  provider_receipts: ['paid_at'],
};

let scene: Scene;
let clients: TestClient[];
beforeAll(async () => {
  const catcher = await MailCatcher.start();
  const started = await startRefundService({ mail: { url: catcher.url, from: FROM, dkim: null } });
  const { service } = started;
  const clock = new Ahead(service);
  const aClient = async (wish?: Parameters<TestService['aClient']>[0]) => {
    const client = await service.aClient(wish);
    await clock.own(uuidOf('acc', client.accountId) ?? '');
    return client;
  };
  scene = { ...started, service: { ...service, clock, aClient }, catcher };
  clients = await playAll(scene);
  await allIsShown(service.database);
}, 180_000);
afterAll(async () => {
  await scene.close();
  await scene.catcher.stop();
});

/** All columns that have a time, by their tables; of tables that belong to accounts. */
async function columns(): Promise<{ table: string; column: string }[]> {
  return scene.service.database.query(
    `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
     WHERE c.table_schema = 'public' AND c.data_type = 'timestamp with time zone'
       AND EXISTS (SELECT FROM information_schema.columns a
         WHERE (a.table_schema, a.table_name, a.column_name) = ('public', c.table_name, 'account_id'))
     ORDER BY 1, 2`,
  );
}

describe('facts of an account with a test clock', () => {
  it('are of its time, and what programs wait for is of the server’s', async () => {
    const accounts = clients.map(({ accountId }) => uuidOf('acc', accountId));
    const [servers, mixed]: Record<string, string[]>[] = [{}, {}];
    for (const { table, column } of await columns()) {
      const [row] = await scene.service.database.query<{ own: number; others: number }>(
        `SELECT count(*) FILTER (WHERE ${column} >= $2)::int AS own,
           count(*) FILTER (WHERE ${column} < $2)::int AS others
         FROM ${table} WHERE account_id = ANY ($1) AND isfinite(${column})`,
        [accounts, BETWEEN],
      );
      const { own = 0, others = 0 } = row ?? {};
      if (others > 0) ((own > 0 ? mixed : servers)![table] ??= []).push(column);
    }
    expect({ servers, mixed }).toEqual({ servers: OF_THE_SERVER, mixed: OF_PROVIDERS });
  });

  it('leave the books as they should be', async () => {
    await expectBooksToAgree(scene.service);
  });
});
