import { neverEnds, type OpenApi, type Operation, type Schema } from '../e2e/schema-check.js';
import type { Shot } from './attacker.js';
import type { Chance } from '../../src/testing/chance.js';

/** The parts of the attacked account that a request may use. */
export interface Known {
  /** Fresh when the one before is over. */
  bearer(): Promise<string>;
  documentIds: string[];
  portalTokens: string[];
  linkIds: string[];
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const LONG = 'x'.repeat(70_000);
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  'a\u0001b',
  'a\u000bb',
  'a\ufffeb',
  '\ud800',
  'a\udfff',
  '\u202eabc\u202c',
  'a\u0301'.repeat(300),
  '👩‍👩‍👧‍👦'.repeat(50),
  '\ufeff',
  "'; DROP TABLE documents; --",
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '${7*7}{{7*7}}',
  '=1+1',
  '１２３',
  'ﬀ',
  'İ',
  '%00%ff',
  '\r\nX-Injected: 1',
  'NaN',
  '0x10',
  '1e3',
  '9'.repeat(400),
  '0.' + '1'.repeat(200),
  '2026-02-30',
  '0000-00-00',
  '+275760-09-13',
  LONG,
];
const VALUES: readonly unknown[] = [
  ...TEXTS,
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e-7,
  1e308,
  -1e308,
  2 ** 53,
  10_000_000_000_001,
  [],
  {},
  [[]],
  [null],
  [{}],
  { a: 1 },
  { toString: 1, constructor: {}, hasOwnProperty: 1 },
  Array.from({ length: 1_200 }, () => ({})),
  Array.from({ length: 300 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`k${index}`, index])),
  JSON.parse(nested(31)),
];
/** Texts that no database, or no XML, can hold. */
const UNSTORABLE = ['a\0b', 'a\u0001b', 'a\u000bb', 'a\ufffeb', 'a\ud800b', 'a\u202eb'];
const TYPES = [
  'text/plain',
  'application/xml',
  'text/csv',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json, text/plain',
  'application/problem+json',
  'image/png',
  ';',
  '',
];
const HEADERS: [string, string][] = [
  ['Idempotency-Key', 'k'],
  ['Idempotency-Key', 'x'.repeat(300)],
  ['Idempotency-Key', 'ü'],
  ['Idempotency-Key', ''],
  ['If-Match', '"1"'],
  ['If-Match', '"'],
  ['If-Match', `${'"a",'.repeat(2_000)}x`],
  ['If-Match', '*'],
  ['X-Request-Id', '<script>'],
  ['X-Request-Id', 'x'.repeat(1_000)],
  ['Accept', 'text/html'],
  ['Accept', 'image/*;q=0'],
  ['Accept-Language', ','.repeat(3_000)],
  ['Accept-Language', 'de-' + 'a'.repeat(3_000)],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'identity, br'],
  ['Expect', '100-continue'],
  ['X-Forwarded-For', '127.0.0.1, '.repeat(200)],
  ['Range', 'bytes=0-1,5-9'],
  ['If-None-Match', '"x"'],
  ['Origin', 'null'],
  ['X-HTTP-Method-Override', 'DELETE'],
];

/** Requests for every operation of an OpenAPI document, in turn, each wrong in some ways. */
export class Bodies {
  private readonly operations: { path: string; method: string; operation: Operation }[];

  constructor(
    private readonly document: OpenApi,
    private readonly chance: Chance,
    private readonly known: Known,
  ) {
    const all = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );
    this.operations = all.filter(({ operation }) => !neverEnds(operation));
    if (this.operations.length === 0) throw new Error('the OpenAPI document has no operation');
  }

  async *shots(count: number): AsyncGenerator<Shot> {
    for (let at = 0; at < count; at += 1) {
      const { path, method, operation } = this.operations[at % this.operations.length]!;
      yield await this.shot(path, method.toUpperCase(), operation);
    }
  }

  /**
   * For every operation with a JSON body: each field of it, at any depth, as null and as text that
   * nobody can store.
   * @param isWhole every text at every place; else one at each
   */
  async *fields(isWhole: boolean): AsyncGenerator<Shot> {
    for (const { path, method, operation } of this.operations) {
      const schema = operation.requestBody?.content?.['application/json']?.schema;
      if (!schema) continue;
      const plain = this.plain(schema, 0, 100);
      const texts = UNSTORABLE.map((odd) => eachPlace(plain, odd));
      const some = (texts[0] ?? []).map((_, at) => texts[at % texts.length]?.[at]);
      for (const body of [...eachPlace(plain, null), ...(isWhole ? texts.flat() : some)]) {
        yield {
          operation: operation.operationId ?? `${method} ${path}`,
          method: method.toUpperCase(),
          path: this.pathOf(path),
          headers: [['Content-Type', 'application/json'], ...(await this.bearerFor(operation))],
          body: Buffer.from(JSON.stringify(body)),
        };
      }
    }
  }

  /** None where it is not wanted: a token call would be refused for it before its body is read. */
  private async bearerFor({ security }: Operation): Promise<Shot['headers']> {
    if (!security?.length) return [];
    return [['Authorization', `Bearer ${await this.known.bearer()}`]];
  }

  private async shot(path: string, method: string, operation: Operation): Promise<Shot> {
    const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    const hasBody = type !== undefined ? !this.chance.isIn(3) : this.chance.isIn(5);
    const body = hasBody ? this.bodyOf(media?.schema) : undefined;
    return {
      operation: operation.operationId ?? `${method} ${path}`,
      method,
      path: this.pathOf(path) + this.queryOf(operation),
      headers: await this.headersOf(operation, hasBody ? (type ?? 'application/json') : undefined),
      ...(body && { body }),
    };
  }

  private pathOf(path: string): string {
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (this.chance.isIn(15))
        return encodeURIComponent(this.oddText().slice(0, 3_000).toWellFormed());
      if (this.chance.isIn(5))
        return this.chance.of(['%', '%ff', '%00', '..', '%2e%2e%2f', 'a%2fb', ';', '%E0%A4%A']);
      if (/gateway/.test(name))
        return this.chance.of(['gateway-a', 'gateway-b', 'sandbox', 'none']);
      if (/token/.test(name) && !/tokens\//.test(path))
        return this.chance.of([...this.known.portalTokens, 'x']);
      if (/links/.test(path))
        return this.chance.of([...this.known.linkIds, ...this.known.documentIds]);
      return this.chance.of([...this.known.documentIds, 'doc_x', 'cus_00000000000000000000000000']);
    });
  }

  private queryOf(operation: Operation): string {
    const parts = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query' && this.chance.isIn(40))
      .map(({ name, schema }) => [
        name,
        this.chance.isIn(50) ? this.oddText() : this.plain(schema),
      ]);
    if (this.chance.isIn(5)) parts.push(['no_such_parameter', 'x']);
    if (this.chance.isIn(5) && parts[0]) parts.push(parts[0]);
    const said = parts.map(([name, value]) => {
      const text = (typeof value === 'string' ? value : JSON.stringify(value)) ?? '';
      return `${name}=${encodeURIComponent(text.slice(0, 3_000).toWellFormed())}`;
    });
    const all = said.join('&') + (this.chance.isIn(3) ? '&limit=%ff&cursor=%' : '');
    return all && `?${all}`;
  }

  private async headersOf(
    operation: Operation,
    type: string | undefined,
  ): Promise<Shot['headers']> {
    const headers: Shot['headers'] = [];
    if (operation.security?.length && !this.chance.isIn(4)) {
      const token = this.chance.isIn(3) ? this.oddBearer() : await this.known.bearer();
      headers.push(['Authorization', `Bearer ${token}`]);
      if (this.chance.isIn(1)) headers.push(['Authorization', 'Bearer x']);
    }
    if (type !== undefined && !this.chance.isIn(2)) {
      headers.push(['Content-Type', this.chance.isIn(5) ? this.chance.of(TYPES) : type]);
    }
    while (this.chance.isIn(20)) headers.push(this.chance.of(HEADERS));
    // A server would not see what Node does not send.
    return headers.map(([name, value]) => [name, value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')]);
  }

  private oddBearer(): string {
    return this.chance.of([
      '',
      'x',
      'a.b.c',
      'eyJhbGciOiJub25lIn0.e30.',
      'x'.repeat(8_000),
      '\u00ff',
    ]);
  }

  private oddText(): string {
    return this.chance.of(TEXTS);
  }

  /** JSON that is wrong in what it says or in how it is written. */
  private bodyOf(schema: Schema | undefined): Buffer {
    const value = this.plain(schema);
    const wrong = this.wronged(value, schema);
    const text = JSON.stringify(wrong) ?? 'undefined';
    const odd = this.chance.below(60);
    if (odd === 0) return Buffer.from(text.slice(0, this.chance.below(text.length)));
    if (odd === 1) return Buffer.from(text.replace(/^\{("[^"]*":)/, '{$11,$1'));
    if (odd === 2) return Buffer.from(text, 'utf16le');
    if (odd === 3) return Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])]);
    if (odd === 4) return Buffer.from(`\ufeff${text}`);
    if (odd === 5) return Buffer.from(text.replaceAll(/\d+/g, '1E400'));
    if (odd === 6) return Buffer.from(text.replace('{', '{"__proto__":{"a":1},'));
    if (odd === 7) return Buffer.from(text.replace('{', '{"constructor":{"prototype":{"a":1}},'));
    if (odd === 8) return Buffer.from(nested(5_000));
    if (odd === 9) return Buffer.from(`{"a":${nested(40)}}`);
    if (odd === 10)
      return Buffer.from(
        this.chance.of(['null', '1', '"a"', '[]', '', '\0', '{]', '{"a":1,}', "{'a':1}"]),
      );
    if (odd === 11) return Buffer.from(`{${'"a":1,'.repeat(3_000)}"a":2}`);
    if (odd === 12) return Buffer.from(text.replaceAll('"', '\\"'));
    if (odd === 13) return Buffer.from(text.replace('{', '{"\\ud800":1,'));
    return Buffer.from(text);
  }

  /**
   * A value as the schema has it, from its example where it has one.
   * @param share percent of the optional fields
   */
  private plain(given: Schema | undefined, depth = 0, share = 40): unknown {
    const name = given?.$ref?.replace('#/components/schemas/', '');
    const schema = name === undefined ? given : this.document.components.schemas[name];
    if (!schema || depth > 6) return {};
    const [first] = schema.allOf ?? schema.oneOf ?? schema.anyOf ?? [];
    if (first) return this.plain(first, depth + 1, share);
    const isExample = schema.example !== undefined && !(share === 100 && schema.properties);
    if (isExample && this.chance.isIn(80)) return schema.example;
    if (schema.enum) return this.chance.of(schema.enum);
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    if (type === 'array') return [this.plain(schema.items, depth + 1, share)];
    if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
    if (type === 'boolean') return this.chance.isIn(50);
    if (type === 'string')
      return schema.format === 'date' ? '2026-11-20' : 'x'.repeat(schema.minLength ?? 3);
    const required = new Set(schema.required);
    const fields = Object.entries(schema.properties ?? {}).filter(
      ([name]) => required.has(name) || this.chance.isIn(share),
    );
    return Object.fromEntries(fields.map(([name, of]) => [name, this.plain(of, depth + 1, share)]));
  }

  /** The same with some of its parts replaced, taken away or added, anywhere in it. */
  private wronged(value: unknown, schema: Schema | undefined): unknown {
    if (this.chance.isIn(8)) return this.chance.of(VALUES);
    if (Array.isArray(value)) return value.map((item) => this.wronged(item, schema?.items));
    if (typeof value !== 'object' || value === null) return value;
    const parts = Object.entries(value).flatMap(([name, part]) => {
      if (this.chance.isIn(4)) return [];
      return [[name, this.wronged(part, schema?.properties?.[name])] as const];
    });
    if (this.chance.isIn(8)) parts.push([this.oddText(), this.chance.of(VALUES)]);
    return Object.fromEntries(parts);
  }
}

/** The value with the odd one at each of its places in turn. */
function eachPlace(value: unknown, odd: unknown): unknown[] {
  if (Array.isArray(value)) return [[odd], ...eachPlace(value[0], odd).map((first) => [first])];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [
    { ...value, [name]: odd },
    ...eachPlace(part, odd).map((inner) => ({ ...value, [name]: inner })),
  ]);
}
