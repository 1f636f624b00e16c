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

/** What each request is answered with, by an account of its own. */
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

/** Pointer and code of each wrong field in their order, and a hash of all with their sentences. */
function refusalOf({ status, body }: Answer): string {
  const { code, detail, errors } = body as unknown as Problem;
  if (!errors && 'error' in body) return `${status} ${String(body.error)}`;
  if (!errors || (status !== 422 && status !== 400)) return 'taken';
  const shown = errors.slice(0, SHOWN).map(({ pointer, code: own }) => `${pointer} ${own}`);
  const more = errors.length > SHOWN ? [`${errors.length - SHOWN} more`] : [];
  const hash = createHash('sha256')
    .update(JSON.stringify([detail, errors]))
    .digest('hex')
    .slice(0, 8);
  return [`${status} ${code}`, ...shown, ...more, hash].join('; ');
}
