import { spawn } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../src/demo/demo-account.js';
import { freePort } from '../../src/testing/service/free-port.js';
import { type Answer, call } from '../support/http.js';
import { Outsider } from './outsider.js';
import { OWN_ENVIRONMENT, untilReady } from './program.js';

/*
 * The examples, as another company would use them: built against the package from its tarball, packed,
 * installed, and run in two processes.
 */

const HERE = fileURLToPath(new URL('../../', import.meta.url));
const COMPILER = join(HERE, 'node_modules/typescript-native/bin/tsc');
const EXAMPLES = ['loyalty', 'acmepay', 'csv-lines', 'own-renderer'];
const ALL = EXAMPLES.map((name) => `@acme/${name}`).join();

let outsider: Outsider;
let environment: Record<string, string>;
beforeAll(async () => {
  outsider = await Outsider.withPackage();
  await cp(join(HERE, 'examples'), join(outsider.folder, 'examples'), { recursive: true });
  for (const name of EXAMPLES) {
    const built = await outsider.run(process.execPath, [COMPILER, '-p', `examples/${name}`]);
    expect(built).toMatchObject({ output: '', code: 0 });
    await outsider.add(`examples/${name}`);
  }
  environment = {
    ...OWN_ENVIRONMENT,
    PATH: outsider.environment['PATH'] ?? '',
    QUITTANCE_EXTENSIONS: ALL,
    QUITTANCE_PROCESSES: '2',
    EXT_LOYALTY_UNITS_PER_POINT: '5',
    PORT: String(await freePort()),
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
  const said = { output: '', errors: '', hasEnded: false, url: '' };
  let stop: () => Promise<unknown>;
  let demo: Demo;
  let token: string;
  beforeAll(async () => {
    said.url = `http://127.0.0.1:${environment['PORT']}`;
    const child = spawn('quittance', ['start'], { cwd: outsider.folder, env: environment });
    child.stdout.on('data', (part: Buffer) => (said.output += part.toString()));
    child.stderr.on('data', (part: Buffer) => (said.errors += part.toString()));
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.once('close', () => (said.hasEnded = true));
    stop = async () => {
      child.kill('SIGTERM');
      return ended;
    };
    await untilReady(said);
    const file = join(outsider.folder, '.quittance/demo.json');
    demo = JSON.parse(await readFile(file, 'utf8')) as Demo;
    const { client_id, client_secret } = demo;
    const answer = await call<{ access_token: string }>(`${said.url}/v1/auth/token`, {
      method: 'POST',
      body: { client_id, client_secret },
    });
    token = answer.body.access_token;
  });
  afterAll(async () => expect(await stop()).toBe(0));

  const asked = async <Body>(path: string, body?: object): Promise<Answer<Body>> =>
    call<Body>(`${said.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}` },
      ...(body && { body }),
    });
  const invoiced = async () => {
    const lines = [{ description: 'Work', quantity: '1', unit_amount: 10_000, tax_rate: '19' }];
    const body = { customer: { name: 'Ann', country: 'DE' }, currency: 'EUR', lines, issue: true };
    const made = await asked<{ id: string; customer_id: string; number: string }>(
      '/v1/finance/documents',
      body,
    );
    expect(made.status).toBe(201);
    return made.body;
  };
  const paid = async (id: string, metadata: object = {}) =>
    asked<{ code?: string }>(`/v1/finance/documents/${id}/payments`, {
      amount: 2500,
      method: 'cash',
      metadata,
    });

  it('gives points in the transaction of a payment, and shows them in each process', async () => {
    const { id, customer_id: customer } = await invoiced();
    expect((await paid(id)).status).toBe(201);
    const shown = await Promise.all(
      Array.from({ length: 8 }, () => asked(`/v1/ext/loyalty/points/${customer}`)),
    );
    expect(shown.map(({ body }) => body)).toEqual(
      shown.map(() => ({ customer_id: customer, points: 5 })),
    );
    const args = ['loyalty', 'points', demo.account_id, customer, '--json'];
    expect(await outsider.run('quittance', args, environment)).toMatchObject({
      output: '{"points":5}\n',
      errors: '',
      code: 0,
    });
  });

  it('takes a payment back with its points', async () => {
    const { id, customer_id: customer } = await invoiced();
    const refused = await paid(id, { loyalty: 'paused' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'loyalty_paused' } });
    expect(await asked(`/v1/finance/documents/${id}`)).toMatchObject({ body: { amount_paid: 0 } });
    const points = await asked(`/v1/ext/loyalty/points/${customer}`);
    expect(points).toMatchObject({ status: 404, body: { code: 'loyalty_no_points' } });
  });

  it('prints by the renderer of its own, and shows a format of its own', async () => {
    const { id, number } = await invoiced();
    const pdf = await asked(`/v1/finance/documents/${id}/pdf`);
    expect(pdf.text).toMatch(/^%PDF-1\.4/);
    expect(pdf.text).toContain(`(${number}) '`);
    const csv = await asked(`/v1/ext/csvlines/documents/${id}/csv`);
    expect(csv).toMatchObject({
      status: 200,
      text: `number,line,description,quantity,net,currency\r\n${number},1,Work,1,100.00,EUR\r\n`,
    });
  });

  it('has its routes in the OpenAPI document', async () => {
    const { body } = await asked<{ paths: object }>('/v1/openapi.json');
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/v1/ext/'))).toEqual([
      '/v1/ext/loyalty/points/{customer}',
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
