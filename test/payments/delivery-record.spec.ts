import { expect, it } from 'vitest';
import { SystemClock } from '../../src/kernel/clock.js';
import { UuidV7Generator } from '../../src/kernel/ids.js';
import { DeliveryRecord } from '../../src/payments/inbox/application/delivery-record.js';
import type { NewDelivery } from '../../src/payments/inbox/domain/gateway-delivery.js';
import type { GatewayDeliveryRepository } from '../../src/payments/inbox/infrastructure/gateway-delivery.repository.js';
import { createLog } from '../../src/platform/observability/log.js';

const MEGABYTE = 1_048_576;

/** A record over a table that takes its time, or breaks. */
function recordOver(insert: (part: readonly NewDelivery[]) => Promise<void>) {
  const logged: string[] = [];
  const log = createLog('warn', { write: (line) => logged.push(line) });
  const repository = {
    insert: (_gateway: unknown, part: readonly NewDelivery[]) => insert(part),
  } as unknown as GatewayDeliveryRepository;
  const [ids, clock] = [new UuidV7Generator(), new SystemClock()];
  return { record: new DeliveryRecord(repository, ids, clock, log), logged };
}

let count = 0;
const aDelivery = (name: string, bytes = 10): NewDelivery => ({
  id: String((count += 1)),
  gateway: { name, accounts: 'all' },
  receivedAt: new Date(0),
  delivery: { rawBody: Buffer.alloc(bytes), headers: {} },
  names: [],
  reports: 1,
  outcome: 'ok',
  problem: null,
});

const namesOf = (parts: readonly (readonly NewDelivery[])[]) =>
  parts.map((part) => [...new Set(part.map(({ gateway }) => gateway.name)), part.length]);

it('writes those that come together in one statement for each gateway', async () => {
  const parts: (readonly NewDelivery[])[] = [];
  const { record } = recordOver(async (part) => void parts.push(part));
  for (let at = 0; at < 150; at += 1) record.note(aDelivery(at % 3 === 0 ? 'b' : 'a'));
  await record.written();
  expect(namesOf(parts)).toEqual([
    ['b', 50],
    ['a', 100],
  ]);
});

it('bounds the rows and the bytes of a statement', async () => {
  const parts: (readonly NewDelivery[])[] = [];
  const { record } = recordOver(async (part) => void parts.push(part));
  for (let at = 0; at < 101; at += 1) record.note(aDelivery('a'));
  for (let at = 0; at < 3; at += 1) record.note(aDelivery('b', MEGABYTE / 2));
  await record.written();
  expect(parts.map(({ length }) => length)).toEqual([100, 1, 2, 1]);
});

it('keeps no more than the memory that it may use, and says so', async () => {
  let kept = 0;
  const { record, logged } = recordOver(async (part) => void (kept += part.length));
  for (let at = 0; at < 20; at += 1) record.note(aDelivery('a', MEGABYTE));
  await record.written();
  expect(kept).toBe(16);
  expect(logged.join()).toContain('"count":4');
  // Those that are written make room again.
  for (let at = 0; at < 16; at += 1) record.note(aDelivery('a', MEGABYTE));
  await record.written();
  expect(kept).toBe(32);
});

it('goes on after a statement that failed, and its callers learn nothing of it', async () => {
  let tries = 0;
  const { record, logged } = recordOver(async () => {
    tries += 1;
    if (tries === 1) throw new Error('the table is gone');
  });
  record.note(aDelivery('a'));
  await record.written();
  record.note(aDelivery('a'));
  await record.written();
  expect(tries).toBe(2);
  expect(logged.join()).toContain('could not be kept');
});

it('waits for what was noted before, and not for what comes after', async () => {
  const written: string[] = [];
  const { record } = recordOver(async (part) => {
    written.push(...part.map(({ id }) => id));
    // As in a flood, there is always another one.
    if (written.length < 50) record.note(aDelivery('a'));
  });
  const first = aDelivery('a');
  record.note(first);
  await record.written();
  expect(written).toEqual([first.id]);
});
