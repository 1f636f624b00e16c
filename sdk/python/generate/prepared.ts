import type { OpenAPIObject } from '@nestjs/swagger';

type Plain = Record<string, unknown>;

/**
 * The document without what the generator writes wrong code of: it would read a choice as a class that is
 * nowhere, and write `true` for `True`. Types are made of the whole document.
 */
export function prepared(document: OpenAPIObject): OpenAPIObject {
  return without(document) as OpenAPIObject;
}

interface Asked {
  parameters?: { name?: string }[];
}

/** Its models refuse an answer without what is required, so that nobody could read a part of one. */
export function withWholeLists(document: OpenAPIObject): OpenAPIObject {
  const whole = structuredClone(document);
  for (const item of Object.values(whole.paths)) {
    for (const operation of Object.values(item) as Asked[]) {
      const { parameters } = operation;
      if (parameters) operation.parameters = parameters.filter(({ name }) => name !== 'fields');
    }
  }
  return whole;
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  const { type, enum: words } = value as Plain;
  const gone = new Set(['anyOf', 'oneOf']);
  if (type === 'boolean' && Array.isArray(words)) gone.add('enum');
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !gone.has(key))
      .map(([key, inner]) => [key, key.startsWith('example') ? inner : without(inner)]),
  );
}
