import { createHmac } from 'node:crypto';
import { spawn } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../src/testing/service/free-port.js';
import { call } from '../support/http.js';
import { Outsider } from './outsider.js';
import { OWN_ENVIRONMENT, untilReady } from './program.js';

/* Quittance as a module of another application, made by NestFactory as any. */

const HERE = fileURLToPath(new URL('../../', import.meta.url));
const COMPILER = join(HERE, 'node_modules/typescript-native/bin/tsc');

const SECRET = 'whsec_of_an_application';

let outsider: Outsider;
let environment: Record<string, string>;
beforeAll(async () => {
  outsider = await Outsider.withPackage();
  await cp(join(HERE, 'examples'), join(outsider.folder, 'examples'), { recursive: true });
  const built = await outsider.run(process.execPath, [COMPILER, '-p', 'examples/own-app']);
  expect(built).toMatchObject({ output: '', code: 0 });
  environment = {
    ...OWN_ENVIRONMENT,
    PATH: outsider.environment['PATH'] ?? '',
    PORT: String(await freePort()),
    GATEWAY_A_WEBHOOK_SECRET: SECRET,
  };
});
afterAll(() => outsider.remove());

it('serves its own routes beside ours, with our documents and tokens', async () => {
  const said = {
    output: '',
    errors: '',
    hasEnded: false,
    url: `http://127.0.0.1:${environment['PORT']}`,
  };
  const child = spawn('node', ['examples/own-app/dist/main.js'], {
    cwd: outsider.folder,
    env: environment,
  });
  child.stdout.on('data', (part: Buffer) => (said.output += part.toString()));
  child.stderr.on('data', (part: Buffer) => (said.errors += part.toString()));
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.once('close', () => (said.hasEnded = true));
  try {
    await untilReady(said);
    const account = await outsider.run(
      'quittance',
      ['account', 'create', '--name', 'Acme', '--json'],
      environment,
    );
    const { account_id: id } = JSON.parse(account.output) as { account_id: string };
    const client = await outsider.run(
      'quittance',
      ['client', 'create', '--account', id, '--json'],
      environment,
    );
    const { client_id, client_secret } = JSON.parse(client.output) as Record<string, string>;
    const { body: issued } = await call<{ access_token: string }>(`${said.url}/v1/auth/token`, {
      method: 'POST',
      body: { client_id, client_secret },
    });
    const headers = { authorization: `Bearer ${issued.access_token}` };
    const lines = [{ description: 'Work', quantity: '1', unit_amount: 10_000, tax_rate: '19' }];
    const { body: invoice } = await call<{ id: string; number: string }>(
      `${said.url}/v1/finance/documents`,
      {
        method: 'POST',
        headers,
        body: { customer: { name: 'Ann', country: 'DE' }, currency: 'EUR', lines, issue: true },
      },
    );
    const path = `${said.url}/acme/dunning/${invoice.id}`;
    expect(await call(path, { headers })).toMatchObject({
      status: 200,
      body: { letter: `Please pay 119.00 EUR for ${invoice.number}.` },
    });
    expect(await call(path)).toMatchObject({ status: 401, body: { code: 'missing_token' } });
    // Webhooks are verified over the bytes that came, which no other parser may have taken.
    const text = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'ping',
      data: { object: {} },
    });
    const at = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', SECRET).update(`${at}.${text}`).digest('hex');
    const webhook = await call(`${said.url}/v1/webhooks/gateway-a`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'stripe-signature': `t=${at},v1=${signature}`,
      },
      body: text,
    });
    expect(webhook).toMatchObject({ status: 200, body: { status: 'ignored' } });
    const { body: openapi } = await call<{ paths: object }>(`${said.url}/v1/openapi.json`);
    expect(Object.keys(openapi.paths)).toContain('/acme/dunning/{id}');
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toBe(0);
});

it.each([
  [
    'another adapter',
    (text: string) => text.replace('RootModule, new QuittanceAdapter()', 'RootModule'),
    /Quittance needs its adapter: NestFactory\.create\(RootModule, new QuittanceAdapter\(\)\), then useQuittance\(app\)/,
  ],
  [
    'nothing prepared',
    (text: string) => text.replace('useQuittance(app);', ''),
    /Quittance is not prepared: /,
  ],
  [
    'a port of its own module',
    (text: string) =>
      text
        .replace('answerShape, CallerOf,', 'answerShape, CallerOf, PdfRenderer,')
        .replace(
          'controllers: [DunningController]',
          'controllers: [DunningController], providers: [{ provide: PdfRenderer, useValue: {} }]',
        ),
    /PdfRenderer is provided by RootModule and DocumentsModule, and Quittance has only its own: name yours in `ports` of defineExtension/,
  ],
])('refuses %s in words', async (_, changed, sentence) => {
  const file = join(outsider.folder, 'examples/own-app/dist/main.js');
  const text = await readFile(file, 'utf8');
  expect(changed(text)).not.toBe(text);
  await outsider.write('examples/own-app/dist/wrong.js', changed(text));
  const { errors, output } = await outsider.run(
    'node',
    ['examples/own-app/dist/wrong.js'],
    environment,
  );
  expect(`${errors}${output}`).toMatch(sentence);
});
