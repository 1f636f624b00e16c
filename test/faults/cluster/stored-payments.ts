import { setTimeout as sleep } from 'node:timers/promises';
import { publicId } from '../../../src/kernel/ids.js';
import type { ClusterNode } from './cluster-node.js';
import type { DatabaseCluster } from './cluster.js';
import type { AcknowledgedPayment } from './payers.js';

const READ_WITHIN_MS = 30_000;

export interface StoredCount {
  lost: AcknowledgedPayment[];
  /** Names of which more than one is stored. */
  doubled: string[];
}

/** Each acknowledged payment is on the primary once, under the id that was answered. */
export async function countStored(
  cluster: DatabaseCluster,
  acknowledged: readonly AcknowledgedPayment[],
): Promise<StoredCount> {
  const expected = [...acknowledged];
  const rows = await readPatiently<{ id: string; reference: string }>(
    async () => cluster.primary(),
    "SELECT payment_id AS id, reference FROM payments WHERE reference LIKE 'cluster-%'",
  );
  const stored = new Map<string, string[]>();
  for (const { id, reference } of rows)
    stored.set(reference, [...(stored.get(reference) ?? []), publicId('pay', id)]);
  return {
    lost: expected.filter(({ name, id }) => !stored.get(name)?.includes(id)),
    doubled: [...stored].filter(([, ids]) => ids.length > 1).map(([name]) => name),
  };
}

/** By the payment that each is of: the event by which a loss is told. */
export async function eventsOf(
  node: ClusterNode,
  lost: readonly AcknowledgedPayment[],
): Promise<Map<string, string>> {
  const rows = await readPatiently<{ event: string; payment: string }>(
    async () => node,
    `SELECT event_id AS event, data->'payment'->>'id' AS payment FROM events
      WHERE type = 'payment.recorded' AND data->'payment'->>'id' = ANY($1)`,
    [lost.map(({ id }) => id)],
  );
  return new Map(rows.map(({ event, payment }) => [payment, publicId('evt', event)]));
}

interface Told {
  /** Each fact as the audit log names it. */
  facts: string[];
  at: Date;
}

export async function toldLosses(cluster: DatabaseCluster): Promise<Told[]> {
  return readPatiently<Told>(
    async () => cluster.primary(),
    `SELECT after->'facts' AS facts, occurred_at AS at FROM audit_entries
      WHERE action = 'history.lost' ORDER BY occurred_at`,
  );
}

/** Through restarts of the server that is asked. */
async function readPatiently<Row extends object>(
  from: () => Promise<ClusterNode>,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const until = Date.now() + READ_WITHIN_MS;
  for (;;) {
    try {
      return await (await from()).query<Row>(text, values);
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(500);
    }
  }
}
