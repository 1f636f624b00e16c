import { createHash } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { ConfigError } from '../config/config-error.js';
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
    for (const { name, sql } of migrations) {
      const sha256 = createHash('sha256').update(sql).digest();
      const known = before.get(name);
      if (known?.equals(sha256)) continue;
      if (known) throw refused(extension, name, 'has run with another text. Add one instead');
      await runOne(runner, extension, { name, sql, sha256 });
      ran.push(`${extension} ${name}`);
    }
  }
  if (ran.length > 0) await recordOperator(runner, 'schema.migrated', { migrations: ran });
  return ran;
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
  { name, sql, sha256 }: ExtensionMigration & { sha256: Buffer },
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
    const after = await schemaOf(runner);
    const foreign = differencesOf(partsOf(after), partsOf(before)).filter(
      ({ name: part }) => !ownerOf(part).startsWith(prefix),
    );
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
