import { readFileSync } from 'node:fs';

const PAGE = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8');

/** Rows such as "| `customers` | `profile`, `kind` | what for | erased |". */
const ROW = /^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \| .* \| (erased|kept|expires)\b[^|]*\|$/gm;

/** The fate of a column, such as `customers.profile`, as docs/privacy.md says. */
export const PERSONAL_COLUMNS: ReadonlyMap<string, 'erased' | 'kept' | 'expires'> = new Map(
  [...PAGE.matchAll(ROW)].flatMap(([, table = '', columns = '', fate]) =>
    [...columns.matchAll(/\w+/g)].map(
      ([column]) => [`${table}.${column}`, fate as 'erased' | 'kept' | 'expires'] as const,
    ),
  ),
);
