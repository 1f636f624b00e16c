import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../src/demo/demo-account.js';
import { SystemClock } from '../../src/kernel/clock.js';
import { ServiceClient } from '../../src/testing/service/service-client.js';
import { Outsider } from './outsider.js';
import { OWN_ENVIRONMENT, type ServiceProgram, until } from './program.js';

/*
 * The examples, as another company would use them: built against the package from its tarball, packed,
 * installed, and run in two processes.
 */

const EXAMPLES = ['loyalty', 'acmepay', 'csv-lines', 'own-renderer'];
const LINES = [{ description: 'Work', quantity: '1', unit_amount: 10_000, tax_rate: '19' }];
const ALL = EXAMPLES.map((name) => `@acme/${name}`).join();

let outsider: Outsider;
let environment: Record<string, string>;
beforeAll(async () => {
  outsider = await Outsider.withPackage();
  await outsider.build(...EXAMPLES);
  for (const name of EXAMPLES) await outsider.add(`examples/${name}`);
  environment = {
    ...OWN_ENVIRONMENT,
    PATH: outsider.environment['PATH'] ?? '',
    QUITTANCE_EXTENSIONS: ALL,
    QUITTANCE_PROCESSES: '2',
    EXT_LOYALTY_UNITS_PER_POINT: '5',
  };
});
afterAll(() => outsider.remove());

it('the contract of providers passes', async () => {
  const { code, output } = await outsider.run(
    'node',
    ['--test', 'examples/acmepay/test/contract.test.js'],
    {},
  );
  expect(output).toMatch(/^. fail 0$/m);
  expect(code).toBe(0);
});

describe('a service with all of them', () => {
  let service: ServiceProgram;
  let client: ServiceClient;
  beforeAll(async () => {
    service = await outsider.service('quittance', ['start'], environment);
    const file = join(outsider.folder, '.quittance/demo.json');
    const demo = JSON.parse(await readFile(file, 'utf8')) as Demo;
    const { client_id: id, client_secret: secret, account_id: accountId } = demo;
    client = new ServiceClient(service.url, new SystemClock(), { id, secret, accountId });
  });
  afterAll(async () => {
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });

  const paid = async (id: string, metadata: object = {}) =>
    client.post<{ code?: string }>(`/v1/finance/documents/${id}/payments`, {
      amount: 2500,
      method: 'cash',
      metadata,
    });

  it('gives points in the transaction of a payment, and shows them in each process', async () => {
    const { id, customer_id: customer } = await client.anInvoice({ currency: 'EUR', lines: LINES });
    expect((await paid(id)).status).toBe(201);
    const shown = await Promise.all(
      Array.from({ length: 8 }, () => client.get(`/v1/ext/loyalty/points/${customer}`)),
    );
    expect(shown.map(({ body }) => body)).toEqual(
      shown.map(() => ({ customer_id: customer, points: 5 })),
    );
    const args = ['loyalty', 'points', client.accountId, customer, '--json'];
    expect(await outsider.run('quittance', args, environment)).toMatchObject({
      output: '{"points":5}\n',
      errors: '',
      code: 0,
    });
  });

  it('takes a payment back with its points', async () => {
    const { id, customer_id: customer } = await client.anInvoice({ currency: 'EUR', lines: LINES });
    const refused = await paid(id, { loyalty: 'paused' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'loyalty_paused' } });
    expect(await client.get(`/v1/finance/documents/${id}`)).toMatchObject({
      body: { amount_paid: 0 },
    });
    const points = await client.get(`/v1/ext/loyalty/points/${customer}`);
    expect(points).toMatchObject({ status: 404, body: { code: 'loyalty_no_points' } });
  });

  it('prints by the renderer of its own, and shows a format of its own', async () => {
    const { id, number } = await client.anInvoice({ currency: 'EUR', lines: LINES });
    const pdf = await client.get(`/v1/finance/documents/${id}/pdf`);
    expect(pdf.text).toMatch(/^%PDF-1\.4/);
    expect(pdf.text).toContain(`(${number}) '`);
    const csv = await client.get(`/v1/ext/csvlines/documents/${id}/csv`);
    expect(csv).toMatchObject({
      status: 200,
      text: `number,line,description,quantity,net,currency\r\n${number},1,Work,1,100.00,EUR\r\n`,
    });
  });

  it('thanks for points by a letter, where the account wishes it', async () => {
    const path = '/v1/ext/loyalty/settings';
    expect(await client.patch(path, { settings: { thank_from: 'few' } })).toMatchObject({
      status: 422,
      body: { code: 'invalid_setting' },
    });
    const given = { settings: { thank_from: '5' } };
    expect(await client.patch(path, given)).toMatchObject({ status: 200 });
    const { id } = await client.anInvoice({ currency: 'EUR', lines: LINES });
    await paid(id);
    const messages = async () => {
      const list = `/v1/finance/messages?document_id=${id}&status=sent`;
      return (await client.get<{ data: { kind: string }[] }>(list)).body.data;
    };
    await until('the letter is sent', async () =>
      (await messages()).some(({ kind }) => kind === 'ext:loyalty:thanks'),
    );
    const sent = (await messages()).filter(({ kind }) => kind === 'ext:loyalty:thanks');
    expect(sent).toHaveLength(1);
  });

  it('has tables that are sealed, and agree', async () => {
    const { code, output } = await outsider.run('quittance', ['integrity'], environment);
    expect(output).toMatch(/no difference/);
    expect(code).toBe(0);
  });

  it('has its routes in the OpenAPI document', async () => {
    const { body } = await client.get<{ paths: object }>('/v1/openapi.json');
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/v1/ext/'))).toEqual([
      '/v1/ext/loyalty/points/{customer}',
      '/v1/ext/loyalty/settings',
      '/v1/ext/csvlines/documents/{id}/csv',
    ]);
  });
});

describe('an extension that does not fit', () => {
  it.each<[string, string, RegExp, Record<string, string>?]>([
    [
      'a setting',
      `{ name: 'acme', quittance: '^0.2', settings: z.strictObject({ rate: z.coerce.number('has to be a number') }) }`,
      /EXT_ACME_RATE: has to be a number$/m,
      { EXT_ACME_RATE: 'much' },
    ],
    [
      'a range',
      `{ name: 'acme', quittance: '^9' }`,
      /QUITTANCE_EXTENSIONS: \.\/wrong\.mjs is for Quittance \^9, and this is 0\.2\.0/,
    ],
    [
      'a name',
      `{ name: 'ACME', quittance: '^0.2' }`,
      /cannot be loaded: The extension is not whole: name: small/,
    ],
    [
      'a port',
      `{ name: 'acme', quittance: '^0.2', ports: [{ provide: class Books {}, useClass: class {} }] }`,
      /acme replaces Books, which is no port; ports are Clock, /,
    ],
    [
      'a table',
      `{ name: 'acme', quittance: '^0.2', migrations: [{ name: '1', sql: 'CREATE TABLE points (id int)' }] }`,
      /the migration 1 of acme may change what begins with ext_acme_ alone, not column points\.id/,
    ],
    [
      'an event',
      `{ name: 'acme', quittance: '^0.2', module: { module: class M {}, providers: [
        { provide: 'x', inject: [Facts], useFactory: (facts) => facts.on('payment.gone', () => {}) }] } }`,
      /a listener waits for payment\.gone, which no event is/,
    ],
  ])(
    'by %s keeps the service from starting, with a sentence',
    async (_, extension, sentence, more = {}) => {
      const text = `import { defineExtension, Facts, z } from 'quittance'; void [Facts, z];
      export default defineExtension(${extension});`;
      await outsider.write('wrong.mjs', text);
      const env = {
        ...environment,
        QUITTANCE_EXTENSIONS: './wrong.mjs',
        QUITTANCE_PROCESSES: '1',
        ...more,
      };
      const { code, errors } = await outsider.run('quittance', ['start'], env);
      expect(errors).toMatch(sentence);
      expect(errors).not.toContain('    at ');
      expect(code).toBe(1);
    },
  );
});
