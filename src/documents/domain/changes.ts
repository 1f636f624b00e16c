/** One thing that differs between two versions, by its JSON pointer; null where it is missing. */
export interface FieldChange {
  field: string;
  from: string | null;
  to: string | null;
}

/** The differences between two JSON values, in the order of the first, then of the second. */
export function changesBetween(before: object, after: object): FieldChange[] {
  const [old, current] = [flattened(before), flattened(after)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((field) => ({ field, from: old.get(field) ?? null, to: current.get(field) ?? null }))
    .filter(({ from, to }) => from !== to);
}

function flattened(value: unknown, pointer = ''): Map<string, string> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object')
    return new Map([[pointer, `${value as string | number | bigint | boolean}`]]);
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    Array.isArray(value) ? `${pointer}/${name}` : `${pointer}/${escaped(name)}`,
    member,
  ]);
  return new Map(members.flatMap(([place, member]) => [...flattened(member, place)]));
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
