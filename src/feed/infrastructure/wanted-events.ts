/** A type of events with what asks for it, and the scope that reads it. */
export interface TypeByScope {
  type: string;
  family: string;
  scope: string;
}

/** SQL: the types, of the three lists of `typeLists` from a parameter on. */
export const typesFrom = (first: number): string =>
  `unnest($${first}::text[], $${first + 1}::text[], $${first + 2}::text[]) AS t (type, family, scope)`;

/** SQL: an endpoint `w` wants events of a type `t`, and may be told of them. */
export const IS_WANTED = `t.scope = ANY (w.scopes)
  AND (w.types IS NULL OR t.type = ANY (w.types) OR t.family = ANY (w.types))`;

export const typeLists = (types: readonly TypeByScope[]): string[][] => [
  types.map(({ type }) => type),
  types.map(({ family }) => family),
  types.map(({ scope }) => scope),
];
