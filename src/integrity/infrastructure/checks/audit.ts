import { type IntegrityCheck, ours } from './integrity-check.js';

/** A UUID as the public id that the audit log names (TypeID): 26 digits of five bits. */
const publicId = (prefix: string, uuid: string) =>
  `(SELECT '${prefix}_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', 1
      + substring(B'00' || ('x' || replace(${uuid}::text, '-', ''))::bit(128)
          FROM 5 * place + 1 FOR 5)::bit(5)::int, 1), '' ORDER BY place)
    FROM generate_series(0, 25) place)`;

/** The changes that the audit log must tell of. */
export const AUDIT_CHECKS: readonly IntegrityCheck[] = [
  {
    // A client made before the first entry of all is older than the log.
    name: 'the audit log tells who made an API client',
    prefix: 'cli',
    sql: `SELECT client_id AS id, format('made at %s', c.created_at) AS stored,
        'no entry client.created' AS derived
      FROM api_clients c
      WHERE ${ours('c')} AND c.created_at >= (SELECT min(occurred_at) FROM audit_entries)
        AND (c.account_id, ${publicId('cli', 'c.client_id')}) NOT IN (
          SELECT a.account_id, a.subject FROM audit_entries a
          WHERE a.action = 'client.created' AND a.subject IS NOT NULL AND ${ours('a')})`,
  },
];
