import { parse, type ParsedUrlQuery } from 'node:querystring';
import { pointerStep, shownName } from './excerpt.js';
import { duplicateKey } from './body/json-scan.js';
import { invalidParameter } from './request-refusals.js';
import { RequestRefusal } from './request-refusals.js';

const MOST_QUERY_PARAMETERS = 50;

/** The fields of a form, each once. */
export function parseForm(text: string, most: number): ParsedUrlQuery {
  if (hasMore(text, most)) {
    throw RequestRefusal.body_too_complex.of(
      `The form has more than ${most} fields, which is more than this call takes; send less.`,
    );
  }
  const fields = parse(text, '&', '=', { maxKeys: 0 });
  const twice = repeatedIn(fields);
  if (twice === undefined) return fields;
  throw duplicateKey(pointerStep(twice), sentTwice(twice));
}

/** Express calls it when a handler wants the query. Only `metadata[key]` has parts. */
export function parseQuery(query: string | null | undefined): Record<string, unknown> {
  const text = query ?? '';
  if (hasMore(text, MOST_QUERY_PARAMETERS)) {
    throw RequestRefusal.invalid_query.of(
      `The query has more than ${MOST_QUERY_PARAMETERS} parameters; leave out what is not taken.`,
    );
  }
  const parameters = parse(text, '&', '=', { maxKeys: 0 });
  const twice = repeatedIn(parameters);
  if (twice === undefined) return withMetadata(parameters);
  throw invalidParameter(twice, sentTwice(twice));
}

function withMetadata(parameters: ParsedUrlQuery): Record<string, unknown> {
  const given = Object.entries(parameters).map(
    ([name, value]) => [name, METADATA.exec(name)?.[1], value] as const,
  );
  const metadata = given.flatMap(([, key, value]) => (key === undefined ? [] : [[key, value]]));
  if (metadata.length === 0) return parameters;
  if ('metadata' in parameters) throw invalidParameter('metadata', sentTwice('metadata'));
  const others = given.flatMap(([name, key, value]) => (key === undefined ? [[name, value]] : []));
  return Object.fromEntries([...others, ['metadata', Object.fromEntries(metadata)]]);
}

const METADATA = /^metadata\[(.+)\]$/s;

/** Counts in the text, so that nothing is built from too many. */
function hasMore(text: string, most: number): boolean {
  let count = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    if ((count += 1) > most) return true;
  }
  return false;
}

function repeatedIn(parameters: ParsedUrlQuery): string | undefined {
  return Object.keys(parameters).find((name) => Array.isArray(parameters[name]));
}

function sentTwice(name: string): string {
  return `${shownName(name)} is sent more than once; send it once.`;
}
