/** One thing that differs between two versions, by its JSON pointer; null where it is missing. */
export interface FieldChange {
  field: string;
  from: string | null;
  to: string | null;
}

/** The differences between two JSON values, in the order of the first, then of the second. */
export function changesBetween(before: object, after: object): FieldChange[] {
  const [old, current] = [flattened(before), flattened(after)];
  const changes: FieldChange[] = [];
  for (const [field, from] of old) {
    const to = current.get(field) ?? null;
    if (from !== to) changes.push({ field, from, to });
  }
  for (const [field, to] of current) if (!old.has(field)) changes.push({ field, from: null, to });
  return changes;
}

/** Into one map for all levels: copies of each level cost more than the rest of an edit. */
function flattened(
  value: unknown,
  pointer = '',
  texts = new Map<string, string>(),
): Map<string, string> {
  if (value === null || value === undefined) return texts;
  if (typeof value !== 'object') {
    return texts.set(pointer, `${value as string | number | bigint | boolean}`);
  }
  for (const [name, member] of Object.entries(value)) {
    flattened(member, `${pointer}/${Array.isArray(value) ? name : escaped(name)}`, texts);
  }
  return texts;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
