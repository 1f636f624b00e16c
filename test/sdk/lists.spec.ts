import { expect, it, vi } from 'vitest';
import { Following } from '../../sdk/typescript/src/following.js';
import { QuittanceConnectionError, RefusedCall } from '../../sdk/typescript/src/failures.js';
import { framesOf } from '../../sdk/typescript/src/frames.js';
import { listed } from '../../sdk/typescript/src/pages.js';

async function allOf<Entry>(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

const streamOf = (...texts: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });

interface ListQuery {
  cursor?: string;
  after?: string;
  types?: string;
}

/** Numbers from a place on, two a page, as both kinds of lists have them. */
function pagesOf(asked: object[]) {
  return async (query: ListQuery) => {
    asked.push(query);
    const from = Number(query.after ?? query.cursor ?? 0);
    const data = [from + 1, from + 2].filter((number) => number <= 5);
    return { data, has_more: from + 2 < 5, next_cursor: String(from + data.length) };
  };
}

it.each(['cursor', 'after'])('a list goes on by %s, and ends with the last page', async (name) => {
  const asked: object[] = [];
  const query: ListQuery = name === 'after' ? { after: '0', types: 'a' } : { types: 'a' };
  const list = listed(query, pagesOf(asked));
  expect((await list).data).toEqual([1, 2]);
  const numbers: number[] = [];
  for await (const number of list) numbers.push(number);
  expect(numbers).toEqual([1, 2, 3, 4, 5]);
  expect(asked).toHaveLength(3);
  expect(asked.at(-1)).toMatchObject({ [name]: '4', types: 'a' });
});

it('frames are read across pieces of any size', async () => {
  const text =
    'id: 1\ndata: {"a":\ndata: "ü"}\n\nid: 2\n\n: comment\n\ndata: x\r\n\r\nid: 9\ndata: cut';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 7, 1000]) {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size)
          controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const frames = await allOf(framesOf(stream, 1000));
    expect(frames).toEqual([
      { id: '1', data: '{"a":\n"ü"}' },
      { id: '2', data: undefined },
      { id: undefined, data: undefined },
      { id: undefined, data: 'x' },
    ]);
  }
});

it('a stream that is silent is ended', async () => {
  const silent = new ReadableStream<Uint8Array>();
  expect(await allOf(framesOf(silent, 10))).toEqual([]);
});

it('following goes on at its place after lost, broken and refused connections', async () => {
  const places: string[] = [];
  const busy = { status: 503, code: 'starting', detail: '', request_id: '' } as never;
  const outcomes = [
    () => Promise.resolve(streamOf('id: a\n\n', 'id: b\ndata: 1\n\n', 'id: c\nda')),
    () => Promise.reject(new QuittanceConnectionError('lost')),
    () => Promise.reject(new RefusedCall(busy)),
    () => Promise.resolve(streamOf('id: c\ndata: 2\n\n', 'id: d\ndata: 3\n\n')),
  ];
  const open = async (after: string) => {
    places.push(after);
    return outcomes.shift()!();
  };
  const following = new Following<number>(open, 'now', undefined);
  const got: [number, string][] = [];
  for await (const number of following) {
    got.push([number, following.place]);
    if (number === 3) break;
  }
  expect(got).toEqual([
    [1, 'b'],
    [2, 'c'],
    [3, 'd'],
  ]);
  expect(places).toEqual(['now', 'b', 'b', 'b']);
});

const lost = async () => Promise.reject(new QuittanceConnectionError('lost'));

it('following pauses briefly again after a connection that brought something', async () => {
  const outcomes = [
    lost,
    lost,
    lost,
    async () => streamOf('id: a\n\n'),
    async () => streamOf('data: 1\n\n'),
  ];
  const delays: number[] = [];
  const { setTimeout: real } = globalThis;
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    work: () => void,
    ms: number,
  ) => {
    const isPause = ms < 10_000;
    if (isPause) delays.push(ms);
    return real(work, isPause ? 0 : ms);
  }) as typeof setTimeout);
  try {
    const following = new Following<number>(async () => outcomes.shift()!(), 'now', undefined);
    for await (const _ of following) break;
  } finally {
    timers.mockRestore();
  }
  expect(delays).toHaveLength(4);
  expect(delays[2]).toBeGreaterThanOrEqual(500);
  expect(delays[3]).toBeLessThanOrEqual(250);
});

it('following ends with a refusal that stays, and with its signal', async () => {
  const problem = { status: 409, code: 'history_changed', detail: '', request_id: '' } as never;
  const refusing = new Following(
    async () => Promise.reject(new RefusedCall(problem)),
    'x',
    undefined,
  );
  await expect(allOf(refusing)).rejects.toMatchObject({ code: 'history_changed' });
  const controller = new AbortController();
  const waiting = allOf(new Following(async () => new ReadableStream(), 'now', controller.signal));
  setTimeout(() => controller.abort(new Error('enough')), 10);
  await expect(waiting).rejects.toThrow('enough');
});
