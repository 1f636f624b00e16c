import { rowDigest, type SealedTable, sealDigest } from './sealed-tables.js';

// Seals of version 1 hold the ids of domains. `seals.domain_ids` keeps those of the database that
// they were made in, so that they are verified wherever it is restored.

/** Columns of domains that were sealed in version 1, and their domain. */
const DOMAINS: Readonly<Record<string, string>> = {
  't.fact::text': 'ledger_fact',
  't.debit::text': 'ledger_account',
  't.credit::text': 'ledger_account',
};

export const hasDomains = ({ columns }: SealedTable): boolean =>
  columns.some((column) => column in DOMAINS);

/**
 * What record_send gave for a row: the number of its values, then each one's type, length and
 * bytes. Values of other types are left to it. @param ids SQL with the ids of the domains, as JSON
 */
const firstRowDigest = ({ columns }: SealedTable, ids: string): string => {
  const values = columns.map((column) => {
    const domain = DOMAINS[column];
    if (!domain) return `substr(record_send(ROW(${column})), 5)`;
    const id = `(${ids}->>'${domain}')::oid`;
    return `oidsend(${id}) || int4send(octet_length(textsend(${column}))) || textsend(${column})`;
  });
  return `sha256(int4send(${columns.length}) || ${values.join(' || ')})`;
};

/** A row's digest in the version of its window. @param end SQL: where the windows of version 1 end */
export const rowDigestOfVersion =
  (end: string, ids: string) =>
  (table: SealedTable): string =>
    `CASE WHEN ${table.xact} >= ${end} THEN ${rowDigest(table)}
      ELSE ${firstRowDigest(table, ids)} END`;

/** A seal's digest in its own version. */
export const sealDigestOfVersion = (previous: string, seal: string): string =>
  `CASE ${seal}.version WHEN 1 THEN ${sealDigest(previous, seal, [])}
    ELSE ${sealDigest(previous, seal)} END`;
