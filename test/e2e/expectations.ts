import { expect } from 'vitest';
import { PROBLEMS } from '../support/problems.js';
import { AT_WEBHOOKS } from '../../src/platform/http/request-refusals.js';
import type { TestDatabase } from '../support/database.js';
import type { Answer } from '../support/http.js';

interface ProblemBody {
  code: string;
  instance: string;
  request_id: string;
  errors?: { pointer: string; code: string; message: string }[];
  [member: string]: unknown;
}

/** The whole shape of a refusal; returns its body. */
export function expectProblem(
  answer: Pick<Answer<unknown>, 'status' | 'headers' | 'body'>,
  status: number,
  code: string,
): ProblemBody {
  const body = answer.body as ProblemBody;
  expect([answer.status, body.code]).toEqual([status, code]);
  // RFC 6749 5.2: OAuth clients read `application/json` and nothing else.
  const type = body.instance.startsWith('/v1/auth/') ? 'json' : 'problem+json';
  expect(answer.headers.get('content-type')).toBe(`application/${type}; charset=utf-8`);
  expect(body).toMatchObject({
    type: `urn:quittance:problem:${code}`,
    title: expect.stringMatching(/\w/),
    status,
    detail: expect.stringMatching(/\w/),
    instance: expect.stringMatching(/^\//),
    request_id: answer.headers.get('x-request-id'),
  });
  const usual = PROBLEMS[code]?.[0];
  const isWebhook = body.instance.startsWith('/v1/webhooks/');
  expect([code, (isWebhook && AT_WEBHOOKS[code]) || usual]).toEqual([code, status]);
  return body;
}

/** JSON Pointers of the wrong fields, in order. */
export function pointersOf(body: object): string[] {
  return ((body as ProblemBody).errors ?? []).map(({ pointer }) => pointer).sort();
}

/** Every call changes these because it is a call: the token that it gets first. */
export const TOKENS = ['refresh_tokens', 'token_families'];

/** Written a moment later, beside those who call: calls of providers, and sums for reports. */
const BESIDE = ['gateway_deliveries', 'transfer_sums', 'claim_sums', 'gateway_sums', 'event_marks'];

/**
 * Rows and a digest of every table: equal before and after means that nothing was changed. When a
 * client was last seen is written by a clock of its own.
 */
export async function contentsOf(
  database: TestDatabase,
  except: string[] = [],
): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name`,
  );
  const contents: Record<string, string> = {};
  const left = new Set([...except, ...BESIDE]);
  for (const { name } of tables.filter((table) => !left.has(table.name))) {
    const [row] = await database.query<{ rows: bigint; digest: string | null }>(
      `SELECT count(*) AS rows, md5(string_agg(line, E'\\n' ORDER BY line)) AS digest
       FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS line FROM "${name}" t) lines`,
    );
    contents[name] = `${row?.rows} ${row?.digest}`;
  }
  return contents;
}

/** All pointers of an answer, also of problems in a list of results. */
export function pointersIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'pointer' in value && typeof value.pointer === 'string' ? [value.pointer] : [];
  return [...own, ...Object.values(value).flatMap(pointersIn)];
}
