import {
  neverEnds,
  type OpenApi,
  type Operation,
  resolved,
  type Schema,
} from '../e2e/schema-check.js';
import type { Chance } from '../../src/testing/chance.js';

/** One place of a body, and what stands there instead; `absent` takes it away. */
export type Edit = [pointer: string, odd: OddName | 'absent'];

/** The requests of an operation: a full one, and what is wrong in each of the others. */
export interface Asked {
  operation: string;
  method: string;
  /** With ids that nobody has. */
  path: string;
  /** Fields of the query; else of the body. */
  isQuery: boolean;
  full: unknown;
  edits: Edit[][];
}

const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;

/** Values that are wrong almost everywhere, by name. */
const ODD = {
  null: null,
  true: true,
  false: false,
  zero: 0,
  one: 1,
  minus_one: -1,
  fraction: 1.5,
  tiny: 1e-7,
  huge: 1e308,
  beyond_exact: 2 ** 53,
  beyond_amounts: 10_000_000_000_001,
  empty: '',
  blank: ' ',
  padded: '  EUR ',
  word: 'x',
  text_true: 'true',
  text_number: '12.345',
  small_number: '0.5',
  nul: 'a\0b',
  override: 'a\u202eb',
  lone_surrogate: 'a\ud800b',
  two_lines: 'a\nb',
  browser_lines: 'a\r\nb',
  line_separator: 'a\u2028b',
  clusters: '👩‍👩‍👧‍👦'.repeat(50),
  long_text: 'x'.repeat(2_500),
  longer_text: 'x'.repeat(70_000),
  comma_list: 'a,b',
  no_day: '2026-02-30',
  day: '2026-11-20',
  early_day: '1899-12-31',
  late_day: '2900-01-01',
  instant: '2026-11-20T10:15:00Z',
  local_instant: '2026-11-20T10:15:00',
  month: '2026-11',
  mail: 'a@b.example',
  two_mails: 'a@b.example, c@d.example',
  web: 'https://a.example/x',
  script: 'javascript:alert(1)',
  list: [],
  object: {},
  list_of_list: [[]],
  list_of_null: [null],
  list_of_object: [{}],
  list_of_text: ['a'],
  list_of_texts_and_number: ['a', 7],
  some: { a: 1 },
  texts: { a: 'b' },
  builtins: { toString: 1, constructor: {}, hasOwnProperty: 1 },
  prefixed_text: { '': 'x', ['k'.repeat(41)]: 'y' },
  objects: Array.from({ length: 1_200 }, () => ({})),
  numbers: Array.from({ length: 300 }, (_, index) => index),
  many_keys: Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`k${index}`, index])),
  nested: nested(31),
} as const;
type OddName = keyof typeof ODD;

const NAMES = Object.keys(ODD) as OddName[];
/** A query has texts only. */
const TEXT_NAMES = NAMES.filter((name) => typeof ODD[name] === 'string');
const IDS = '00000000000000000000000000';

/** For each operation with a body or a query: every place once with one odd value, and mixtures. */
export function askedOf(document: OpenApi, chance: Chance): Asked[] {
  const asked: Asked[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const of = { operation: nameOf(operation), method: method.toUpperCase(), path: filled(path) };
      const body = operation.requestBody?.content['application/json']?.schema;
      if (body) {
        const full = exampleOf(document, body);
        asked.push({ ...of, isQuery: false, full, edits: editsOf(full, NAMES, chance) });
      }
      const query = (operation.parameters ?? []).filter((one) => one.in === 'query');
      if (query.length === 0 || neverEnds(operation)) continue;
      const full = Object.fromEntries(
        query.map(({ name, schema }) => [name, textOf(exampleOf(document, schema))]),
      );
      asked.push({ ...of, isQuery: true, full, edits: editsOf(full, TEXT_NAMES, chance) });
    }
  }
  return asked;
}

const nameOf = ({ operationId }: Operation) => operationId ?? '';
const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name + IDS);
const textOf = (value: unknown) =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.join(',')
      : JSON.stringify(value);

function editsOf(full: unknown, names: readonly OddName[], chance: Chance): Edit[][] {
  const places = placesIn(full);
  if (places.length === 0) return [[], [['/no_such_field', 'one']]];
  const one = (): Edit => [chance.of(places), chance.isIn(15) ? 'absent' : chance.of(names)];
  const alone = places.flatMap((place): Edit[][] => [
    [[place, 'absent']],
    ...(names.includes('null') ? ([[[place, 'null']]] as Edit[][]) : []),
    [[place, chance.of(names)]],
    [[place, chance.of(names)]],
  ]);
  const unknown: Edit[] = [[`${chance.of(['', ...places.filter(isInner)])}/no_such_field`, 'one']];
  const mixed = Array.from({ length: 12 }, () =>
    Array.from({ length: 2 + chance.below(6) }, one).toSorted(deepestFirst),
  );
  return [[], unknown, ...alone, ...mixed];

  function isInner(place: string): boolean {
    const value = at(full, place);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  }
}

const deepestFirst = ([one]: Edit, [other]: Edit) => other.length - one.length;

/** Pointers of all parts of a value, its fields first. */
function placesIn(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const here = `${pointer}/${name}`;
    return [here, ...placesIn(part, here)];
  });
}

function at(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce((part: unknown, step) => (part as Record<string, unknown>)?.[step], value);
}

/** The full body with its edits. */
export function edited(full: unknown, edits: readonly Edit[]): unknown {
  const copy = structuredClone(full);
  for (const [pointer, odd] of edits) {
    const [, above = '', name = ''] = /^(.*)\/([^/]*)$/.exec(pointer) ?? [];
    const parent = at(copy, above) as Record<string, unknown> | undefined;
    if (typeof parent !== 'object' || parent === null) continue;
    if (odd === 'absent' && Array.isArray(parent)) parent.pop();
    else if (odd === 'absent') delete parent[name];
    else parent[name] = ODD[odd];
  }
  return copy;
}

/** A value with all of its fields, from examples where they are. */
function exampleOf(document: OpenApi, given: Schema | undefined, depth = 0): unknown {
  const schema = given?.$ref ? (resolved(document, given.$ref) as Schema) : given;
  if (!schema || depth > 6) return {};
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, of]) => [
        name,
        exampleOf(document, of, depth + 1),
      ]),
    );
  }
  if (schema.example !== undefined) return schema.example;
  const [first] = schema.allOf ?? schema.oneOf ?? schema.anyOf ?? [];
  if (first) return exampleOf(document, first, depth);
  if (schema.enum) return schema.enum[0];
  const type = [schema.type].flat()[0];
  if (type === 'array') return [exampleOf(document, schema.items, depth + 1)];
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1);
  if (type === 'boolean') return true;
  if (type === 'object') return schema.additionalProperties ? { key: 'value' } : {};
  const texts: Record<string, string> = { date: ODD.day, 'date-time': ODD.instant };
  return texts[schema.format ?? ''] ?? 'x'.repeat(Math.max(schema.minLength ?? 3, 1));
}
