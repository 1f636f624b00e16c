import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBody } from '../../src/feed/wire/event.js';
import { publicId, type Uuid, uuidOf } from '../../src/kernel/ids.js';
import type { TestClient } from '../support/client.js';
import { startTestService, type TestService } from '../support/service.js';
import { holdAnEvent } from './held-event.js';

/** Readers of the feed beside writers, a transaction that stays open, and restarts of their process. */
export interface Following {
  /** That the account has in the end, at least. */
  events: number;
  writers: number;
  /** How long a transaction with an event stays open. */
  heldMs: number;
  /** Of the process at which the readers ask. */
  restarts: number;
}

interface Read {
  query: string;
  events: { id: string; type: string }[];
}

/** @returns the differences between what each reader saw and the database; none: all is well */
export async function follow(
  service: TestService,
  { events, writers, heldMs, restarts }: Following,
  onProgress: (sentence: string) => void = () => undefined,
): Promise<string[]> {
  const client = await service.aClient();
  const accountId = uuidOf('acc', client.accountId)!;
  const invoices = await Promise.all(
    Array.from({ length: writers }, async () => client.anInvoice(LARGE)),
  );
  // The newest transaction of the account, once all is written.
  const state = { last: NOT_YET };
  // Each payment writes two: its own, and that of its document.
  const payments = Math.ceil(events / 2 / writers);
  const write = async () => {
    const commit = await holdAnEvent(service.database, accountId, 'document.issued');
    const held = sleep(heldMs).then(commit);
    await Promise.all(
      invoices.map(async (invoice) => {
        for (let made = 0; made < payments; made += 1) await client.pay(invoice, { amount: 1 });
      }),
    );
    await held;
    state.last = await lastOf(service, accountId);
  };
  const door = new Door(service, client);
  await door.open();
  const read = async (query: string): Promise<Read> => {
    const seen: Read = { query, events: [] };
    for (let after = 'beginning'; ;) {
      const page = await door.page(`after=${after}&${query}`);
      seen.events.push(...page.data.map(({ id, type }) => ({ id, type })));
      after = page.next_cursor;
      // A transaction of any other database holds the feed up, too.
      if (BigInt(after.split('.')[1] ?? '') > state.last) return seen;
    }
  };
  const restart = async () => {
    for (let done = 0; done < restarts && state.last === NOT_YET; done += 1) {
      await sleep(heldMs / (restarts + 1));
      await door.reopen();
      onProgress(`started anew ${done + 1} times`);
    }
  };
  const reads = ['limit=100&wait=2', 'limit=37&wait=1', 'limit=100&wait=1&types=payment.recorded'];
  const [seen] = await Promise.all([Promise.all(reads.map(read)), write(), restart()]);
  await door.close();
  const written = await service.database.query<{ event_id: Uuid; type: string }>(
    'SELECT event_id, type FROM events WHERE account_id = $1 ORDER BY xact, event_id',
    [accountId],
  );
  onProgress(`${written.length} events were written`);
  const all = written.map(({ event_id: id, type }) => ({ id: publicId('evt', id), type }));
  return seen.flatMap((one) => differences(one, all));
}

const NOT_YET = 2n ** 60n;

const LARGE = {
  lines: [{ description: 'Work', quantity: '1', unit_amount: 100_000_000, tax_rate: '19' }],
};

function differences({ query, events }: Read, written: Read['events']): string[] {
  const wanted = /types=([\w.]+)/.exec(query)?.[1];
  const expected = written.filter(({ type }) => wanted === undefined || type === wanted);
  const at = expected.findIndex(({ id }, index) => events[index]?.id !== id);
  if (at < 0 && events.length === expected.length) return [];
  const ids = new Set(events.map(({ id }) => id));
  const missed = expected.filter(({ id }) => !ids.has(id)).length;
  return [
    `${query}: ${events.length} of ${expected.length} events, ${missed} missed, ` +
      `${events.length - ids.size} twice, the first difference at ${at < 0 ? expected.length : at}`,
  ];
}

async function lastOf({ database }: TestService, accountId: Uuid): Promise<bigint> {
  const [row] = await database.query<{ last: bigint }>(
    'SELECT max(xact) AS last FROM events WHERE account_id = $1',
    [accountId],
  );
  return row!.last;
}

interface Page {
  data: EventBody[];
  has_more: boolean;
  next_cursor: string;
}

/** A process of its own on the same database, which readers ask, and which ends now and then. */
class Door {
  private service: TestService | undefined;
  private client: TestClient | undefined;

  constructor(
    private readonly writing: TestService,
    private readonly of: TestClient,
  ) {}

  async open(): Promise<void> {
    this.service = await startTestService({ database: this.writing.database });
    this.client = await this.service.aClient({ of: this.of });
  }

  async close(): Promise<void> {
    await this.service?.close();
    this.client = undefined;
  }

  async reopen(): Promise<void> {
    await this.close();
    await this.open();
  }

  /** Asked again until it is answered, as a program would. */
  async page(query: string): Promise<Page> {
    for (;;) {
      const answer = await this.client?.get<Page>(`/v1/events?${query}`).catch(() => undefined);
      if (answer?.status === 200) return answer.body;
      await sleep(50);
    }
  }
}
