import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  effectsOf,
  isBlocking,
  LOCK_MODES,
  type LockMode,
  type StatementEffect,
} from './statement-effects.js';

/** Measured on two processors: `npm run upgrade:locks` measures yours. */
const SCANNED_BYTES_A_SECOND = 100e6;
const INDEXED_ROWS_A_SECOND = 200_000;
const UPDATED_ROWS_A_SECOND = 5_000;
const REWRITTEN_ROWS_A_SECOND = 100_000;
/** Longer than a caller of a payment should wait for a lock. */
export const LONGEST_LOCK_SECONDS = 2;

interface TableSize {
  rows: number;
  bytes: number;
}

interface HeldTable extends TableSize {
  table: string;
  /** The strongest. */
  mode: LockMode;
  isBlocking: boolean;
  /** All of the migration: it takes its locks first. */
  seconds: number;
}

/** A migration that has not run, as it would be on this database. */
export interface PlannedMigration {
  name: string;
  /** One sentence for each change. */
  does: string[];
  /** Tables that were there before. */
  tables: HeldTable[];
  seconds: number;
  oldMayGoOn: boolean;
}

const INDEXES = `SELECT i.relname AS name, t.relname AS "table"
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
  WHERE i.relnamespace = 'public'::regnamespace`;

type Ask = <Row>(text: string) => Promise<Row[]>;

const SIZES = `SELECT relname AS name, pg_table_size(oid)::float8 AS bytes,
    CASE WHEN reltuples < 0 THEN pg_relation_size(oid) / 100.0 ELSE reltuples END::float8 AS rows
  FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`;

/**
 * Reads the statements of migrations, and runs none of them.
 * @param ask reads the sizes of tables, by the statistics of the database
 */
export async function upgradePlan(
  pending: readonly { name: string; instance: MigrationInterface }[],
  ask: Ask,
): Promise<PlannedMigration[]> {
  const found = await ask<TableSize & { name: string }>(SIZES);
  const sizes = new Map(found.map(({ name, ...size }) => [name, size]));
  const indexes = await ask<{ name: string; table: string }>(INDEXES);
  const tableOf = new Map(indexes.map(({ name, table }) => [name, table]));
  const plan: PlannedMigration[] = [];
  for (const { name, instance } of pending) {
    plan.push(planned(name, await effectsOfMigration(instance, tableOf), sizes));
  }
  return plan;
}

/**
 * Takes all blocking locks of a migration at once, in its transaction. One that took them on its way
 * would end writers by deadlock, who hold some of them and wait for others.
 */
export async function lockTables(
  runner: QueryRunner,
  migration: MigrationInterface,
): Promise<void> {
  const tables = (await runner.query(SIZES)) as { name: string }[];
  const indexes = (await runner.query(INDEXES)) as { name: string; table: string }[];
  const tableOf = new Map(indexes.map(({ name, table }) => [name, table]));
  const effects = await effectsOfMigration(migration, tableOf);
  const isThere = new Set(tables.map(({ name }) => name));
  const locks = effects
    .flatMap((effect) => effect.locks)
    .filter(({ table, mode }) => isThere.has(table) && isBlocking(mode));
  for (const { table, mode } of locks) {
    const words = mode.replace(/Lock$/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
    await runner.query(`LOCK TABLE ${table} IN ${words} MODE`);
  }
}

/** All that it sends to somebody who answers nothing. */
export async function statementsOf(migration: MigrationInterface): Promise<string[]> {
  const statements: string[] = [];
  const query = async (text: string) => {
    statements.push(text);
    return [];
  };
  await migration.up({ query } as unknown as QueryRunner);
  return statements;
}

/**
 * By the statements that it sends to somebody who answers nothing.
 * @param tableOf the table of each index that is there
 */
export async function effectsOfMigration(
  migration: MigrationInterface,
  tableOf: ReadonlyMap<string, string>,
): Promise<StatementEffect[]> {
  return (await statementsOf(migration)).flatMap(effectsOf).map((effect) => ({
    ...effect,
    locks: [
      ...effect.locks,
      ...effect.indexes.flatMap((index) => {
        const table = tableOf.get(index);
        return table ? [{ table, mode: 'AccessExclusiveLock' as const }] : [];
      }),
    ],
  }));
}

function planned(
  name: string,
  effects: readonly StatementEffect[],
  sizes: ReadonlyMap<string, TableSize>,
): PlannedMigration {
  const seconds = effects.reduce((total, { work }) => total + secondsOf(work, sizes), 0);
  const held = new Map<string, HeldTable>();
  for (const { table, mode } of effects.flatMap(({ locks }) => locks)) {
    const size = sizes.get(table);
    const before = held.get(table);
    if (!size || (before && !stronger(mode, before.mode))) continue;
    held.set(table, { table, mode, isBlocking: isBlocking(mode), seconds, ...size });
  }
  return {
    name,
    does: sentencesOf(effects),
    tables: [...held.values()],
    seconds,
    oldMayGoOn: effects.every(({ oldMayGoOn }) => oldMayGoOn),
  };
}

const stronger = (one: LockMode, other: LockMode) =>
  LOCK_MODES.indexOf(one) > LOCK_MODES.indexOf(other);

function secondsOf(work: StatementEffect['work'], sizes: ReadonlyMap<string, TableSize>): number {
  const size = work && sizes.get(work.table);
  if (!size) return 0;
  const scanned = size.bytes / SCANNED_BYTES_A_SECOND;
  if (work.kind === 'scan') return scanned;
  if (work.kind === 'index') return scanned + size.rows / INDEXED_ROWS_A_SECOND;
  if (work.kind === 'update') return size.rows / UPDATED_ROWS_A_SECOND;
  return scanned + size.rows / REWRITTEN_ROWS_A_SECOND;
}

/** Those about new tables are part of making them. */
function sentencesOf(effects: readonly StatementEffect[]): string[] {
  const made = new Set(effects.flatMap(({ made: table }) => table ?? []));
  const isOfMade = ({ made: table, locks, says }: StatementEffect) =>
    table === null &&
    (says.startsWith('describes') ||
      (locks.length > 0 && locks.every((lock) => made.has(lock.table))));
  return [...new Set(effects.filter((one) => !isOfMade(one)).map(({ says }) => says))];
}
