import { createHash } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { ConfigError } from '../config/config-error.js';
import { sealTable } from './extension-seals.js';
import { recordOperator } from './operator-entry.js';
import {
  differencesOf,
  listSchema,
  ownerOf,
  partsOf,
  type SchemaDifference,
  type SchemaListing,
  type SchemaReader,
} from './schema-listing.js';

/** A step of the tables of an extension: statements of PostgreSQL, run once, in one transaction. */
export interface ExtensionMigration {
  /** Of its own in the extension, such as `1-points`. */
  name: string;
  sql: string;
  /** Tables that are append-only, and covered by seals, from this step on: for good. */
  seals?: readonly string[];
}

/** The name of an extension, with its steps in their order. */
export interface MigratedExtension {
  name: string;
  migrations: readonly ExtensionMigration[];
}

/** Tables and functions of an extension begin with it: `ext_loyalty_`. */
const tablePrefix = (extension: string) => `ext_${extension}_`;

/**
 * Runs the steps that have not run. The caller holds the lock of migrations.
 * @returns their names, `loyalty 1-points`
 * @throws ConfigError where one fails, has another text than the one that ran, or touches what is
 *   not the extension's
 */
export async function migrateExtensions(
  runner: QueryRunner,
  extensions: readonly MigratedExtension[],
): Promise<string[]> {
  const ran: string[] = [];
  for (const { name: extension, migrations } of extensions) {
    const before = await hashesOf(runner, extension);
    for (const { name, sql, seals = [] } of migrations) {
      const text = [sql, ...seals.map((table) => `-- seals ${table}`)].join('\n');
      const sha256 = createHash('sha256').update(text).digest();
      const known = before.get(name);
      if (known?.equals(sha256)) continue;
      if (known) throw refused(extension, name, 'has run with another text. Add one instead');
      await runOne(runner, extension, { name, sql, seals, sha256 });
      ran.push(`${extension} ${name}`);
    }
  }
  if (ran.length > 0) await recordOperator(runner, 'schema.migrated', { migrations: ran });
  return ran;
}

/** Steps that have not run, as `migrateExtensions` names them. */
export async function missingSteps(
  runner: QueryRunner,
  extensions: readonly MigratedExtension[],
): Promise<string[]> {
  const missing: string[] = [];
  for (const { name: extension, migrations } of extensions) {
    const known = await hashesOf(runner, extension);
    for (const { name } of migrations) if (!known.has(name)) missing.push(`${extension} ${name}`);
  }
  return missing;
}

/** The parts of extensions that are other than their last steps left them, also of those that went. */
export async function extensionDifferences(
  client: SchemaReader,
  listed: SchemaListing,
): Promise<SchemaDifference[]> {
  const { rows } = await client.query(
    `SELECT DISTINCT ON (extension) extension, made FROM extension_migrations
     ORDER BY extension, ran_at DESC`,
  );
  return (rows as { extension: string; made: Record<string, string> }[]).flatMap(
    ({ extension, made }) => differencesOf(ownParts(listed, tablePrefix(extension)), made),
  );
}

async function hashesOf(runner: QueryRunner, extension: string): Promise<Map<string, Buffer>> {
  const rows = (await runner.query(
    'SELECT name, sha256 FROM extension_migrations WHERE extension = $1',
    [extension],
  )) as { name: string; sha256: Buffer }[];
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]));
}

const ENDS_TRANSACTION = /(?:^|;)\s*(?:COMMIT|ROLLBACK|ABORT|START\s+TRANSACTION)\b/i;

async function runOne(
  runner: QueryRunner,
  extension: string,
  { name, sql, seals, sha256 }: Required<ExtensionMigration> & { sha256: Buffer },
): Promise<void> {
  if (ENDS_TRANSACTION.test(sql)) {
    throw refused(extension, name, 'has a statement that ends its transaction');
  }
  const prefix = tablePrefix(extension);
  await runner.startTransaction();
  try {
    const before = await schemaOf(runner);
    await runner.query(sql).catch((error: unknown) => {
      throw refused(extension, name, `failed: ${(error as Error).message}`);
    });
    const changed = differencesOf(partsOf(await schemaOf(runner)), partsOf(before));
    await assertSealedStay(runner, extension, { name, changed });
    await sealAll(runner, extension, { name, seals });
    const after = await schemaOf(runner);
    const foreign = changed.filter(({ name: part }) => !ownerOf(part).startsWith(prefix));
    if (foreign.length > 0) {
      const shown = foreign
        .slice(0, 5)
        .map(({ name: part }) => part)
        .join(', ');
      throw refused(extension, name, `may change what begins with ${prefix} alone, not ${shown}`);
    }
    await runner.query(
      `INSERT INTO extension_migrations (extension, name, sha256, made, ran_at)
       VALUES ($1, $2, $3, $4, now())`,
      [extension, name, sha256, JSON.stringify(ownParts(after, prefix))],
    );
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

/** Seals cover the columns that there were: another one would be changed unseen. */
async function assertSealedStay(
  runner: QueryRunner,
  extension: string,
  { name, changed }: { name: string; changed: readonly SchemaDifference[] },
): Promise<void> {
  const rows = (await runner.query('SELECT table_name AS "table" FROM extension_seals')) as {
    table: string;
  }[];
  const sealed = new Set(rows.map(({ table }) => table));
  const part = changed.find((one) => sealed.has(ownerOf(one.name)));
  if (!part) return;
  throw refused(extension, name, `changes ${part.name}, which is sealed. Make another table`);
}

async function sealAll(
  runner: QueryRunner,
  extension: string,
  { name, seals }: Pick<Required<ExtensionMigration>, 'name' | 'seals'>,
): Promise<void> {
  for (const table of seals) {
    const isOwn = table.startsWith(tablePrefix(extension));
    const fault = isOwn ? await sealTable(runner, extension, table) : 'is not its own';
    if (fault !== null) throw refused(extension, name, `seals ${table}, which ${fault}`);
  }
}

const ownParts = (listed: SchemaListing, prefix: string) =>
  Object.fromEntries(
    Object.entries(partsOf(listed)).filter(([part]) => ownerOf(part).startsWith(prefix)),
  );

async function schemaOf(runner: QueryRunner): Promise<SchemaListing> {
  return listSchema({
    query: async (text: string, values?: unknown[]) => ({ rows: await runner.query(text, values) }),
  });
}

function refused(extension: string, migration: string, why: string): ConfigError {
  return new ConfigError(
    `QUITTANCE_EXTENSIONS: the migration ${migration} of ${extension} ${why}.`,
  );
}
