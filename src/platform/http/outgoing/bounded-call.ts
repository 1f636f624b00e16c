export interface BoundedCall {
  url: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
}

interface Bounds {
  timeoutMs: number;
  limitBytes: number;
}

/**
 * One call to somebody else's API, bounded in time and bytes. Redirects are not followed: they would
 * carry what was sent elsewhere. @throws whatever the network or the bounds did
 */
export async function boundedCall(
  fetch: typeof globalThis.fetch,
  { url, ...init }: BoundedCall,
  { timeoutMs, limitBytes }: Bounds,
): Promise<{ status: number; json: unknown; date: string | null }> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { ...init, redirect: 'manual', signal });
  const text = (await readLimited(response, limitBytes)).toString('utf8');
  const date = response.headers.get('date');
  return { status: response.status, json: jsonOrUndefined(text), date };
}

/** Reads at most `limitBytes` of a body, whatever its Content-Length says. */
export async function readLimited(response: Response, limitBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > limitBytes) throw new AnswerTooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** It is told apart from a network failure: who answers too much did answer. */
export class AnswerTooLong extends Error {}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
