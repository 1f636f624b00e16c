import { afterAll, beforeAll, expect, it } from 'vitest';
import fc from 'fast-check';
import { requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { DOCUMENTS, closeWithBooks, pathOf } from './document-calls.js';

// Every body is done or refused, whatever it says: never a 5xx. Valid bodies with something wrong
// in them reach deeper than nonsense does.

const RUNS = 500;

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

const BODY = {
  ...requestFor(),
  kind: 'invoice',
  proforma: false,
  currency: 'EUR',
  lines: [
    {
      description: 'A',
      quantity: '1.5',
      unit: 'HUR',
      unit_amount: 1000,
      tax_rate: '19',
      tax_category: 'S',
      discounts: [{ percent: '5', reason: 'x' }],
      charges: [{ amount: 3 }],
    },
    {
      description: 'B',
      unit_amount_decimal: '12.345678901234'.slice(0, 12),
      tax_category: 'E',
      tax_exemption_reason: 'Exempt',
      tax_exemption_code: 'VATEX-EU-132-1I',
      service_period: { start: '2026-11-01', end: '2026-11-30' },
      order_line: '10',
      buyer_item_id: 'B-1',
      standard_item_id: { scheme: '0160', value: '4012345678901' },
      classifications: [{ list: 'STI', code: '72000000-5', version: '2008' }],
    },
  ],
  discounts: [{ percent: '10' }, { amount: 7 }],
  charges: [{ amount: 50, tax_rate: '7', tax_category: 'S' }],
  prices_include_tax: true,
  cash_rounding: 5,
  issue_date: '2026-11-20',
  due_date: '2026-12-20',
  purchase_order: 'PO',
  supply_date: '2026-11-19',
  service_period: { start: '2026-11-01', end: '2026-11-30' },
  delivery: { name: 'Depot', address: ['Hof 1'], city: 'Bonn', country: 'DE' },
  buyer_reference: '04011000-12345-03',
  project_reference: 'P-17',
  contract_reference: 'V-4711',
  sales_order: 'SO-1',
  despatch_reference: 'LS-1',
  payment_means_code: '58',
  tax_representative: { name: 'Fiskal GmbH', tax_id: 'DE123456789', country: 'DE' },
  payee: { name: 'Factoring AG', id: 'F-1', registration_id: 'HRB 1' },
  notes: 'n',
  language: 'de',
  metadata: { a: 'b' },
  issue: true,
};

/** Bodies that each write route takes. */
const ROUTES: Record<string, { body: object; send(body: unknown): Promise<number> }> = {
  create: { body: BODY, send: async (body) => (await client.post(DOCUMENTS, body)).status },
  preview: {
    body: BODY,
    send: async (body) => (await client.post(`${DOCUMENTS}/preview`, body)).status,
  },
  patch: {
    body: Object.fromEntries(
      Object.entries(BODY).filter(([name]) => !['kind', 'proforma', 'issue'].includes(name)),
    ),
    send: async (body) => {
      const draft = await client.anInvoice({ issue: false });
      return (await client.patch(pathOf(draft), body)).status;
    },
  },
  ...Object.fromEntries(
    ['revise', 'duplicate', 'convert'].map((step) => [
      step,
      {
        body: { issue_date: '2026-11-20', due_date: '2026-12-20', issue: true },
        send: async (body: unknown) => {
          const quote = await client.aQuote({ cash_rounding: 5, discount: { percent: '3' } });
          return (await client.post(pathOf(quote, step), body)).status;
        },
      },
    ]),
  ),
  'credit-notes': {
    body: {
      lines: [{ position: 1, quantity: '0.5' }, { position: 2, amount: 5 }, { position: 3 }],
      issue_date: '2026-11-20',
      notes: 'n',
      metadata: { a: 'b' },
    },
    send: async (body) => {
      const invoice = await client.anInvoice({
        issue_date: '2026-11-20',
        lines: 3,
        cash_rounding: 5,
        discount: { percent: '7.5' },
        charges: [{ amount: 99, tax_rate: '7' }],
      });
      return (await client.post(pathOf(invoice, 'credit-notes'), body)).status;
    },
  },
  'write-off': {
    body: { reason: 'r' },
    send: async (body) =>
      (await client.post(pathOf(await client.anInvoice(), 'write-off'), body)).status,
  },
  issue: {
    body: {},
    send: async (body) =>
      (await client.post(pathOf(await client.anInvoice({ issue: false }), 'issue'), body)).status,
  },
  void: {
    body: {},
    send: async (body) =>
      (await client.post(pathOf(await client.anInvoice(), 'void'), body)).status,
  },
};

type Path = (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    pathsOf(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return [path, ...inner];
}

/** A copy with another value at the path. */
function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  if (typeof value !== 'object' || value === null) return value;
  const member = replaced((value as Record<string, unknown>)[name], rest, by);
  if (Array.isArray(value)) return value.map((one, index) => (index === name ? member : one));
  return { ...value, [name]: member };
}

const SHARP: unknown[] = [
  undefined,
  null,
  '',
  ' ',
  '0',
  '-0',
  '-1',
  '1e3',
  '0.000001',
  '0.0000000000001',
  '100',
  '1000',
  '9'.repeat(30),
  'NaN',
  0,
  -1,
  1,
  5,
  0.1,
  1e13,
  1e13 + 1,
  1e21,
  1e300,
  Number.MAX_SAFE_INTEGER,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  [{}],
  { toString: 1 },
  { length: 3 },
  '\0',
  '\ud800',
  '\u001b',
  '2026-02-30',
  '2899-12-31',
  '1900-01-01',
  '0001-01-01',
  'XXX',
  'JPY',
  'KWD',
  'quote',
  'credit_note',
  'S',
  'Z',
  'AE',
  'O',
  'L',
  'x'.repeat(6000),
  `cus_${'z'.repeat(26)}`,
  'constructor',
  '__proto__',
  '😀'.repeat(500),
];

const anything = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...SHARP) },
  { weight: 1, arbitrary: fc.jsonValue() as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.double() },
);

const mutated = fc.constantFrom(...Object.keys(ROUTES)).chain((route) => {
  const body = ROUTES[route]?.body ?? {};
  const change = fc.tuple(fc.constantFrom(...pathsOf(body)), anything);
  return fc.record({
    route: fc.constant(route),
    body: fc
      .array(change, { minLength: 0, maxLength: 3 })
      .map((changes) => changes.reduce<unknown>((b, [path, by]) => replaced(b, path, by), body)),
  });
});

it.each(Object.keys(ROUTES))('%s takes its body as it is', async (route) => {
  expect(await ROUTES[route]?.send(ROUTES[route].body)).toBeLessThan(300);
});

it(`never gives a 5xx, in ${RUNS} bodies`, async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(mutated, async ({ route, body }) => {
      const status = (await ROUTES[route]?.send(body ?? null)) ?? 0;
      seen.set(
        `${Math.floor(status / 100)}xx`,
        (seen.get(`${Math.floor(status / 100)}xx`) ?? 0) + 1,
      );
      expect(status).toBeGreaterThanOrEqual(200);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: RUNS },
  );
  // Both happen often enough: neither only nonsense nor only what is well-formed was sent.
  expect([...seen.keys()].sort()).toEqual(['2xx', '4xx']);
  expect(Math.min(...seen.values())).toBeGreaterThan(RUNS / 20);
});
