import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { type IdPrefix, publicId, type Uuid } from '../../kernel/ids.js';
import type { Progress } from '../../kernel/progress.js';
import { Database } from '../../platform/database/database.js';
import { translateDatabaseError } from '../../platform/database/database-error.js';
import { extensionDifferences } from '../../platform/database/extension-migrations.js';
import {
  listSchema,
  MIGRATED_SCHEMA,
  schemaDifferences,
} from '../../platform/database/schema-listing.js';
import { type SqlStatement, toLongQuery } from '../../platform/database/sql-statement.js';
import type { KeptSeal } from '../domain/kept-seal.js';
import type { BooksPart, IntegrityDifference } from '../domain/integrity-run.js';
import { CheckFailed } from '../domain/check-failed.js';
import { type CheckStep, laneOfReplica, lanesOf, makeAll } from './check-lanes.js';
import { ofPart, touchedIn, whole } from './books-part.js';
import type { IntegrityCheck } from './checks/integrity-check.js';
import { INTEGRITY_CHECKS } from './checks/all-checks.js';
import { unsealedOf, windowsOf } from './checks/seals.js';
import { SEALED_TABLES, sealedTableOf } from './sealed-tables.js';
import type { LostHead } from './last-heads.js';
import { inLongSnapshot } from './long-snapshot.js';
import { LossesRepository } from './losses.repository.js';
import { sealedExtensionTables } from './sealed-extension-tables.js';

/** Of one check; the others are as wrong, and there is enough to go on. */
const MOST_OF_A_CHECK = 1000;

const HEADS_FILE = 'the heads of seals that a file keeps are in the chains';
const AS_MIGRATED = 'the schema is as the migrations made it';

/** How far an account's chain goes. */
interface SealedBooks {
  sequence: bigint;
  digest: string;
  /** Transactions before this one are sealed. */
  through: bigint;
  rows: bigint;
  sealedAt: Date;
}

/** How far all is sealed. */
export interface SealStanding {
  /** The head of the account's chain; null before its first seal, and for all accounts at once. */
  sealed: SealedBooks | null;
  /** Rows that the next seals will cover. */
  unsealed: bigint;
}

export interface Integrity extends SealStanding {
  checks: number;
  differences: IntegrityDifference[];
}

/** Is told of each check as soon as it is done. @returns whether to go on */
export type Told = (
  check: { check: string; checks: number },
  found: readonly IntegrityDifference[],
) => Promise<boolean>;

/** The books of one account or of all, a part of them or all, and the checks that are done already. */
export interface Examined {
  accountId: Uuid | null;
  part: BooksPart | null;
  done: readonly string[];
  /** One check after the other on the replica, where there is one: the primary has other work. */
  onReplica?: boolean;
}

/** Derives every balance again from the facts, and every seal from the rows. */
@Injectable()
export class IntegrityQuery {
  constructor(
    private readonly database: Database,
    private readonly losses: LossesRepository,
  ) {}

  /** Of one account, or of all. */
  async differences(accountId: Uuid | null = null, progress?: Progress): Promise<Integrity> {
    const found: IntegrityDifference[] = [];
    let checks = 0;
    const told: Told = async ({ checks: all }, differences) => {
      found.push(...differences);
      checks += 1;
      progress?.(checks, all);
      return true;
    };
    const begun = (all: number) => progress?.(0, all);
    await this.examine({ accountId, part: null, done: [] }, told, begun).catch((error: unknown) => {
      throw error instanceof CheckFailed ? error.cause : error;
    });
    return { ...(await this.standing(accountId)), checks, differences: found };
  }

  /**
   * Makes each check that is not done yet, in a snapshot of its own and without a lock: what is
   * written meanwhile is no difference.
   * @param begun gets how many there are
   * @returns whether all were made
   * @throws CheckFailed
   */
  async examine(
    { accountId, part, done, onReplica = false }: Examined,
    told: Told,
    begun?: (checks: number) => void,
  ): Promise<boolean> {
    const before = new Set(done);
    const steps = await this.steps(accountId, part);
    const checks = steps.length + 1;
    begun?.(checks);
    const left = steps.filter(({ name }) => !before.has(name));
    const { database } = this;
    const lanes = onReplica && database.hasReplica ? [laneOfReplica(database)] : lanesOf(database);
    const goesOn = await makeAll(left, lanes, async (check, found) =>
      told({ check, checks }, found),
    );
    if (!goesOn || before.has(HEADS_FILE)) return goesOn;
    // A head is in the file once its seal is committed, and so is in the chain that is read now.
    return told({ check: HEADS_FILE, checks }, await this.lostOfFile(accountId));
  }

  async standing(accountId: Uuid | null): Promise<SealStanding> {
    return this.within(async (client) => {
      const [sealed] = await rowsOf<SealedBooks>(client, SEALED, [accountId]);
      const [last] = await rowsOf<{ end: bigint }>(client, LAST_END, []);
      const { tables } = await sealedOfExtensions(client);
      const all = [...SEALED_TABLES, ...tables];
      const values = [accountId, last?.end ?? 0n];
      const [open] = await rowsOf<{ rows: bigint }>(client, unsealedOf(all), values);
      return { sealed: sealed ?? null, unsealed: BigInt(open?.rows ?? 0) };
    });
  }

  /** Differences where chains have lost a seal that was kept. */
  async lostSeals(kept: readonly KeptSeal[]): Promise<IntegrityDifference[]> {
    return lostDifferences(await this.losses.lostAmong(kept));
  }

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

  /** The names of all checks that are made now. */
  async names(): Promise<string[]> {
    const steps = await this.steps(null, null);
    return [...steps.map(({ name }) => name), HEADS_FILE];
  }

  /** The longest first. */
  private async steps(accountId: Uuid | null, part: BooksPart | null): Promise<CheckStep[]> {
    const { tables } = await this.within(sealedOfExtensions);
    const checks = [...tables.map(windowsOf), ...INTEGRITY_CHECKS];
    const touched =
      part && (await this.within(async (client) => touchedIn(client, part, accountId)));
    return [
      { name: AS_MIGRATED, find: guards },
      ...checks.map((check) => ({
        name: check.name,
        find: async (client: pg.PoolClient) => {
          const few = part && touched && ofPart(check, accountId, part, touched);
          if (few && (await differencesOf(client, check, few)).length === 0) return [];
          return differencesOf(client, check, whole(check, accountId));
        },
      })),
    ];
  }

  private async within<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    try {
      return await inLongSnapshot(await this.database.lease(), work);
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }
}

/**
 * A role that took a guard away, or emptied it, could write what the guard refuses. A table of an
 * extension that has gone would fail the check of all the others, so it is told for itself.
 */
async function guards(client: pg.PoolClient): Promise<IntegrityDifference[]> {
  const listed = await listSchema(client);
  const ours = schemaDifferences(listed, MIGRATED_SCHEMA);
  const theirs = await extensionDifferences(client, listed);
  const changed = [...ours, ...theirs].map(({ name, found, made }) => ({
    check: AS_MIGRATED,
    id: name,
    stored: found,
    derived: made,
  }));
  return [...changed, ...(await sealedOfExtensions(client)).missing];
}

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

const LAST_END = 'SELECT coalesce(max(through_xact), 0) AS end FROM seals';

/** Of one account: null, for all, equals none. */
const SEALED = `
  SELECT h.sequence, encode(h.digest, 'hex') AS digest, h.through_xact AS through,
    (SELECT sum(rows)::bigint FROM seals s WHERE s.account_id = h.account_id) AS rows,
    s.sealed_at AS "sealedAt"
  FROM seal_heads h JOIN seals s USING (account_id, sequence) WHERE h.account_id = $1::uuid`;

/** Planned for the values: where the account is null, the condition on it goes away. */
async function rowsOf<Row>(client: pg.PoolClient, text: string, values: unknown[]): Promise<Row[]> {
  return (await client.query(toLongQuery({ text, values }))).rows as Row[];
}

async function differencesOf(
  client: pg.PoolClient,
  { name, prefix }: IntegrityCheck,
  { text, values }: SqlStatement,
): Promise<IntegrityDifference[]> {
  // Materialized is planned for all of them: LIMIT alone makes a plan that hopes to find some soon.
  const limited = `WITH difference AS MATERIALIZED (${text})
    SELECT * FROM difference LIMIT ${MOST_OF_A_CHECK}`;
  const rows = await rowsOf<Found>(client, limited, values);
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
