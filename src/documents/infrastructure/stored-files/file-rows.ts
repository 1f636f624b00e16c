import type pg from 'pg';
import type { Uuid } from '../../../kernel/ids.js';
import type { Row } from '../../../platform/database/row.js';

/** In memory at once, of at most 64 MB each. */
const ROWS_AT_ONCE = 2;
const NAMES_AT_ONCE = 1000;

/** A row with bytes, here or in the store. */
interface FileRow extends Pick<Row<'attachment_files'>, 'account_id' | 'document_id' | 'content'> {
  /** @derived The last column of the key. */
  part: string;
  /** @derived Hexadecimal. */
  sha256: string;
}

/** The statements about one table; both have the same columns by these names. */
interface FileTable {
  here: string;
  elsewhere: string;
  take: string;
  give: string;
}

/**
 * @param bytes their column
 * @param last the last column of the key; `text` as it is shown, `given` as $3 is compared with it
 */
function fileTable(
  name: string,
  bytes: string,
  last: { column: string; text: string; given: string },
): FileTable {
  const order = `account_id, document_id, ${last.column}`;
  const key = `(${order})`;
  const given = `($1::uuid, $2::uuid, ${last.given})`;
  const rows = (where: string) => `
    SELECT account_id, document_id, ${last.text} AS part, encode(sha256, 'hex') AS sha256,
      ${bytes} AS content
    FROM ${name} WHERE ${bytes} ${where} AND ${key} > ${given} ORDER BY ${order} LIMIT ${ROWS_AT_ONCE}`;
  return {
    here: rows('IS NOT NULL'),
    elsewhere: rows('IS NULL'),
    take: `UPDATE ${name} SET ${bytes} = NULL WHERE ${key} = ${given} AND ${bytes} IS NOT NULL`,
    give: `UPDATE ${name} SET ${bytes} = $4 WHERE ${key} = ${given} AND ${bytes} IS NULL`,
  };
}

export const FILE_TABLES: readonly FileTable[] = [
  fileTable('document_pdfs', 'pdf', { column: 'language', text: 'language', given: '$3::text' }),
  fileTable('attachment_files', 'content', {
    column: 'sha256',
    text: `encode(sha256, 'hex')`,
    given: `decode($3, 'hex')`,
  }),
];

const COUNTS = `
  SELECT (SELECT count(*) FROM document_pdfs WHERE pdf IS NOT NULL)
      + (SELECT count(*) FROM attachment_files WHERE content IS NOT NULL) AS here,
    (SELECT count(*) FROM document_pdfs WHERE pdf IS NULL)
      + (SELECT count(*) FROM attachment_files WHERE content IS NULL) AS elsewhere`;

/** Names of objects that rows need, in the order of the store's list. */
const NAMES = `
  SELECT account_id, encode(sha256, 'hex') AS sha256 FROM (
    (SELECT account_id, sha256 FROM document_pdfs
      WHERE pdf IS NULL AND (account_id, sha256) > ($1::uuid, decode($2, 'hex'))
      ORDER BY account_id, sha256 LIMIT ${NAMES_AT_ONCE})
    UNION
    (SELECT account_id, sha256 FROM attachment_files
      WHERE content IS NULL AND (account_id, sha256) > ($1::uuid, decode($2, 'hex'))
      ORDER BY account_id, sha256 LIMIT ${NAMES_AT_ONCE})
  ) named ORDER BY account_id, named.sha256 LIMIT ${NAMES_AT_ONCE}`;

const DOCUMENTS = `
  SELECT document_id FROM document_pdfs
    WHERE account_id = $1 AND sha256 = decode($2, 'hex') AND pdf IS NULL
  UNION SELECT document_id FROM attachment_files
    WHERE account_id = $1 AND sha256 = decode($2, 'hex') AND content IS NULL
  ORDER BY document_id LIMIT 20`;

interface CountedFiles {
  /** @derived */
  here: bigint;
  /** @derived */
  elsewhere: bigint;
}

interface ObjectName extends Pick<Row<'attachment_files'>, 'account_id'> {
  /** @derived Hexadecimal. */
  sha256: string;
}

const ZERO = '00000000-0000-0000-0000-000000000000' as Uuid;

export async function countFiles(client: pg.Client): Promise<{ here: number; elsewhere: number }> {
  const { rows } = await client.query<CountedFiles>(COUNTS);
  return { here: Number(rows[0]?.here ?? 0), elsewhere: Number(rows[0]?.elsewhere ?? 0) };
}

/** A few at a time; those that change meanwhile are behind it or before it. */
export async function* rowsIn(
  client: pg.Client,
  table: FileTable,
  which: 'here' | 'elsewhere',
): AsyncGenerator<FileRow> {
  let after: unknown[] = [ZERO, ZERO, ''];
  for (;;) {
    const { rows } = await client.query(table[which], after);
    yield* rows as FileRow[];
    const last = (rows as FileRow[]).at(-1);
    if (!last) return;
    after = [last.account_id, last.document_id, last.part];
  }
}

export async function* neededNames(client: pg.Client): AsyncGenerator<ObjectName> {
  let after: unknown[] = [ZERO, ''];
  for (;;) {
    const { rows } = await client.query<ObjectName>(NAMES, after);
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = [last.account_id, last.sha256];
  }
}

/** The documents that need an object. */
export async function documentsOf(
  client: pg.Client,
  { account_id, sha256 }: ObjectName,
): Promise<Uuid[]> {
  const { rows } = await client.query<{ document_id: Uuid }>(DOCUMENTS, [account_id, sha256]);
  return rows.map(({ document_id: id }) => id);
}
