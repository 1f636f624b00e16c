import { describe, expect, it, vi } from 'vitest';
import fc from 'fast-check';
import { parseJsonObject } from '../../../src/platform/http/body/json-body.js';
import { scanJson } from '../../../src/platform/http/body/json-scan.js';
import type { HttpProblem } from '../../../src/platform/http/problem.js';

const ROOM = { keys: 100_000, items: 100_000, depth: 32 };
const read = (text: string | Buffer, limits = ROOM) =>
  parseJsonObject(Buffer.from(text as string), limits);

function refusalOf(text: string | Buffer, limits = ROOM): [number, string] | 'read' {
  try {
    read(text, limits);
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
      fc.string().filter((key) => key !== '__proto__'),
      fc.jsonValue({ maxDepth: 5, noUnicodeString: false }),
    );
    fc.assert(
      fc.property(anObject, (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__') && slowly(text)?.odd === false);
        expect(JSON.stringify(read(text))).toBe(text);
      }),
    );
  });

  it('is an empty object when there is none', () => {
    expect(read('')).toEqual({});
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
    '{"a":{"\\u005F\\u005fproto\\u005f_":null}}',
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

  it('keeps its names, whatever names others sent before', () => {
    JSON.parse('{"order":"1","\\\\":"x"}');
    for (const name of ['é', 'a', '😀']) {
      const codes = Array.from({ length: name.length }, (_, at) => name.charCodeAt(at));
      const spelled = codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('');
      expect(read(`{"order":"2","${spelled}":"y"}`)).toEqual({ order: '2', [name]: 'y' });
    }
  });

  it.each(['\\\\', '\\"', '\\n', '\\u0000', '\\ud800', 'a\\\\b'])(
    'has names that can be written without escapes, not %s',
    (name) => expect(refusalOf(`{"metadata":{"${name}":"x"}}`)).toEqual(MALFORMED),
  );

  it('may begin with a byte order mark', () => {
    expect(read('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });
});

const TOO_COMPLEX: [number, string] = [400, 'body_too_complex'];
const DUPLICATE: [number, string] = [400, 'duplicate_key'];

function problemOf(text: string): HttpProblem {
  try {
    scanJson(text, ROOM);
  } catch (error) {
    return error as HttpProblem;
  }
  throw new Error('was not refused');
}

describe('a name that is said twice', () => {
  it.each<[string, string]>([
    ['{"amount":1,"amount":50}', '/amount'],
    ['{"amount":1,"\\u0061mount":50}', '/amount'],
    ['{"\\u0061mount":1,"a\\u006dount":50}', '/amount'],
    ['{"a":{"b":[{},{"c":1,"d":{"c":2},"c":3}]}}', '/a/b/1/c'],
    ['{"a":[[1,2,[{"x":1,"x":1}]]]}', '/a/0/2/0/x'],
    ['{"a~/b":1,"a~/b":1}', '/a~0~1b'],
    ['{"":1,"":1}', '/'],
    ['{"a":{"b":1},"c":"{\\"c\\":1}","c":1}', '/c'],
    ['{"\\ud83d\\ude00":1,"😀":1}', '/😀'],
  ])('is refused in %s', (text, pointer) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(refusalOf(text)).toEqual(DUPLICATE);
    const [error] = problemOf(text).members['errors'] as { pointer: string }[];
    expect(error?.pointer).toBe(pointer);
  });

  it.each([
    '{"a":1,"A":1}',
    '{"a":{"a":{"a":1}},"b":{"a":1}}',
    '{"a":[{"a":1},{"a":1}]}',
    '{"a":"a","b":"a"}',
    '{"a":"\\"a\\":1,\\"a\\"","b":"a"}',
    '{"é":1,"e\u0301":1}',
  ])('is not in %s', (text) => expect(read(text)).toEqual(JSON.parse(text)));

  it('is shown shortened', () => {
    const name = 'x'.repeat(100_000);
    const { detail, members } = problemOf(`{"${name}":1,"${name}":2}`);
    expect(JSON.stringify([detail, members]).length).toBeLessThan(500);
  });
});

describe('a JSON body that is too much', () => {
  it('has so many names, wherever they stand', () => {
    const limits = { ...ROOM, keys: 3 };
    expect(refusalOf('{"a":{"b":{"c":"d"}}}', limits)).toBe('read');
    expect(refusalOf('{"a":[{"b":1},{"b":1}]}', limits)).toBe('read');
    expect(refusalOf('{"a":[{"b":1},{"b":1},{"b":1}]}', limits)).toEqual(TOO_COMPLEX);
    expect(refusalOf('{"a":{"b":{"c":{"d":1}}}}', limits)).toEqual(TOO_COMPLEX);
  });

  it('has so many names that differ, whatever their spelling', () => {
    const limits = { ...ROOM, differentKeys: 2 };
    expect(refusalOf('{"a":[{"b":1},{"b":1},{"\\u0062":1}]}', limits)).toBe('read');
    expect(refusalOf('{"a":[{"b":1},{"b":1},{"c":1}]}', limits)).toEqual(TOO_COMPLEX);
  });

  it('has so many items, wherever they stand', () => {
    const limits = { ...ROOM, items: 4 };
    expect(refusalOf('{"a":[1,2,3,4]}', limits)).toBe('read');
    expect(refusalOf('{"a":[1,2,3,4,5]}', limits)).toEqual(TOO_COMPLEX);
    expect(refusalOf('{"a":[1,2],"b":[{"c":[1,",,,",{"d":1,"e":2}]}]}', limits)).toEqual(
      TOO_COMPLEX,
    );
    expect(refusalOf('{"a":[[],[]],"b":[1]}', limits)).toEqual(TOO_COMPLEX);
    expect(refusalOf(`{"a":[${'{},'.repeat(690_000)}{}]}`)).toEqual(TOO_COMPLEX);
  });

  it('is refused before anything is built of it', () => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      const text = Buffer.from(`{${'"a":1,'.repeat(10)}"b":[${'{},'.repeat(50_000)}{}]}`);
      expect(refusalOf(text)).toEqual(DUPLICATE);
      expect(refusalOf(`{"b":[${'1,'.repeat(200_000)}1]}`)).toEqual(TOO_COMPLEX);
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });
});

/** JSON in which names come twice, in several spellings. */
const { written } = fc.letrec<{ written: string }>((tie) => {
  const odd = fc.constantFrom('"\\\\"', '"\\""');
  const plain = fc.constantFrom('"a"', '"\\u0061"', '"b"', '"a:"');
  const name = fc.oneof({ weight: 20, arbitrary: plain }, { weight: 1, arbitrary: odd });
  const member = fc.tuple(name, tie('written')).map(([key, value]) => `${key} : ${value}`);
  return {
    written: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.constantFrom('1', '"a"', '":"', '","', 'null', '"\\u0061\\":"'),
      fc.array(member, { maxLength: 4 }).map((members) => `{${members.join(',')}}`),
      fc.array(tie('written'), { maxLength: 4 }).map((items) => `[${items.join(' ,')}]`),
    ),
  };
});

/** The same, and any value, with a few characters changed: most are no JSON any more. */
const aText = fc
  .tuple(
    fc.oneof(
      written.map((value) => `{"value":${value}}`),
      fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify({ value }, null, 1)),
    ),
    fc.oneof(
      fc.constant([]),
      fc.array(
        fc.tuple(fc.nat(), fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '1', 'a')),
        { maxLength: 3 },
      ),
    ),
  )
  .map(([text, changes]) =>
    changes.reduce((all, [at, by]) => {
      const place = at % all.length;
      return all.slice(0, place) + by + all.slice(place + 1);
    }, text),
  );

/**
 * The value that JSON.parse sees, and whether a name is there twice or cannot be written without
 * escapes. This is a second, slow reading of the text, each name by itself, because JSON.parse
 * mixes up escaped ones.
 */
function slowly(text: string): { value: unknown; doubled: boolean; odd: boolean } | null {
  let names = 0;
  let odd = false;
  try {
    JSON.parse(text);
    const plain = text.replaceAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g, (token, name: string, colon) => {
      if (colon === undefined) return token;
      names += 1;
      const spelled = JSON.stringify(JSON.parse(name));
      odd ||= spelled.includes('\\');
      return `${spelled}:`;
    });
    const value: unknown = odd ? null : JSON.parse(plain);
    // Each name that JSON.parse drops for a later one is missing.
    return { value, odd, doubled: !odd && names !== countOf(value) };
  } catch {
    return null;
  }
}

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, inner) => sum + countOf(inner), own);
}

const isAnObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

describe('the scan', () => {
  it('lets pass exactly what JSON.parse takes, without doubles, as the same value', () => {
    let [passed, refused, doubled] = [0, 0, 0];
    fc.assert(
      fc.property(aText, (text) => {
        fc.pre(!text.includes('__proto__'));
        const truth = slowly(text);
        const verdict = refusalOf(text);
        if (truth && isAnObject(truth.value) && !truth.doubled) {
          passed += 1;
          expect(verdict).toBe('read');
          expect(read(text)).toEqual(truth.value);
        } else {
          refused += 1;
          expect(verdict).not.toBe('read');
          if (!truth?.doubled) return;
          doubled += 1;
          expect(verdict).toEqual(DUPLICATE);
        }
      }),
      { numRuns: 2000 },
    );
    expect(passed).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
    expect(doubled).toBeGreaterThan(50);
  });

  it('counts what is there', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const body = { value };
        const text = JSON.stringify(body);
        fc.pre(!text.includes('__proto__') && slowly(text)?.odd === false);
        const keys = countOf(body);
        expect(refusalOf(text, { ...ROOM, keys })).toBe('read');
        expect(refusalOf(text, { ...ROOM, keys: keys - 1 })).toEqual(TOO_COMPLEX);
      }),
    );
  });
});
