import type pg from 'pg';
import pgTypes from 'pg';

/** SQL text with its values, ready to be sent. */
export interface Statement {
  text: string;
  values: unknown[];
}

const INT8 = 20;
const DATE = 1082;
const types = {
  getTypeParser(oid: number, format?: string): unknown {
    if (oid === INT8) return BigInt;
    if (oid === DATE) return String;
    return pgTypes.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

const names = new Map<string, string>();

/** Named, so that each connection parses and plans a text once. Texts are constants of the code. */
export function toQuery({ text, values }: Statement): pg.QueryConfig {
  let name = names.get(text);
  if (name === undefined) {
    name = `q${names.size}`;
    names.set(text, name);
  }
  return { name, text, values, types };
}
