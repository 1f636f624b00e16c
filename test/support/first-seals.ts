import { DataSource } from 'typeorm';
import { SealVersions1763940000000 } from '../../migrations/1763940000000-seal-versions.js';
import {
  digested,
  SEALED_TABLES,
  sealDigest,
} from '../../src/integrity/infrastructure/sealed-tables.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import type { TestDatabase } from './database.js';

// A database as the build before versions of seals left it.

/** Takes the migration of the versions back, as if it had not been made yet. */
export async function beforeVersions(url: string): Promise<void> {
  const limits = { poolSize: 2, lockTimeoutMs: 0, statementTimeoutMs: 0 };
  const source = await new DataSource(dataSourceOptions({ url, ...limits })).initialize();
  const runner = source.createQueryRunner();
  try {
    await new SealVersions1763940000000().down(runner);
    await runner.query(`DELETE FROM migrations WHERE name = 'SealVersions1763940000000'`);
  } finally {
    await runner.release();
    await source.destroy();
  }
}

export async function emptyBeforeVersions(url: string): Promise<void> {
  await migrate(url);
  await beforeVersions(url);
}

/** With the ids of domains, as they are in the catalog. */
const rowInVersion1 = ({ columns }: { columns: readonly string[] }) =>
  `sha256(record_send(ROW(${columns.map((column) => column.replace(/::\w+$/, '')).join(', ')})))`;

/** One window over all that is not sealed yet. */
export async function sealInVersion1({ query }: TestDatabase): Promise<void> {
  await query(`
    WITH span AS MATERIALIZED (
      SELECT coalesce((SELECT max(through_xact) FROM seals), 0) AS first,
        pg_snapshot_xmin(pg_current_snapshot())::text::bigint + book_xact_offset() AS last
    ), found AS (${SEALED_TABLES.map(
      (table) =>
        `SELECT account_id, '${table.name}' AS name, rows, digest FROM (${digested(
          table,
          '1',
          `${table.xact} >= (SELECT first FROM span) AND ${table.xact} < (SELECT last FROM span)`,
          rowInVersion1,
        )}) found`,
    ).join(' UNION ALL ')}
    ), contents AS (
      SELECT account_id, sum(rows)::bigint AS rows, jsonb_object_agg(name, jsonb_build_object(
        'rows', rows, 'sha256', encode(digest, 'hex'))) AS contents
      FROM found GROUP BY 1
    ), seal AS (
      SELECT c.account_id, coalesce(h.sequence, 0) + 1 AS sequence, first AS from_xact,
        last AS through_xact, contents, rows, now() AS sealed_at, coalesce(h.digest, '') AS previous
      FROM span CROSS JOIN contents c LEFT JOIN seal_heads h USING (account_id)
    ), made AS (
      INSERT INTO seals SELECT account_id, sequence, from_xact, through_xact, contents, rows,
        ${sealDigest('seal.previous', 'seal', [])}, sealed_at FROM seal
      RETURNING account_id, sequence, through_xact, digest
    )
    INSERT INTO seal_heads AS h SELECT * FROM made ON CONFLICT (account_id) DO UPDATE
      SET sequence = excluded.sequence, through_xact = excluded.through_xact,
        digest = excluded.digest`);
}
