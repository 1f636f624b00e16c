import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FieldError } from '../../kernel/domain-error.js';
import { RemoteRefused, RemoteSilent, type RemoteAnswer } from '../remote/remote-service.js';
import { amountLines } from './amounts.js';
import { isJson } from './service-operations.js';
import { BadArguments } from './tool-requests.js';

/** Some ten thousand tokens: more is more than a model reads with care. */
const MOST_CHARACTERS = 40_000;
const MOST_AMOUNTS = 60;
const LARGEST_FILE_BYTES = 1_000_000;

interface Page {
  data?: unknown;
  next_cursor?: unknown;
}

/** Fields of a problem that say nothing more to an agent. */
const SAID = new Set(['type', 'title', 'status', 'detail', 'instance', 'code', 'errors']);

/** The result of a tool: the answer of the service, its amounts in words, and notes. */
export function resultOf(answer: RemoteAnswer, { uri }: { uri: string }): CallToolResult {
  const { status, headers, bytes } = answer;
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';');
  if (status >= 400) return refusal(status, headers, bytes.toString());
  if (status < 200 || status > 299) {
    return saying([`${status}: ${uri} leads elsewhere, where no tool follows.`], true);
  }
  const notes =
    headers.get('idempotency-replayed') === 'true'
      ? [
          'This is the stored answer to the first call with this idempotency_key: nothing was done again.',
        ]
      : [];
  if (bytes.length === 0) return saying(['Done; there is nothing to show.', ...notes]);
  if (isJson(mediaType)) return jsonResult(JSON.parse(bytes.toString()), notes);
  if (/^text\/|xml$/.test(mediaType)) return saying([cutText(bytes.toString()), ...notes]);
  if (bytes.length > LARGEST_FILE_BYTES) {
    const reason = `a tool hands over ${LARGEST_FILE_BYTES} at most`;
    return saying([`${mediaType} of ${bytes.length} bytes at ${uri}; ${reason}.`, ...notes]);
  }
  const result = saying([`${mediaType}, ${bytes.length} bytes.`, ...notes]);
  const resource = { uri, mimeType: mediaType, blob: bytes.toString('base64') };
  result.content.push({ type: 'resource', resource });
  return result;
}

/** An answer as JSON, as much of it as fits. */
export function jsonResult(value: unknown, notes: readonly string[] = []): CallToolResult {
  const { shown, told } = fitted(leanList(value));
  const all = amountLines(shown);
  const more = all.length - MOST_AMOUNTS;
  const amounts = [...all.slice(0, MOST_AMOUNTS), ...(more > 0 ? [`and ${more} more`] : [])];
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
  return saying([
    text,
    ...(amounts.length > 0 ? [`Amounts in words:\n${amounts.join('\n')}`] : []),
    ...notes,
    ...told,
  ]);
}

/** A refusal of the service, of our own, or its silence. @throws what is none of them */
export function failureResult(error: unknown): CallToolResult {
  if (error instanceof BadArguments) return saying([`${error.code}: ${error.message}`], true);
  if (error instanceof RemoteRefused) return saying([`${error.status} ${error.message}`], true);
  if (!(error instanceof RemoteSilent)) throw error;
  const advice = 'Nobody knows whether it was done: repeat a write with the same idempotency_key.';
  return saying([`no_answer: ${error.message}. ${advice}`], true);
}

function saying(texts: readonly string[], isError = false): CallToolResult {
  const content = texts.map((text) => ({ type: 'text' as const, text }));
  return isError ? { content, isError } : { content };
}

interface Problem {
  code?: string;
  error?: string;
  detail?: string;
  errors?: FieldError[];
}

function refusal(status: number, headers: Headers, text: string): CallToolResult {
  const problem = problemIn(text);
  const code = problem.code ?? problem.error ?? 'refused';
  const fields = (problem.errors ?? []).map(
    ({ pointer, code: of, message }) => `${pointer}: ${of}: ${message}`,
  );
  const rest = Object.entries(problem).filter(([name]) => !SAID.has(name));
  const wait = headers.get('retry-after');
  return saying(
    [
      [`${status} ${code}: ${problem.detail ?? 'the service refused this'}`, ...fields].join('\n'),
      ...(rest.length > 0 ? [JSON.stringify(Object.fromEntries(rest))] : []),
      ...(wait === null ? [] : [`Try again in ${wait} s.`]),
    ],
    true,
  );
}

function problemIn(text: string): Problem {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return {};
  }
}

/** Entries of a list without what is null, and without what the tool `available_actions` tells better. */
function leanList(value: unknown): unknown {
  const { data } = (value ?? {}) as Page;
  if (!Array.isArray(data)) return value;
  const lean = data.map((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
    const { available_actions: _, ...rest } = entry as Record<string, unknown>;
    return withoutNulls(rest);
  });
  return { ...(value as object), data: lean };
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const said = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(said.map(([name, field]) => [name, withoutNulls(field)]));
}

/** As many entries of the longest lists as fit, and sentences about the others. */
function fitted(value: unknown): { shown: unknown; told: string[] } {
  const counts = new Map<string, number>();
  const lists = new Map<string, unknown[]>();
  for (let size = sizeOf(value); size > MOST_CHARACTERS; size = sizeOf(value)) {
    const longest = longestList(value);
    if (!longest) return { shown: cutText(JSON.stringify(value)), told: [] };
    const { path, list } = longest;
    if (!counts.has(path)) counts.set(path, list.length);
    lists.set(path, list);
    const share = 1 - (size - MOST_CHARACTERS) / sizeOf(list);
    list.length = Math.max(1, Math.min(list.length - 1, Math.floor(list.length * share)));
  }
  const told = [...lists].map(([path, { length }]) =>
    path === 'data'
      ? `Only ${length} of ${counts.get(path)} entries fit: ask again with limit ${length}, then with the cursor of that answer.`
      : `Only ${length} of ${counts.get(path)} entries of ${path} fit.`,
  );
  const page = (value ?? {}) as Page;
  // Its place is behind entries that are not shown.
  if (lists.has('data')) delete page.next_cursor;
  else if (Array.isArray(page.data) && typeof page.next_cursor === 'string') {
    told.push('There may be more: ask again with cursor = next_cursor.');
  }
  return { shown: value, told };
}

const sizeOf = (value: unknown) => JSON.stringify(value)?.length ?? 0;

interface Listed {
  path: string;
  list: unknown[];
}

/** By its text. A list of one entry cannot be made shorter, but those in it can. */
function longestList(value: unknown, path = ''): Listed | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && value.length > 1) return { path, list: value };
  const below = Object.entries(value).flatMap(([name, field]) => {
    const place = Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name;
    return longestList(field, place) ?? [];
  });
  return below.toSorted((one, other) => sizeOf(other.list) - sizeOf(one.list))[0];
}

function cutText(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const told = `Cut here: ${MOST_CHARACTERS} of ${text.length} characters. Ask for less, by dates or filters.`;
  return `${text.slice(0, MOST_CHARACTERS)}\n${told}`;
}
