import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  exactValueOf,
  type JsonElement,
  jsonElements,
  rowOfElement,
} from '../../src/cli/migration/json-elements.js';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'quittance-json-'))));
afterAll(() => rmSync(folder, { recursive: true }));

async function elementsOf(text: string): Promise<JsonElement[]> {
  const path = join(folder, 'export.json');
  writeFileSync(path, text);
  const elements: JsonElement[] = [];
  for await (const element of jsonElements(path)) elements.push(element);
  return elements;
}

describe('elements of a JSON file', () => {
  it('come with field, place and line, and fields that are no list as they are', async () => {
    const text =
      '\uFEFF{"has_more": false,\n "data": [{"a": "]}"},\n  [1, {"b": 2}], 3],"x":{"y":[1]}}';
    expect(await elementsOf(text)).toEqual([
      { field: 'has_more', index: null, line: 1, text: 'false' },
      { field: 'data', index: 0, line: 2, text: '{"a": "]}"}' },
      { field: 'data', index: 1, line: 3, text: '[1, {"b": 2}]' },
      { field: 'data', index: 2, line: 3, text: '3' },
      { field: 'x', index: null, line: 3, text: '{"y":[1]}' },
    ]);
  });

  it('go on over several pages, and may be a list alone', async () => {
    const pages = await elementsOf('{"data":[1]}\n{"data":[2]}');
    expect(pages.map(({ index, text }) => [index, text])).toEqual([
      [0, '1'],
      [1, '2'],
    ]);
    expect(await elementsOf('["a\\"]", {}]')).toEqual([
      { field: '', index: 0, line: 1, text: '"a\\"]"' },
      { field: '', index: 1, line: 1, text: '{}' },
    ]);
    expect(await elementsOf('')).toEqual([]);
  });

  it('are the same wherever the file is cut into chunks', async () => {
    const one = `{"name":"ä\\\\","amount":1.50,"text":"${'x'.repeat(70_000)}"}`;
    const found = await elementsOf(`{"data":[${one},\n${one}]}`);
    expect(found.map(({ text, line }) => [text === one, line])).toEqual([
      [true, 1],
      [true, 2],
    ]);
  });

  it.each(['{"data":[{"a":1}', '{"data":[{"a":"x', '{"data"', '['])(
    'end with the file: %s is told',
    async (text) => {
      await expect(elementsOf(text)).rejects.toThrow('the file ends in the middle');
    },
  );

  it.each(['x', '{x', '{"a" 1}', 'id,name\n'])('are of JSON alone: %s is told', async (text) => {
    await expect(elementsOf(text)).rejects.toThrow('is no JSON here');
  });

  it('have a largest size, so that no file is in memory whole', async () => {
    await expect(elementsOf(`{"data":["${'x'.repeat(17 * 1024 * 1024)}"]}`)).rejects.toThrow(
      'export.json:1 an element has more than 16 MB',
    );
  });
});

describe('values of an element', () => {
  it('have numbers as they were written', () => {
    const text = '{"a":0.1,"b":-9007199254740993.10,"c":"1.0\\"2","d":[1e3,true,null]}';
    expect(exactValueOf(text)).toEqual({
      a: '0.1',
      b: '-9007199254740993.10',
      c: '1.0"2',
      d: ['1e3', true, null],
    });
  });

  it('are told where they are no JSON, or no object', () => {
    expect(() => rowOfElement('{"a":}')).toThrow('this is no JSON');
    expect(() => rowOfElement('[1]')).toThrow('this is no object');
  });
});
