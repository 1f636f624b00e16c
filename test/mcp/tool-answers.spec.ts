import type { CallToolResult } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { failureResult, jsonResult, resultOf } from '../../src/cli/mcp/tool-answers.js';
import { RemoteSilent } from '../../src/cli/remote/remote-service.js';

const textsOf = ({ content }: CallToolResult) =>
  content.map((one) => (one.type === 'text' ? one.text : one.type));

function answered(status: number, type: string, body: string | Buffer, more: object = {}) {
  const headers = new Headers({ 'content-type': type, ...more });
  return resultOf({ status, headers, bytes: Buffer.from(body) }, { uri: 'https://q.example/x' });
}

describe('an answer', () => {
  it('of JSON is followed by its amounts in words', () => {
    const result = answered(200, 'application/json; charset=utf-8', '{"total":5,"currency":"JPY"}');
    expect(textsOf(result)).toEqual([
      '{"total":5,"currency":"JPY"}',
      'Amounts in words:\ntotal: 5 JPY = 5 JPY (five Japanese yen)',
    ]);
  });

  it('that is stored says that nothing was done again', () => {
    const replayed = answered(201, 'application/json', '{}', { 'idempotency-replayed': 'true' });
    expect(textsOf(replayed)[1]).toContain('nothing was done again');
  });

  it('of a file has its bytes, up to a size', () => {
    const { content } = answered(200, 'application/pdf', '%PDF-');
    expect(content[1]).toEqual({
      type: 'resource',
      resource: {
        uri: 'https://q.example/x',
        mimeType: 'application/pdf',
        blob: Buffer.from('%PDF-').toString('base64'),
      },
    });
    const large = textsOf(answered(200, 'application/pdf', Buffer.alloc(1_000_001)));
    expect(large).toEqual([expect.stringContaining('https://q.example/x')]);
  });

  it('of nothing, of text, and from elsewhere is told as what it is', () => {
    expect(textsOf(answered(204, 'text/plain', ''))[0]).toContain('Done');
    expect(textsOf(answered(200, 'text/csv', 'a;b'))).toEqual(['a;b']);
    expect(answered(302, 'text/html', '')).toMatchObject({ isError: true });
  });

  it('that refuses has code, sentence, fields and the rest', () => {
    const problem = {
      type: 'urn:x',
      title: 'x',
      status: 422,
      instance: '/x',
      code: 'validation_failed',
      detail: 'Two fields are wrong.',
      errors: [{ pointer: '/lines', code: 'required', message: 'lines is required.' }],
      request_id: 'req_1',
      limit: 20,
    };
    const result = answered(422, 'application/problem+json', JSON.stringify(problem), {
      'retry-after': '3',
    });
    expect(result.isError).toBe(true);
    expect(textsOf(result)).toEqual([
      '422 validation_failed: Two fields are wrong.\n/lines: required: lines is required.',
      '{"request_id":"req_1","limit":20}',
      'Try again in 3 s.',
    ]);
    expect(textsOf(answered(502, 'text/html', '<html>'))[0]).toContain('502 refused');
  });

  it('that did not come tells to repeat the key', () => {
    const result = failureResult(new RemoteSilent('https://q.example does not answer'));
    expect([result.isError, textsOf(result)[0]]).toEqual([
      true,
      expect.stringContaining('same idempotency_key'),
    ]);
    expect(() => failureResult(new TypeError('a mistake of ours'))).toThrow(TypeError);
  });
});

const entry = (index: number) => ({ id: `doc_${index}`, text: 'x'.repeat(1000) });
const shownIn = (result: CallToolResult) => JSON.parse(textsOf(result)[0] ?? '') as never;

describe('a large answer', () => {
  it('is a shorter list, with the way to the rest and without the place behind it', () => {
    const data = Array.from({ length: 100 }, (_, index) => entry(index));
    const result = jsonResult({ data, has_more: true, next_cursor: 'abc' });
    const [text = '', note] = textsOf(result);
    const shown = JSON.parse(text) as { data: object[] };
    expect(text.length).toBeLessThanOrEqual(40_000);
    expect(shown.data.length).toBeGreaterThan(30);
    expect(shown).not.toHaveProperty('next_cursor');
    expect(note).toBe(
      `Only ${shown.data.length} of 100 entries fit: ask again with limit ${shown.data.length}, then with the cursor of that answer.`,
    );
  });

  it('says how to go on where all of a page fits', () => {
    const result = jsonResult({ data: [entry(1)], has_more: true, next_cursor: 'abc' });
    expect(textsOf(result)[1]).toContain('cursor = next_cursor');
    expect(textsOf(jsonResult({ data: [entry(1)], next_cursor: null }))).toHaveLength(1);
  });

  it('of one thing has shorter lists in it', () => {
    const lines = Array.from({ length: 100 }, (_, index) => entry(index));
    const result = jsonResult({ data: [{ lines }] });
    expect(shownIn(result)).toMatchObject({ data: [{ lines: expect.any(Array) }] });
    expect(textsOf(result)[1]).toMatch(/^Only \d\d of 100 entries of data\[0\].lines fit.$/);
  });

  it('of one long text is cut, and says so', () => {
    const [text = ''] = textsOf(jsonResult({ text: 'x'.repeat(50_000) }));
    expect(text.length).toBeLessThan(40_200);
    expect(text).toContain('Cut here: 40000 of ');
    expect(textsOf(answered(200, 'text/csv', 'x'.repeat(50_000)))[0]).toContain('Cut here');
  });

  it('has so many amounts in words, and says how many it has not', () => {
    const data = Array.from({ length: 70 }, () => ({ amount: 1, currency: 'EUR' }));
    const [, amounts = ''] = textsOf(jsonResult({ data }));
    expect(amounts.split('\n')).toHaveLength(62);
    expect(amounts).toContain('and 10 more');
  });

  it('of a list leaves out what is null, and the actions of each document', () => {
    const one = {
      id: 'doc_1',
      number: null,
      available_actions: [{ action: 'void' }],
      lines: [{ sku: null }],
    };
    expect(shownIn(jsonResult({ data: [one, 'text'] }))).toEqual({
      data: [{ id: 'doc_1', lines: [{}] }, 'text'],
    });
    expect(shownIn(jsonResult(one))).toEqual(one);
  });
});
