import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Problem } from '../../src/platform/http/problem.js';
import type { Answer } from '../support/http.js';
import type { TestService } from '../support/service.js';
import { type Asked, edited } from './requests.js';

/** Requests of an operation with the refusal of each, as `refusalOf` tells it. */
export interface Frozen extends Omit<Asked, 'edits'> {
  refusals: [edits: Asked['edits'][number], refusal: string][];
}

export const OPENAPI_FILE = new URL('./openapi.json', import.meta.url);
export const REFUSALS_FILE = new URL('./refusals.json', import.meta.url);

export async function frozenRefusals(): Promise<Frozen[]> {
  return JSON.parse(await readFile(REFUSALS_FILE, 'utf8')) as Frozen[];
}

/** The refusal of each request, all sent by an account of its own. */
export async function refusalsOf(
  service: TestService,
  { method, path, isQuery, full }: Omit<Asked, 'edits'>,
  edits: Asked['edits'],
): Promise<string[]> {
  const client = await service.aClient();
  const authorization = `Bearer ${await client.bearer()}`;
  const refusals: string[] = [];
  for (const edit of edits) {
    const wrong = edited(full, edit);
    const query = isQuery ? `?${new URLSearchParams(wrong as Record<string, string>)}` : '';
    const sent = isQuery ? {} : { body: wrong };
    const headers = { authorization };
    refusals.push(refusalOf(await service.call(`${path}${query}`, { method, headers, ...sent })));
  }
  return refusals;
}

const SHOWN = 12;

/**
 * Pointer and code of each wrong field, and a hash of their sentences. Which fields are listed depends
 * on their order where an answer cannot list all: there only their number is told.
 */
function refusalOf({ status, body }: Answer): string {
  const { code, detail, errors, errors_truncated: isCut } = body as unknown as Problem;
  if (!errors && 'error' in body) return `${status} ${String(body.error)}`;
  if (!errors || (status !== 422 && status !== 400)) return 'taken';
  if (isCut) return `${status} ${code}; ${errors.length} and more`;
  const wrong = errors.map(({ pointer, code: own, message }) => [`${pointer} ${own}`, message]);
  const sorted = wrong.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  const shown = sorted.slice(0, SHOWN).map(([where]) => where);
  const more = sorted.length > SHOWN ? [`${sorted.length - SHOWN} more`] : [];
  // Of parameters, the detail is their sentences.
  const said = status === 400 ? sorted : [detail, sorted];
  const hash = createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 8);
  return [`${status} ${code}`, ...shown, ...more, hash].join('; ');
}
