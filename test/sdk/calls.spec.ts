import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { QuittanceConnectionError, RefusedCall } from '../../sdk/typescript/src/failures.js';
import { askedPauseMs, growingPauseMs } from '../../sdk/typescript/src/pauses.js';
import { ClientTokens } from '../../sdk/typescript/src/tokens.js';
import { AService, post, refused } from './a-service.js';

let service: AService;
beforeEach(() => {
  service = new AService();
});

const LOST = new TypeError('fetch failed');
const caught = async (call: Promise<unknown>): Promise<unknown> => call.catch((error) => error);

describe('a call that takes a key', () => {
  it.each([
    ['429', () => refused(429, 'rate_limited', { 'Retry-After': '0' })],
    ['503', () => refused(503, 'database_busy', { 'Retry-After': '0' })],
    ['502 of a proxy', () => new Response('Bad gateway', { status: 502 })],
    ['409 of something busy', () => refused(409, 'document_busy', { 'Retry-After': '0' })],
    ['a lost connection', () => LOST],
  ])('is sent again after %s, with the same key and body', async (_, failure) => {
    service.answers = [failure()];
    expect(await post(service.calls())).toEqual({ done: true });
    expect(service.got.map(({ body }) => body)).toEqual(['{"amount":1}', '{"amount":1}']);
    const [first, second] = service.keys();
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
  });

  it('has another key the next time, and keeps the one that it is given', async () => {
    const calls = service.calls();
    await post(calls);
    await post(calls);
    await post(calls, true, { idempotencyKey: 'mine' });
    const [first, second, third] = service.keys();
    expect(second).not.toBe(first);
    expect(third).toBe('mine');
  });

  it('is sent again when the connection is lost in the midst of the answer', async () => {
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"do'));
        controller.error(LOST);
      },
    });
    service.answers = [new Response(broken)];
    expect(await post(service.calls())).toEqual({ done: true });
    expect(service.got).toHaveLength(2);
  });

  it('is given up after its tries, and says that nobody answered', async () => {
    service.answers = [LOST, LOST, LOST];
    const error = await caught(post(service.calls({ retries: 1 })));
    expect(error).toBeInstanceOf(QuittanceConnectionError);
    expect(service.got).toHaveLength(2);
  });

  it.each([400, 404, 409, 422, 500])('is not sent again after %d', async (status) => {
    service.answers = [refused(status, 'no')];
    expect(await caught(post(service.calls()))).toMatchObject({ status, code: 'no' });
    expect(service.got).toHaveLength(1);
  });

  it('is not sent again if it is told to wait for longer than a minute', async () => {
    service.answers = [refused(429, 'rate_limited', { 'Retry-After': '61' })];
    expect(await caught(post(service.calls()))).toMatchObject({ code: 'rate_limited' });
    expect(service.got).toHaveLength(1);
  });
});

describe('a call that takes none, and changes something', () => {
  it('is not sent again where it may have been done', async () => {
    service.answers = [LOST, refused(503, 'database_busy', { 'Retry-After': '0' })];
    const calls = service.calls();
    expect(await caught(post(calls, false))).toBeInstanceOf(QuittanceConnectionError);
    expect(await caught(post(calls, false))).toMatchObject({ code: 'database_busy' });
    expect(service.got).toHaveLength(2);
    expect(service.keys()).toEqual([null, null]);
  });

  it('is sent again after 429, which did nothing', async () => {
    service.answers = [refused(429, 'rate_limited', { 'Retry-After': '0' })];
    expect(await post(service.calls(), false)).toEqual({ done: true });
  });
});

describe('a try', () => {
  it('ends after its time', async () => {
    service.answers = [async () => new Promise<Response>(() => undefined)];
    const fetch: typeof globalThis.fetch = async (input, init) =>
      Promise.race([
        service.fetch(input, init),
        new Promise<never>((_, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
        }),
      ]);
    const calls = service.calls({ fetch, timeoutMs: 20, retries: 0 });
    expect(await caught(post(calls))).toMatchObject({
      name: 'QuittanceConnectionError',
      message: 'POST https://billing.example.com did not answer within 0.02 s',
    });
  });

  it('ends with the signal, also while it pauses', async () => {
    service.answers = [refused(503, 'starting', { 'Retry-After': '30' })];
    const reason = new Error('enough');
    const controller = new AbortController();
    const call = caught(post(service.calls(), true, { signal: controller.signal }));
    setTimeout(() => controller.abort(reason), 20);
    expect(await call).toBe(reason);
  });

  it('leaves nothing at a signal that many calls share', async () => {
    const { signal } = new AbortController();
    await post(service.calls(), true, { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('follows no redirect, and takes no page of a proxy for a refusal', async () => {
    const moved = new Response(null, {
      status: 301,
      headers: { Location: 'https://other.example' },
    });
    const page = new Response('<html>', { status: 403 });
    service.answers = [moved, page, Response.json({ message: 'Forbidden' }, { status: 403 })];
    const calls = service.calls();
    for (const status of [301, 403, 403]) {
      const error = await caught(post(calls));
      expect(error).toBeInstanceOf(QuittanceConnectionError);
      expect(error).toMatchObject({ status });
    }
    expect(service.got.map(({ redirect }) => redirect)).toEqual(['manual', 'manual', 'manual']);
  });

  it('that the signal ended has the reason of the signal, also the last one', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    service.answers = [
      async () => {
        controller.abort(reason);
        throw LOST;
      },
    ];
    const options = { signal: controller.signal, retries: 0 };
    expect(await caught(post(service.calls(), true, options))).toBe(reason);
  });
});

describe('a call without a method here', () => {
  it.each([
    ['POST', {}, 1],
    ['POST', { 'Idempotency-Key': 'mine' }, 2],
    ['PUT', {}, 2],
    ['GET', {}, 2],
  ])('by %s with %j is sent again only if that does it once', async (method, headers, times) => {
    service.answers = [LOST];
    await caught(service.calls().fetch('/v1/things', { method, headers }));
    expect(service.got).toHaveLength(times);
  });
});

it('a version is sent as an entity tag', async () => {
  await post(service.calls(), true, { ifMatch: 3 });
  await post(service.calls(), true, { ifMatch: '*' });
  expect(service.got.map(({ headers }) => headers.get('If-Match'))).toEqual(['"3"', '*']);
});

describe('tokens', () => {
  it('are fetched once for calls at the same time, and kept', async () => {
    const calls = service.calls();
    await Promise.all(Array.from({ length: 20 }, async () => post(calls)));
    await post(calls);
    expect(service.tokens).toBe(1);
    const sent = new Set(service.got.map(({ headers }) => headers.get('Authorization')));
    expect([...sent]).toEqual(['Bearer token-1']);
  });

  it('are renewed before their end', async () => {
    service.tokenSeconds = 0.05;
    const calls = service.calls();
    await post(calls);
    await new Promise((resolve) => setTimeout(resolve, 60));
    await post(calls);
    expect(service.tokens).toBe(2);
  });

  it('are renewed once for all whose token was refused, who are then sent again', async () => {
    service.answers = [1, 2, 3].map(() => refused(401, 'invalid_token'));
    const calls = service.calls();
    const answers = await Promise.all([post(calls), post(calls), post(calls)]);
    expect(answers).toEqual([1, 2, 3].map(() => ({ done: true })));
    expect(service.tokens).toBe(2);
  });

  it('are not sent any more shortly before their end', async () => {
    const now = vi.spyOn(performance, 'now');
    try {
      now.mockReturnValue(0);
      let asked = 0;
      const tokens = new ClientTokens(async () => {
        asked += 1;
        return { access_token: `token-${asked}`, expires_in: 1800 };
      });
      expect(await tokens.current()).toBe('token-1');
      now.mockReturnValue(1_769_000);
      expect(await tokens.current()).toBe('token-1');
      now.mockReturnValue(1_771_000);
      expect(await tokens.current()).toBe('token-2');
    } finally {
      now.mockRestore();
    }
  });

  it('are not renewed for one that was refused late, when there is a newer one', async () => {
    let asked = 0;
    const tokens = new ClientTokens(async () => {
      asked += 1;
      return { access_token: `token-${asked}`, expires_in: 1800 };
    });
    const old = await tokens.current();
    expect(await tokens.another(old)).toBe('token-2');
    expect(await tokens.another(old)).toBe('token-2');
  });

  it('are renewed no second time for a call', async () => {
    service.answers = [refused(401, 'invalid_token'), refused(401, 'invalid_token')];
    expect(await caught(post(service.calls()))).toMatchObject({ code: 'invalid_token' });
    expect(service.got).toHaveLength(2);
  });

  it('are fetched on for the others when one of them leaves', async () => {
    const calls = service.calls();
    const controller = new AbortController();
    const leaving = caught(post(calls, true, { signal: controller.signal }));
    const staying = post(calls);
    controller.abort(new Error('gone'));
    expect(await leaving).toMatchObject({ message: 'gone' });
    expect(await staying).toEqual({ done: true });
  });

  it('may be brought by the caller', async () => {
    let brought = 0;
    const accessToken = async () => `mine-${(brought += 1)}`;
    service.answers = [refused(401, 'invalid_token')];
    await post(service.calls({ accessToken }));
    expect(service.got.map(({ headers }) => headers.get('Authorization'))).toEqual([
      'Bearer mine-1',
      'Bearer mine-2',
    ]);
    expect(service.tokens).toBe(0);
  });

  it('of the caller that were refused are not sent again', async () => {
    service.answers = [refused(401, 'invalid_token')];
    const error = await caught(post(service.calls({ accessToken: 'mine' })));
    expect(error).toMatchObject({ code: 'invalid_token' });
    expect(service.got).toHaveLength(1);
  });
});

it('a refusal has its fields', async () => {
  const errors = [{ pointer: '/amount', code: 'required', message: 'amount is missing' }];
  const body = {
    type: 't',
    title: 'T',
    status: 422,
    detail: 'Not so.',
    instance: '/v1',
    code: 'required',
    request_id: 'req_1',
    errors,
    limit: 3,
  };
  service.answers = [Response.json(body, { status: 422 })];
  const error = await caught(post(service.calls()));
  expect(error).toBeInstanceOf(RefusedCall);
  expect(error).toMatchObject({
    status: 422,
    code: 'required',
    errors,
    requestId: 'req_1',
    problem: body,
  });
  expect((error as Error).message).toBe('Not so. (required)\n  /amount: amount is missing');
});

describe('pauses', () => {
  it('grow, with a random part, to eight seconds', () => {
    for (const [failures, whole] of [
      [0, 250],
      [3, 2000],
      [5, 8000],
      [50, 8000],
    ] as const) {
      const ms = growingPauseMs(failures);
      expect(ms).toBeGreaterThanOrEqual(whole / 2);
      expect(ms).toBeLessThanOrEqual(whole);
    }
  });

  it('are at least what Retry-After asks, in seconds or as a date', () => {
    expect(askedPauseMs('5', 0)).toBeGreaterThanOrEqual(5000);
    expect(askedPauseMs('5', 0)).toBeLessThan(5200);
    const date = new Date(Date.now() + 10_000).toUTCString();
    expect(askedPauseMs(date, 0)).toBeGreaterThan(8000);
    expect(askedPauseMs('120', 0)).toBeUndefined();
    expect(askedPauseMs('soon', 0)).toBeLessThanOrEqual(250);
  });
});
