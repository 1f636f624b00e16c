type Plain = Record<string, unknown>;

/** Values of these are not schemas, or have names whose order says something. */
const VALUES = new Set(['example', 'examples', 'default', 'enum']);

/** A schema with its keywords in the order of the alphabet: whoever describes it, its bytes are the same. */
export function inKeyOrder(schema: unknown, isMap = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => inKeyOrder(one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [
    key,
    !isMap && VALUES.has(key) ? value : inKeyOrder(value, !isMap && key === 'properties'),
  ]);
  if (!isMap) entries.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  return Object.fromEntries(entries) as Plain;
}

/** Every schema of a part of the document, in the same order. */
export function schemasInKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(schemasInKeyOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'schema' ? inKeyOrder(inner) : schemasInKeyOrder(inner),
    ]),
  );
}
