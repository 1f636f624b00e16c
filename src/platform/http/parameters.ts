import { parse, type ParsedUrlQuery } from 'node:querystring';
import { excerpt, pointerStep } from './excerpt.js';
import { duplicateKey } from './json-scan.js';
import { HttpProblem } from './problem.js';

const MOST_QUERY_PARAMETERS = 50;

/** The parameters of a form or a query string, each once; null when there are more than `most`. */
function parametersIn(text: string, most: number): ParsedUrlQuery | null {
  let count = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    if ((count += 1) > most) return null;
  }
  const parameters = parse(text, '&', '=', { maxKeys: 0 });
  for (const [name, value] of Object.entries(parameters)) {
    if (!Array.isArray(value)) continue;
    throw duplicateKey(pointerStep(name), `${excerpt(name)} is sent more than once; send it once.`);
  }
  return parameters;
}

/** @throws HttpProblem 400 `body_too_complex`, `duplicate_key` */
export function parseForm(text: string, most: number): ParsedUrlQuery {
  const parameters = parametersIn(text, most);
  if (parameters) return parameters;
  throw new HttpProblem(
    400,
    'body_too_complex',
    `The form has more than ${most} fields, which is more than this call takes; send less.`,
  );
}

/** Express asks for it where a handler wants the query. @throws HttpProblem 400 */
export function parseQuery(text: string | undefined): ParsedUrlQuery {
  const parameters = parametersIn(text ?? '', MOST_QUERY_PARAMETERS);
  if (parameters) return parameters;
  throw new HttpProblem(
    400,
    'invalid_query',
    `The query has more than ${MOST_QUERY_PARAMETERS} parameters; leave out what the call does not take.`,
  );
}
