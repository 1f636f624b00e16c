import type { SchemaReader } from '../../platform/database/schema-listing.js';

/** A table of an extension whose rows are final when they are written. */
interface SealedExtensionTable {
  table: string;
  columns: string[];
  /** False: it has gone, or has lost a column. */
  isWhole: boolean;
}

/** Also of extensions that are not installed now: what was sealed stays so (decision 238). */
export async function sealedExtensionTables(client: SchemaReader): Promise<SealedExtensionTable[]> {
  const { rows } = await client.query(
    `SELECT table_name AS "table", columns, (SELECT count(*) FROM pg_attribute
        WHERE attrelid = to_regclass(format('public.%I', table_name))
          AND (attname <> 'account_id' OR atttypid = 'uuid'::regtype)
          AND (attname <> 'xact' OR atttypid = 'bigint'::regtype)
          AND attname = ANY (columns) AND attnum > 0 AND NOT attisdropped) = cardinality(columns) AS "isWhole"
     FROM extension_seals ORDER BY table_name COLLATE "C"`,
  );
  return rows as SealedExtensionTable[];
}
