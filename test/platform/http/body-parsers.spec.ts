import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonObject } from '../../../src/platform/http/body-parsers.js';
import type { HttpProblem } from '../../../src/platform/http/problem.js';

const read = (text: string | Buffer) => parseJsonObject(Buffer.from(text as string));

function refusalOf(text: string | Buffer): [number, string] | 'read' {
  try {
    read(text);
    return 'read';
  } catch (error) {
    const { status, code } = error as HttpProblem;
    return [status, code];
  }
}
const MALFORMED: [number, string] = [400, 'malformed_json'];

const nested = (depth: number, open = '{"a":', close = '}') =>
  `${open.repeat(depth - 1)}{}${close.repeat(depth - 1)}`;

describe('a JSON body', () => {
  it('is read as it was written', () => {
    const anObject = fc.dictionary(
      fc.string().filter((key) => !['__proto__', 'constructor'].includes(key)),
      fc.jsonValue({ maxDepth: 5, noUnicodeString: false }),
    );
    fc.assert(
      fc.property(anObject, (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/__proto__|constructor/.test(text));
        expect(JSON.stringify(read(text))).toBe(text);
      }),
    );
  });

  it('is an empty object when there is none', () => {
    expect(read('')).toEqual({});
    expect(parseJsonObject(undefined as unknown as Buffer)).toEqual({});
  });

  it.each([
    '[]',
    '[{}]',
    'null',
    '1',
    '"text"',
    'true',
    '{',
    '{}}',
    '{"a":1,}',
    "{'a':1}",
    ' ',
    '\0',
  ])('is one well-formed object, not %j', (text) => expect(refusalOf(text)).toEqual(MALFORMED));

  it.each([
    Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
    Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
    // A surrogate half and an overlong slash, both in UTF-8 form.
    Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from('{"a":1}', 'utf16le'),
  ])('is UTF-8, not %j', (bytes) => {
    expect(refusalOf(bytes)).toEqual(MALFORMED);
  });

  it.each([
    '{"__proto__":{"admin":true}}',
    '{"a":[{"__proto__":1}]}',
    '{"\\u005f_proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"admin":true}}}',
  ])('reaches no prototype: %s', (text) => {
    expect(refusalOf(text)).toEqual(MALFORMED);
    expect({}).not.toHaveProperty('admin');
  });

  it('is 32 levels deep at most, of objects and lists alike', () => {
    expect(refusalOf(nested(32))).toBe('read');
    expect(refusalOf(nested(33))).toEqual(MALFORMED);
    expect(refusalOf(nested(17, '{"a":[', ']}'))).toEqual(MALFORMED);
    expect(refusalOf(nested(100_000))).toEqual(MALFORMED);
    expect(refusalOf(`{"a":${'['.repeat(100_000)}`)).toEqual(MALFORMED);
  });

  it('may have as many brackets as it likes in its texts', () => {
    for (const text of ['['.repeat(100), '{"[{'.repeat(50), '\\"{{'.repeat(50), '\\'.repeat(3)]) {
      expect(read(JSON.stringify({ text, after: { text } }))).toEqual({ text, after: { text } });
    }
    const hidden = `{"a":"\\\\","b":${nested(33)}}`;
    expect(refusalOf(hidden)).toEqual(MALFORMED);
  });

  it('may begin with a byte order mark', () => {
    expect(read('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });
});
