import { type Check, ours } from './integrity-check.js';
import { hasDomains, rowDigestOfVersion, sealDigestOfVersion } from './first-seals.js';
import { digested, SEALED_TABLES, type SealedTable } from './sealed-tables.js';

/** Where the windows end; between two ends is one window, whoever wrote in it. */
const ENDS = `
  SELECT coalesce(array_agg(through_xact ORDER BY through_xact), '{}') AS ends,
    coalesce(max(through_xact) FILTER (WHERE version = 1), 0) AS first_end,
    min(domain_ids::text)::jsonb AS domain_ids
  FROM (SELECT DISTINCT through_xact, version, domain_ids FROM seals) windows`;

const shown = (rows: string, digest: string) =>
  `format('seal %s, before transaction %s: %s rows, %s', coalesce(sequence::text, 'missing'),
    through_xact, coalesce(${rows}, 0), coalesce(${digest}, 'no digest'))`;

const rowAs = (table: SealedTable) =>
  hasDomains(table)
    ? rowDigestOfVersion('(SELECT first_end FROM ends)', '(SELECT domain_ids FROM ends)')
    : undefined;

/**
 * Every row is digested again, at the place where its transaction stands. Seals of version 1 that
 * were made before a restore, by a build that did not keep the ids of domains, cannot be verified;
 * they are those before the first that can.
 */
const windowsOf = (table: SealedTable): Check => ({
  name: `what was sealed of ${table.name} is what is there`,
  prefix: 'acc',
  sql: `WITH ends AS MATERIALIZED (${ENDS}), found AS (
      SELECT account_id, place AS through_xact, rows, encode(digest, 'hex') AS digest
      FROM (${digested(
        table,
        `(SELECT ends FROM ends)[1 + width_bucket(${table.xact}, (SELECT ends FROM ends))]`,
        `${table.xact} < (SELECT ends[array_length(ends, 1)] FROM ends)
          AND ($1::uuid IS NULL OR ${table.account} = $1::uuid)`,
        rowAs(table),
      )}) digested
    ), sealed AS (
      SELECT account_id, sequence, version, through_xact, (content->>'rows')::bigint AS rows,
        content->>'sha256' AS digest
      FROM seals s CROSS JOIN LATERAL (SELECT contents->'${table.name}' AS content) c
      WHERE content IS NOT NULL AND ${ours('s')}
    ), compared AS (
      SELECT account_id, through_xact, sequence, s.rows AS stored_rows, s.digest AS stored_digest,
        f.rows AS found_rows, f.digest AS found_digest,
        (s.rows, s.digest) IS NOT DISTINCT FROM (f.rows, f.digest) AS agrees,
        ${hasDomains(table) ? `coalesce(${UNVERIFIABLE}, false)` : 'false'} AS unverifiable
      FROM sealed s FULL JOIN found f USING (account_id, through_xact)
    )
    SELECT account_id AS id, ${shown('stored_rows', 'stored_digest')} AS stored,
      ${shown('found_rows', 'found_digest')} AS derived, NULL AS check
    FROM compared WHERE NOT agrees AND NOT unverifiable
    UNION ALL
    SELECT account_id, format('%s of seals %s to %s', count(*), min(sequence), max(sequence)),
      'not verifiable: restored from a dump before version 2, or changed',
      'seals of version 1 can be verified in this database'
    FROM compared WHERE NOT agrees AND unverifiable GROUP BY account_id`,
});

/** Of version 1, with the right number of rows, and before all of that version that agree. */
const UNVERIFIABLE = `s.version = 1 AND s.rows = f.rows AND through_xact < coalesce(
    min(through_xact) FILTER (WHERE s.version = 1 AND s.digest = f.digest) OVER (),
    'infinity'::numeric)`;

const CHAINS: Check[] = [
  {
    name: 'each seal covers the seal before',
    prefix: 'acc',
    sql: `SELECT account_id AS id, format('seal %s: %s', sequence, digest) AS stored,
        format('seal %s: %s', place, expected) AS derived
      FROM (
        SELECT s.account_id, s.sequence, encode(s.digest, 'hex') AS digest,
          row_number() OVER chain AS place,
          encode(${sealDigestOfVersion(`lag(s.digest, 1, '') OVER chain`, 's')}, 'hex') AS expected,
          s.from_xact >= lag(s.through_xact, 1, 0) OVER chain
            AND (s.version = 1) = (s.domain_ids IS NOT NULL) AS follows
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
];

export const SEAL_CHECKS: readonly Check[] = [...CHAINS, ...SEALED_TABLES.map(windowsOf)];

/** What is not in any window yet, of one account or, with null, of all. */
export const UNSEALED = `WITH last AS MATERIALIZED (
    SELECT coalesce(max(through_xact), 0) AS through_xact FROM seals)
  SELECT ${SEALED_TABLES.map(
    (table) => `(SELECT count(*) FROM ${table.from}
      WHERE ${table.xact} >= (SELECT through_xact FROM last)
        AND ($1::uuid IS NULL OR ${table.account} = $1::uuid))`,
  ).join(' + ')} AS rows`;
