import { columnList } from './column-lists.js';
import type { SqlStatement } from './sql-statement.js';
import type { Lookup, Tx } from './tx.js';

type Row = Record<string, unknown>;

/** The rows of each look-up that was asked. */
export type Found = ReadonlyMap<Lookup, readonly Row[]>;

/** The same for two statements that ask the same. */
export function keyOf({ text, values }: SqlStatement): string {
  return `${text} ${keyOfValues(values)}`;
}

function keyOfValues(values: readonly unknown[]): string {
  return JSON.stringify(values.map((value) => (typeof value === 'bigint' ? `${value}` : value)));
}

/** Several members may ask the same, and get the same rows. */
interface Asked {
  by: Lookup[];
  rows: Row[];
}

/** Asks all look-ups of a group, with one statement for each kind. The first to be asked come first. */
export async function findAll(tx: Tx, lookups: readonly Lookup[]): Promise<Found> {
  const kinds = new Map<string, Map<string, Asked>>();
  const found = new Map<Lookup, Row[]>();
  for (const lookup of lookups) {
    const ofKind = kinds.get(lookup.text) ?? new Map<string, Asked>();
    kinds.set(lookup.text, ofKind);
    const key = keyOfValues(lookup.values);
    const asked = ofKind.get(key) ?? { by: [], rows: [] };
    ofKind.set(key, asked);
    asked.by.push(lookup);
    found.set(lookup, asked.rows);
  }
  await Promise.all(
    Array.from(kinds.values(), async (ofKind) => findKind(tx, [...ofKind.values()])),
  );
  return found;
}

async function findKind(tx: Tx, asked: readonly Asked[]): Promise<void> {
  const lookups = asked.flatMap(({ by: [first] }) => first ?? []);
  const [first] = lookups;
  if (!first) return;
  if (lookups.length === 1) {
    const rows: unknown[] = await tx.read(first.withoutWaiting ?? first.text, first.values);
    asked[0]?.rows.push(...(rows as Row[]));
    return;
  }
  const lists = first.types.map((_, at) => columnList(lookups.map(({ values }) => values[at])));
  const rows: unknown[] = await tx.read(textForMany(first), lists);
  for (const row of rows as Row[]) {
    asked[Number(row['member']) - 1]?.rows.push(row);
  }
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
