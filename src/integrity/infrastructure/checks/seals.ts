import { xactIn } from '../books-part.js';
import { type IntegrityCheck, ours } from './integrity-check.js';
import { digested, SEALED_TABLES, sealDigest, type SealedTable } from '../sealed-tables.js';

/** The seals of those windows whose rows are looked at. */
const IS_OF_PART = '(through_xact > $2 OR through_xact > $3 AND through_xact <= $4)';

/** The ends of the windows. Between two ends is one window, whoever wrote in it. */
const ENDS = `
  SELECT coalesce(array_agg(through_xact ORDER BY through_xact), '{}') AS ends
  FROM (SELECT DISTINCT through_xact FROM seals WHERE ${IS_OF_PART}) windows`;

const shown = (rows: string, digest: string) =>
  `format('seal %s, before transaction %s: %s rows, %s', coalesce(sequence::text, 'missing'),
    through_xact, coalesce(${rows}, 0), coalesce(${digest}, 'no digest'))`;

/**
 * Every row is digested again, at the place where its transaction stands: of the windows from the
 * one that begins at $2, and of those between $3 and $4.
 */
export const windowsOf = (table: SealedTable): IntegrityCheck => ({
  name: `what was sealed of ${table.name} is what is there`,
  prefix: 'acc',
  of: 'windows',
  sql: `WITH ends AS MATERIALIZED (${ENDS}), found AS (
      SELECT account_id, place AS through_xact, rows, encode(digest, 'hex') AS digest
      FROM (${digested(
        table,
        `(SELECT ends FROM ends)[1 + width_bucket(${table.xact}, (SELECT ends FROM ends))]`,
        `${xactIn(table.xact)} AND ${table.xact} < (SELECT ends[array_length(ends, 1)] FROM ends)
          AND ($1::uuid IS NULL OR ${table.account} = $1::uuid)`,
      )}) digested
    ), sealed AS (
      SELECT account_id, sequence, through_xact, (content->>'rows')::bigint AS rows,
        content->>'sha256' AS digest
      FROM seals s CROSS JOIN LATERAL (SELECT contents->'${table.name}' AS content) c
      WHERE content IS NOT NULL AND ${ours('s')}
        AND ${IS_OF_PART}
    )
    SELECT account_id AS id, ${shown('s.rows', 's.digest')} AS stored,
      ${shown('f.rows', 'f.digest')} AS derived
    FROM sealed s FULL JOIN found f USING (account_id, through_xact)
    WHERE (s.rows, s.digest) IS DISTINCT FROM (f.rows, f.digest)`,
});

const CHAINS: IntegrityCheck[] = [
  {
    name: 'each seal covers the seal before',
    prefix: 'acc',
    sql: `SELECT account_id AS id, format('seal %s: %s', sequence, digest) AS stored,
        format('seal %s: %s', place, expected) AS derived
      FROM (
        SELECT s.account_id, s.sequence, encode(s.digest, 'hex') AS digest,
          row_number() OVER chain AS place,
          encode(${sealDigest(`lag(s.digest, 1, '') OVER chain`, 's')}, 'hex') AS expected,
          s.from_xact >= lag(s.through_xact, 1, 0) OVER chain AS follows
        FROM seals s WHERE ${ours('s')}
        WINDOW chain AS (PARTITION BY s.account_id ORDER BY s.sequence)
      ) links
      WHERE sequence <> place OR digest <> expected OR NOT follows`,
  },
  {
    name: 'the head of a chain is its last seal',
    prefix: 'acc',
    sql: `SELECT account_id AS id,
        format('seal %s, before transaction %s: %s', h.sequence, h.through_xact,
          encode(h.digest, 'hex')) AS stored,
        format('seal %s, before transaction %s: %s', s.sequence, s.through_xact,
          encode(s.digest, 'hex')) AS derived
      FROM (SELECT * FROM seal_heads h WHERE ${ours('h')}) h FULL JOIN (
        SELECT DISTINCT ON (account_id) * FROM seals s WHERE ${ours('s')}
        ORDER BY account_id, sequence DESC
      ) s USING (account_id)
      WHERE (h.sequence, h.through_xact, h.digest)
        IS DISTINCT FROM (s.sequence, s.through_xact, s.digest)`,
  },
  {
    name: 'a chain has the first seal that it had, and each that a check of the books has seen',
    prefix: 'acc',
    sql: `SELECT account_id AS id,
        format('seal %s: %s', sequence, coalesce(encode(s.digest, 'hex'), 'missing')) AS stored,
        format('seal %s: %s', sequence, coalesce(encode(k.digest, 'hex'), 'never seen')) AS derived
      FROM (SELECT * FROM seals_seen k WHERE ${ours('k')}) k FULL JOIN (
        SELECT * FROM seals s WHERE ${ours('s')} AND (sequence = 1
          OR (account_id, sequence) IN (SELECT account_id, sequence FROM seals_seen))
      ) s USING (account_id, sequence)
      WHERE s.digest IS DISTINCT FROM k.digest`,
  },
  {
    // Somebody took it out of the list of sealed ones.
    name: 'each table that was sealed is known',
    prefix: 'acc',
    sql: `SELECT DISTINCT s.account_id AS id, name AS stored, 'no such table' AS derived
      FROM seals s CROSS JOIN LATERAL jsonb_object_keys(s.contents) AS name
      WHERE ${ours('s')} AND name <> ALL ('{${SEALED_TABLES.map(({ name }) => `"${name}"`).join()}}'::text[])
        AND name NOT IN (SELECT table_name FROM extension_seals)`,
  },
];

export const SEAL_CHECKS: readonly IntegrityCheck[] = [...CHAINS, ...SEALED_TABLES.map(windowsOf)];

/**
 * The rows that are in no window yet, of one account or, with null, of all. $2 is the end of the
 * last window: where PostgreSQL knows it, it expects few rows behind it.
 */
export const unsealedOf = (tables: readonly SealedTable[]) => `
  SELECT (${tables
    .map(
      (table) => `(SELECT count(*) FROM ${table.from}
      WHERE ${table.xact} >= $2 AND ($1::uuid IS NULL OR ${table.account} = $1::uuid))`,
    )
    .join(' + ')})::bigint AS rows`;
