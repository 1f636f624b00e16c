import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../support/problems.js';
import { AT_WEBHOOKS } from '../../../src/platform/http/request-refusals.js';
import { aCamt053, bankFixture } from '../../support/bank-files.js';
import type { TestClient } from '../../support/client.js';
import { type Answer, observers } from '../../support/http.js';
import { aPng } from '../../support/images.js';
import { startTestService, type TestService } from '../../support/service.js';
import { ENTRIES, entriesOf, importFile, STATEMENTS } from '../bank/bank-calls.js';
import { routesOf } from '../routes.js';
import {
  expectAsDescribed,
  type OpenApi,
  type Operation,
  resolved,
  type Response,
  type Schema,
} from '../schema-check.js';

// The OpenAPI 3.1 document: whole, true to the routes, and true to what they answer.

/** Routes for browsers, which no client of the API calls. */
const NOT_DESCRIBED =
  /^\/($|robots\.txt|favicon\.ico|docs|mail|v1\/openapi(-3\.0)?\.json|v1\/sandbox\/[:{]|v1\/portal\/return\/)/;

/**
 * A PUT by the caller's own id makes the thing or replaces it; providers want their own words; a
 * check that is asked for during one is that one.
 */
const ANSWERS_IN_TWO_WAYS = /^PUT .*by-external-id|\/webhooks\/\{gateway\}$|\/integrity\/runs$/;

/** With each of its parts, so that each is looked at. */
const SELLER = {
  address: ['A'],
  tax_ids: [{ type: 'a', value: 'b' }],
  electronic_address: { scheme: '0088', value: '4012345000009' },
  bank_accounts: [{ iban: 'NL91ABNA0417164300' }],
};

let service: TestService;
let client: TestClient;
let document: OpenApi;
let operations: { name: string; path: string; method: string; operation: Operation }[];
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  const answer = await service.call<OpenApi>('/v1/openapi.json');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ]);
  document = answer.body;
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  );
});
afterAll(() => service.close());

function everyObject(
  value: unknown,
  see: (object: Record<string, unknown>, at: string) => void,
  at = '#',
) {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) see(value as Record<string, unknown>, at);
  for (const [key, inner] of Object.entries(value)) everyObject(inner, see, `${at}/${key}`);
}

/** Names of the operations for which `test` finds something wrong. */
const wrong = (test: (found: (typeof operations)[number]) => boolean) =>
  operations.filter(test).map(({ name }) => name);

const named = ({ operation }: { operation: Operation }) =>
  (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'path' && parameter.required && parameter.schema)
    .map(({ name }) => name);

const success = ({ operation }: { operation: Operation }) =>
  Object.entries(operation.responses).filter(([status]) => /^2\d\d$/.test(status));

describe('the OpenAPI document', () => {
  it('is 3.1, titled and not small', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info.title).toBe('Quittance');
    expect(document.info.version).toMatch(/./);
    expect(operations.length).toBeGreaterThan(25);
  });

  it('describes every route of the router, and no other', () => {
    const routed = routesOf(service.app)
      .filter(({ path }) => !NOT_DESCRIBED.test(path))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(operations.map(({ name }) => name).sort()).toEqual([...new Set(routed)].sort());
  });

  it('has no reference to nowhere, and no schema that is never used', () => {
    const used = new Set<string>();
    everyObject(document, ({ $ref }) => typeof $ref === 'string' && used.add($ref));
    expect(used.size).toBeGreaterThan(10);
    expect([...used].filter((ref) => !resolved(document, ref))).toEqual([]);
    const named = Object.keys(document.components.schemas);
    expect(named.filter((name) => !used.has(`#/components/schemas/${name}`))).toEqual([]);
  });

  it('has nothing left of 3.0', () => {
    const left: string[] = [];
    everyObject(document, (object, at) => {
      const isProperties = at.endsWith('/properties');
      for (const key of ['nullable', 'x-route', 'x-name']) {
        if (!isProperties && key in object) left.push(`${at}/${key}`);
      }
      if (typeof object['exclusiveMinimum'] === 'boolean') left.push(at);
    });
    expect(left).toEqual([]);
  });

  it('names and sums up each operation', () => {
    expect(wrong(({ operation }) => !/^[a-z]\w+$/.test(operation.operationId ?? ''))).toEqual([]);
    expect(wrong(({ operation }) => !/\w/.test(operation.summary ?? ''))).toEqual([]);
    expect(wrong(({ operation }) => !operation.tags?.length)).toEqual([]);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('describes each parameter of a path', () => {
    expect(
      wrong((found) => {
        const placed = [...found.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        return placed.join() !== named(found).join();
      }),
    ).toEqual([]);
  });

  it('says what each operation answers when it succeeds', () => {
    const several = wrong((found) => success(found).length !== 1);
    expect(several.filter((name) => !ANSWERS_IN_TWO_WAYS.test(name))).toEqual([]);
    const silent = wrong((found) =>
      success(found).some(([status, { content }]) => status !== '204' && !content),
    );
    expect(silent).toEqual([]);
    expect(
      wrong(({ operation }) =>
        Object.values(operation.requestBody?.content ?? {}).some(({ schema }) => !schema),
      ),
    ).toEqual([]);
  });

  it('shows an example of each refusal, true to the catalog', () => {
    const seen: string[] = [];
    for (const { name, path, operation } of operations) {
      const refusals = Object.entries(operation.responses).filter(
        ([status]) => Number(status) >= 400,
      );
      if (path.startsWith('/v1/')) expect([name, refusals.length]).not.toEqual([name, 0]);
      for (const [status, told] of refusals) {
        const { content } = told.$ref ? (resolved(document, told.$ref) as Response) : told;
        // OAuth 2 clients read nothing but JSON.
        const isOAuth = path.startsWith('/v1/auth/');
        const media = content?.[isOAuth ? 'application/json' : 'application/problem+json'];
        const examples = Object.entries(media?.examples ?? {});
        expect([name, status, examples.length]).not.toEqual([name, status, 0]);
        // Some providers want this one for a signature that is refused.
        const usual = status === '498' ? 400 : Number(status);
        for (const [code, { $ref }] of examples) {
          const { value } = resolved(document, $ref) as { value: Record<string, unknown> };
          seen.push(code);
          expect([name, code, value['code'], value['status']]).toEqual([name, code, code, usual]);
          const elsewhere = path.startsWith('/v1/webhooks/') ? AT_WEBHOOKS[code] : undefined;
          expect(elsewhere ?? PROBLEMS[code]?.[0]).toBe(usual);
        }
      }
    }
    expect(new Set(seen).size).toBeGreaterThan(25);
  });

  it('asks for a token exactly where the guard does', async () => {
    const guarded: string[] = [];
    for (const { name, path, method } of operations) {
      const url = path.replaceAll(/\{\w+\}/g, 'x');
      const answer = await service.call(url, { method: method.toUpperCase() });
      if (answer.status === 401) guarded.push(name);
    }
    const described = operations.filter(({ operation }) => operation.security?.length);
    expect(described.map(({ name }) => name)).toEqual(guarded);
    expect(guarded.length).toBeGreaterThan(10);
  });
});

const expectDescribed = (method: string, path: string, answer: Answer<object>) =>
  expectAsDescribed(document, method, path, answer);

describe('a real answer', () => {
  it('is judged wherever a test reads it', async () => {
    const judge = observers.get(service.url);
    const answer = await service.call('/livez');
    expect(() => judge?.('GET', `${service.url}/livez`, { ...answer, status: 418 })).toThrow(
      'GET /livez 418: the status is not declared',
    );
  });

  it('is as its schema says', async () => {
    const base = '/v1/finance/documents';
    const invoice = await client.anInvoice({ metadata: { a: 'b' }, notes: 'n' });
    const draft = await client.anInvoice({ issue: false });
    const one = `${base}/${invoice.id}`;
    const request = { lines: [{ description: 'A', unit_amount: 1 }], customer: { name: 'B' } };
    expectDescribed('post', base, await client.post(base, request));
    expectDescribed('get', base, await client.get(`${base}?limit=2`));
    expectDescribed('get', `${base}/{id}`, await client.get(`${base}/${draft.id}`));
    expectDescribed('post', `${base}/{id}/issue`, await client.post(`${base}/${draft.id}/issue`));
    const paid = await client.pay(invoice);
    expectDescribed('post', `${base}/{id}/payments`, paid);
    expectDescribed('post', `${base}/{id}/payments`, await client.pay(invoice));
    expectDescribed('get', `${base}/{id}/payments`, await client.get(`${one}/payments`));
    const { id } = paid.body['payment'] as { id: string };
    expectDescribed(
      'get',
      '/v1/finance/payments/{id}',
      await client.get(`/v1/finance/payments/${id}`),
    );
    const link = await client.post(`${one}/payment-links`, { gateway: 'sandbox' });
    expectDescribed('post', `${base}/{id}/payment-links`, link);
    expectDescribed('get', `${base}/{id}/payment-links`, await client.get(`${one}/payment-links`));
    expectDescribed(
      'post',
      `${base}/{id}/portal-tokens`,
      await client.post(`${one}/portal-tokens`),
    );
    expectDescribed('get', `${base}/{id}/portal-tokens`, await client.get(`${one}/portal-tokens`));
    const seller = '/v1/finance/seller';
    expectDescribed('get', seller, await client.get(seller));
    expectDescribed('patch', seller, await client.patch(seller, SELLER));
    expectDescribed('patch', seller, await client.patch(seller, { name: null }));
    const png = { 'content-type': 'image/png' };
    const logo = aPng({ width: 2, height: 2 });
    expectDescribed('put', `${seller}/logo`, await client.put(`${seller}/logo`, logo, png));
    expectDescribed('put', `${seller}/logo`, await client.put(`${seller}/logo`, logo));
    const credentials = { client_id: client.id, client_secret: client.secret };
    const token = await service.call('/v1/auth/token', { method: 'POST', body: credentials });
    expectDescribed('post', '/v1/auth/token', token);
  });

  it('about customers is as its schema says', async () => {
    const base = '/v1/finance/customers';
    const made = await client.post(base, {
      name: 'Globex',
      tax_ids: [{ type: 'vat', value: 'DE1' }],
      electronic_address: { scheme: '0088', value: '4012345000009' },
      shipping_address: { city: 'Kiel' },
      metadata: { a: 'b' },
    });
    expectDescribed('post', base, made);
    const one = `${base}/${String(made.body['id'])}`;
    expectDescribed('get', base, await client.get(`${base}?limit=2`));
    expectDescribed('get', base, await client.get(`${base}?cursor=x`));
    expectDescribed('get', `${base}/{id}`, await client.get(one));
    const patch = { shipping_address: null, currency: 'EUR', payment_terms_days: 7 };
    expectDescribed('patch', `${base}/{id}`, await client.patch(one, patch));
    const stale = { 'If-Match': '"1"' };
    expectDescribed('patch', `${base}/{id}`, await client.patch(one, patch, stale));
    for (const action of ['archive', 'unarchive']) {
      expectDescribed('post', `${base}/{id}/${action}`, await client.post(`${one}/${action}`));
    }
    expectDescribed('delete', `${base}/{id}`, await client.delete(one, stale));
  });

  it('of a report is as its schema says', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice);
    const reports = ['ledger', 'ledger/balances', 'reports/aging', 'reports/revenue'];
    for (const path of reports.map((name) => `/v1/finance/${name}`)) {
      expectDescribed('get', path, await client.get(path));
    }
    const aging = '/v1/finance/reports/aging';
    expectDescribed('get', aging, await client.get(`${aging}?group=document&limit=1`));
    const statement = '/v1/finance/customers/{id}/statement';
    const one = statement.replace('{id}', invoice.customer_id);
    expectDescribed('get', statement, await client.get(one));
    expectDescribed('get', statement, await client.get(`${one}?to=yesterday`));
  });

  it('about bank statements is as its schema says', async () => {
    const invoice = await client.anInvoice();
    const file = aCamt053([{ amount: '119.00' }, { amount: '2.00' }]);
    const made = await importFile(client, file);
    expectDescribed('post', STATEMENTS, made);
    expectDescribed('post', STATEMENTS, await importFile(client, bankFixture('camt053-v08.xml')));
    expectDescribed('post', STATEMENTS, await importFile(client, '<x>'));
    expectDescribed('get', STATEMENTS, await client.get(STATEMENTS));
    expectDescribed('get', `${STATEMENTS}/{id}`, await client.get(`${STATEMENTS}/${made.body.id}`));
    expectDescribed('get', ENTRIES, await client.get(`${ENTRIES}?status=proposed`));
    const [first, second] = await entriesOf(client, `statement_id=${made.body.id}`);
    const [one, two] = [`${ENTRIES}/${first?.id}`, `${ENTRIES}/${second?.id}`];
    expectDescribed('get', `${ENTRIES}/{id}`, await client.get(one));
    expectDescribed('get', `${ENTRIES}/{id}`, await client.get(two));
    const body = { document_id: invoice.id };
    expectDescribed('post', `${ENTRIES}/{id}/confirm`, await client.post(`${one}/confirm`, body));
    expectDescribed('post', `${ENTRIES}/{id}/confirm`, await client.post(`${one}/confirm`, body));
    expectDescribed('post', `${ENTRIES}/{id}/ignore`, await client.post(`${two}/ignore`));
  });

  it('of the portal and of a refusal is as its schema says', async () => {
    const quote = await client.aQuote();
    const token = await client.aPortalToken(quote);
    const headers = { accept: 'application/json' };
    const page = await service.call(`/v1/portal/${token}`, { headers });
    expectDescribed('get', '/v1/portal/{token}', page);
    const reject = { method: 'POST', body: { reason: 'No' } };
    const rejected = await service.call(`/v1/portal/${token}/reject`, reject);
    expectDescribed('post', '/v1/portal/{token}/reject', rejected);
    const base = '/v1/finance/documents';
    expectDescribed('get', `${base}/{id}`, await client.get(`${base}/${quote.id}`));
    expectDescribed('get', `${base}/{id}`, await client.get(`${base}/doc_x`));
    expectDescribed('post', base, await client.post(base, { a: 1, b: 2 }));
    expectDescribed('get', base, await service.call(base));
    const webhook = { method: 'POST', body: '{}' };
    const forged = await service.call('/v1/webhooks/gateway-a', webhook);
    expectDescribed('post', '/v1/webhooks/{gateway}', forged);
  });
});

const allowsNull = ({ type, anyOf, enum: values }: Schema) =>
  ([type].flat().includes('null') && (values === undefined || values.includes(null))) ||
  (anyOf ?? []).some((one) => one.type === 'null');

describe('a merge patch', () => {
  it('takes each field or none, in two media types, and null where a field may be empty', () => {
    const { content } = document.paths['/v1/finance/customers/{id}']?.['patch']?.requestBody ?? {};
    expect(Object.keys(content ?? {})).toEqual([
      'application/json',
      'application/merge-patch+json',
    ]);
    const { PatchCustomerRequest: patch, CreateCustomerRequest: whole } =
      document.components.schemas;
    expect(Object.keys(patch?.properties ?? {})).toEqual(Object.keys(whole?.properties ?? {}));
    expect(patch?.required ?? []).toEqual([]);
    const fields = Object.entries(patch?.properties ?? {});
    expect(fields.filter(([, schema]) => !allowsNull(schema)).map(([name]) => name)).toEqual(
      whole?.required,
    );
    expect(whole?.required).toEqual(['name']);
  });
});
