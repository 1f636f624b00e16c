import { columnList } from './column-lists.js';
import type { SqlStatement } from './sql-statement.js';
import type { Lookup, Tx } from './tx.js';

type Row = Record<string, unknown>;

/** The rows of each look-up that was asked, by its `keyOf`. */
export type Found = ReadonlyMap<string, readonly Row[]>;

export function keyOf({ text, values }: SqlStatement): string {
  return `${text} ${JSON.stringify(values, asText)}`;
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Asks all look-ups of a group, with one statement for each kind. The first to be asked come first. */
export async function findAll(tx: Tx, lookups: readonly Lookup[]): Promise<Found> {
  const kinds = new Map<string, Map<string, Lookup>>();
  for (const lookup of lookups) {
    const ofKind = kinds.get(lookup.text) ?? new Map<string, Lookup>();
    kinds.set(lookup.text, ofKind.set(keyOf(lookup), lookup));
  }
  const found = new Map<string, Row[]>();
  await Promise.all(
    Array.from(kinds.values(), async (ofKind) => {
      const [first] = ofKind.values();
      const keys = [...ofKind.keys()];
      for (const key of keys) found.set(key, []);
      if (!first) return;
      if (keys.length === 1) {
        const rows: unknown[] = await tx.read(first.withoutWaiting ?? first.text, first.values);
        found.set(keys[0] ?? '', rows as Row[]);
        return;
      }
      const lists = first.types.map((type, at) =>
        columnList(
          type,
          Array.from(ofKind.values(), (one) => one.values[at]),
        ),
      );
      const rows: unknown[] = await tx.read(textForMany(first), lists);
      for (const row of rows as Row[]) {
        found.get(keys[Number(row['member']) - 1] ?? '')?.push(row);
      }
    }),
  );
  return found;
}

const texts = new Map<string, string>();

/** The same for lists of values. Each row says by which place in the lists it was found. */
function textForMany({ text, withoutWaiting, types }: Lookup): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const lists = types.map((type, at) => `$${at + 1}::${type}[]`).join(', ');
  const names = types.map((_, at) => `v${at + 1}`).join(', ');
  const one = (withoutWaiting ?? text).replaceAll(/\$(\d+)/g, 'k.v$1');
  // OFFSET: each is found by its index, however few rows the planner expects.
  const many =
    `SELECT k.member, found.* FROM unnest(${lists}) WITH ORDINALITY AS k (${names}, member),` +
    ` LATERAL (${one} OFFSET 0) found`;
  texts.set(text, many);
  return many;
}
