type Schema = Record<string, unknown>;

/** The moment and the day of all examples. */
const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-11-27T09:30:00.000Z',
  date: '2026-11-27',
};

/**
 * A value that fits a schema: its example, else its first word, else the least that there is. A field
 * that may be null is null, and one that may be absent is.
 * @param schemas those that are referred to by name
 * @param told the parts that are told otherwise
 */
export function exampleOf(
  schema: Schema,
  schemas: Record<string, Schema>,
  told?: unknown,
): unknown {
  const { example, $ref, allOf, anyOf, type, nullable } = schema;
  const outer = $ref ?? (allOf as Schema[] | undefined)?.[0]?.['$ref'];
  const named = typeof outer === 'string' && schemas[outer.split('/').at(-1)!];
  const isObject = told !== null && typeof told === 'object' && !Array.isArray(told);
  if (told !== undefined && !isObject) return told;
  if (nullable === true && !isObject) return null;
  if (named) return exampleOf(named, schemas, told);
  if (type === 'object') return objectExample(schema, schemas, told as Schema | undefined);
  if (example !== undefined) return example;
  if (anyOf) return exampleOf((anyOf as Schema[])[0]!, schemas, told);
  if (type === 'array') return [exampleOf(schema['items'] as Schema, schemas)];
  const [word] = (schema['enum'] as unknown[] | undefined) ?? [];
  if (word !== undefined) return word;
  if (type === 'string') return BY_FORMAT[schema['format'] as string] ?? 'text';
  return type === 'boolean' ? false : 1;
}

function objectExample(
  schema: Schema,
  schemas: Record<string, Schema>,
  differs: Schema = {},
): object {
  const told = { ...(schema['example'] as Schema | undefined), ...differs };
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const required = (schema['required'] ?? []) as string[];
  const shown = fields.filter(([name]) => required.includes(name) || name in told);
  return Object.fromEntries(
    shown.map(([name, field]) => [name, exampleOf(field, schemas, told[name])]),
  );
}
