import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { type IdPrefix, publicId, type Uuid } from '../../kernel/ids.js';
import type { Progress } from '../../kernel/progress.js';
import { Database, type Lease } from '../../platform/database/database.js';
import { translateDatabaseError } from '../../platform/database/database-error.js';
import { extensionDifferences } from '../../platform/database/extension-migrations.js';
import {
  listSchema,
  MIGRATED_SCHEMA,
  schemaDifferences,
} from '../../platform/database/schema-listing.js';
import { ROLLBACK, toLongQuery } from '../../platform/database/sql-statement.js';
import type { KeptSeal } from '../domain/kept-seal.js';
import { AUDIT_CHECKS } from './integrity-audit.js';
import type { IntegrityCheck, IntegrityDifference } from './integrity-check.js';
import { DOCUMENT_CHECKS } from './integrity-documents.js';
import { CONVERSION_CHECKS } from './integrity-conversions.js';
import { ENTRY_CHECKS } from './integrity-entries.js';
import { FACT_CHECKS } from './integrity-facts.js';
import { LEDGER_CHECKS } from './integrity-ledger.js';
import { PAYMENT_CHECKS } from './integrity-payments.js';
import { PAYOUT_CHECKS } from './integrity-payouts.js';
import { DAY_CHECKS } from './integrity-days.js';
import { PERIOD_CHECKS } from './integrity-periods.js';
import { DUNNING_CHECKS } from './integrity-dunning.js';
import { SCHEDULE_CHECKS } from './integrity-schedules.js';
import { PROVIDER_CHECKS } from './integrity-providers.js';
import { DISPUTE_CHECKS } from './integrity-disputes.js';
import { knownTables, SEAL_CHECKS, unsealedOf, windowsOf } from './integrity-seals.js';
import { SEALED_TABLES, sealedTableOf } from './sealed-tables.js';
import { TAX_CHECKS } from './integrity-taxes.js';
import type { LostHead } from './last-heads.js';
import { LossesRepository } from './losses.repository.js';
import { sealedExtensionTables } from './sealed-extension-tables.js';

/** A new subject adds its checks here. The longest first: they are begun in this order. */
export const INTEGRITY_CHECKS: readonly IntegrityCheck[] = [
  ...SEAL_CHECKS,
  ...FACT_CHECKS,
  ...ENTRY_CHECKS,
  ...CONVERSION_CHECKS,
  ...LEDGER_CHECKS,
  ...DOCUMENT_CHECKS,
  ...PROVIDER_CHECKS,
  ...DISPUTE_CHECKS,
  ...PAYMENT_CHECKS,
  ...PAYOUT_CHECKS,
  ...PERIOD_CHECKS,
  ...SCHEDULE_CHECKS,
  ...DUNNING_CHECKS,
  ...DAY_CHECKS,
  ...TAX_CHECKS,
  ...AUDIT_CHECKS,
];

/** Of one run: the work is the processors', and one connection may wait for the disk. */
const MOST_CONNECTIONS = Math.min(8, availableParallelism() + 1);

/** Of one check; the others are as wrong, and there is enough to go on. */
const MOST_OF_A_CHECK = 1000;

/** How far an account's chain goes. */
interface SealedBooks {
  sequence: bigint;
  digest: string;
  /** Transactions before this one are sealed. */
  through: bigint;
  rows: bigint;
  sealedAt: Date;
}

export interface Integrity {
  checks: number;
  differences: IntegrityDifference[];
  /** The head of the account's chain; null before its first seal, and for all accounts at once. */
  sealed: SealedBooks | null;
  /** Rows that the next seals will cover. */
  unsealed: bigint;
}

/** Derives every balance again from the facts, and every seal from the rows. */
@Injectable()
export class IntegrityQuery {
  private readonly running = new Map<Uuid | null, Promise<Integrity>>();

  constructor(
    private readonly database: Database,
    private readonly losses: LossesRepository,
  ) {}

  /** Of one account, or of all. Callers that ask during a check get its answer. */
  async differences(accountId: Uuid | null = null, progress?: Progress): Promise<Integrity> {
    const under = this.running.get(accountId);
    if (under) return under;
    const run = this.run(accountId, progress).finally(() => this.running.delete(accountId));
    this.running.set(accountId, run);
    return run;
  }

  /** Differences where chains have lost a seal that was kept. */
  async lostSeals(kept: readonly KeptSeal[]): Promise<IntegrityDifference[]> {
    return lostDifferences(await this.losses.lostAmong(kept));
  }

  /** After the snapshot: a head is in the file once its seal is committed. */
  private async lostOfFile(accountId: Uuid | null): Promise<IntegrityDifference[]> {
    const lost: IntegrityDifference[] = [];
    try {
      for await (const heads of this.losses.lostOfFile(accountId)) {
        lost.push(...lostDifferences(heads));
        if (lost.length >= MOST_OF_A_CHECK) break;
      }
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (!syscall) throw error;
      const check = 'the file of the heads of seals can be read';
      lost.push({ check, id: 'QUITTANCE_SEAL_HEADS_FILE', stored: `${code}`, derived: 'lines' });
    }
    return lost.slice(0, MOST_OF_A_CHECK);
  }

  private async run(accountId: Uuid | null, progress?: Progress): Promise<Integrity> {
    const found = await this.compared(accountId, progress);
    const lost = await this.lostOfFile(accountId);
    return { ...found, checks: found.checks + 1, differences: [...found.differences, ...lost] };
  }

  /** Reads one snapshot and takes no lock: what is written meanwhile is no difference. */
  private async compared(accountId: Uuid | null, progress?: Progress): Promise<Integrity> {
    const leases = [await this.database.lease([accountId])];
    const [{ client: first }] = leases as [Lease];
    try {
      await begin(first);
      await this.share(leases);
      const clients = leases.map(({ client }) => client);
      const theirs = await sealedOfExtensions(first);
      const tables = [...SEALED_TABLES, ...theirs.tables];
      const checks = [...theirs.tables.map(windowsOf), knownTables(tables), ...INTEGRITY_CHECKS];
      const differences = [
        ...(await guards(first)),
        ...theirs.missing,
        ...(await checkAll(clients, checks, accountId, progress)),
      ];
      const [sealed] = await rowsOf<SealedBooks>(first, SEALED, accountId);
      const [open] = await rowsOf<{ rows: bigint }>(first, unsealedOf(tables), accountId);
      return {
        checks: checks.length + 1,
        differences,
        sealed: sealed ?? null,
        unsealed: BigInt(open?.rows ?? 0),
      };
    } catch (error) {
      throw translateDatabaseError(error);
    } finally {
      for (const { client, giveBack } of leases) {
        await client.query(ROLLBACK).catch(() => undefined);
        giveBack();
      }
    }
  }

  /** Adds connections that see what the first sees, as long as the pool has enough of them. */
  private async share(leases: Lease[]): Promise<void> {
    const [first] = leases as [Lease];
    const { rows } = await first.client.query<{ snapshot: string }>(
      'SELECT pg_export_snapshot() AS snapshot',
    );
    while (leases.length < MOST_CONNECTIONS) {
      const lease = await this.database.leaseBeside();
      if (!lease) return;
      leases.push(lease);
      await begin(lease.client, rows[0]?.snapshot);
    }
  }
}

async function begin(client: pg.PoolClient, snapshot?: string): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  if (snapshot) await client.query(`SET TRANSACTION SNAPSHOT '${snapshot}'`);
  // The connection that is done first waits for the others.
  await client.query(`SELECT set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true),
    set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`);
}

/** A role that took a guard away, or emptied it, could write what the guard refuses. */
async function guards(client: pg.PoolClient): Promise<IntegrityDifference[]> {
  const listed = await listSchema(client);
  const ours = schemaDifferences(listed, MIGRATED_SCHEMA);
  const theirs = await extensionDifferences(client, listed);
  return [...ours, ...theirs].map(({ name, found, made }) => ({
    check: 'the schema is as the migrations made it',
    id: name,
    stored: found,
    derived: made,
  }));
}

/** One that has gone would fail the check of all the others, so it is told for itself. */
async function sealedOfExtensions(client: pg.PoolClient) {
  const all = await sealedExtensionTables(client);
  const missing = all
    .filter(({ isWhole }) => !isWhole)
    .map(({ table }): IntegrityDifference => {
      const check = `what was sealed of ${table} is what is there`;
      return { check, id: table, stored: 'sealed', derived: 'gone, or without a column' };
    });
  const tables = all.map(({ table, columns }) => sealedTableOf(table, columns));
  return { missing, tables: tables.filter((_, at) => all[at]?.isWhole) };
}

/** Each connection takes the next check when it is done with one; the first error ends them all. */
async function checkAll(
  clients: pg.PoolClient[],
  checks: readonly IntegrityCheck[],
  accountId: Uuid | null,
  progress?: Progress,
): Promise<IntegrityDifference[]> {
  const found = new Map<IntegrityCheck, IntegrityDifference[]>();
  const left = [...checks];
  progress?.(0, checks.length);
  const work = async (client: pg.PoolClient) => {
    for (let check = left.shift(); check; check = left.shift()) {
      found.set(check, await differencesOf(client, check, accountId));
      progress?.(found.size, checks.length);
    }
  };
  const settled = await Promise.allSettled(
    clients.map((client) =>
      work(client).catch((error: unknown) => {
        left.length = 0;
        throw error;
      }),
    ),
  );
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  return checks.flatMap((check) => found.get(check) ?? []);
}

/** Of one account: null, for all, equals none. */
const SEALED = `
  SELECT h.sequence, encode(h.digest, 'hex') AS digest, h.through_xact AS through,
    (SELECT sum(rows)::bigint FROM seals s WHERE s.account_id = h.account_id) AS rows,
    s.sealed_at AS "sealedAt"
  FROM seal_heads h JOIN seals s USING (account_id, sequence) WHERE h.account_id = $1::uuid`;

/** Planned for the account: where it is null, the condition on it goes away. */
async function rowsOf<Row>(
  client: pg.PoolClient,
  text: string,
  accountId: Uuid | null,
): Promise<Row[]> {
  return (await client.query(toLongQuery({ text, values: [accountId] }))).rows as Row[];
}

async function differencesOf(
  client: pg.PoolClient,
  { name, prefix, sql }: IntegrityCheck,
  accountId: Uuid | null,
): Promise<IntegrityDifference[]> {
  // Materialized is planned for all of them: LIMIT alone makes a plan that hopes to find some soon.
  const limited = `WITH difference AS MATERIALIZED (${sql})
    SELECT * FROM difference LIMIT ${MOST_OF_A_CHECK}`;
  const rows = await rowsOf<Found>(client, limited, accountId);
  return rows.map((row) => differenceIn(row, { name, prefix }));
}

function lostDifferences(heads: readonly LostHead[]): IntegrityDifference[] {
  return heads.slice(0, MOST_OF_A_CHECK).map(({ accountId, sequence, digest, stored }) => ({
    check: 'the chain has the seal that was kept',
    id: publicId('acc', accountId),
    stored: `seal ${sequence}: ${stored ?? 'missing'}`,
    derived: `seal ${sequence}: ${digest}`,
  }));
}

function differenceIn(
  row: Found,
  { name, prefix }: Pick<IntegrityCheck, 'name' | 'prefix'>,
): IntegrityDifference {
  const { id, stored, derived } = row;
  const kind = row.prefix ?? prefix;
  return {
    check: name,
    id: kind && id ? publicId(kind, id) : `${id}`,
    stored: `${stored}`,
    derived: `${derived}`,
  };
}

interface Found {
  id: string | null;
  prefix?: IdPrefix | null;
  stored: unknown;
  derived: unknown;
}
