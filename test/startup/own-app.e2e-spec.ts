import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SystemClock } from '../../src/kernel/clock.js';
import { ServiceClient } from '../../src/testing/service/service-client.js';
import { call } from '../support/http.js';
import { Outsider } from './outsider.js';
import { OWN_ENVIRONMENT } from './program.js';

/* Quittance as a module of another application, made by NestFactory as any. */

const SECRET = 'whsec_of_an_application';

let outsider: Outsider;
let environment: Record<string, string>;
beforeAll(async () => {
  outsider = await Outsider.withPackage();
  await outsider.build('own-app');
  environment = {
    ...OWN_ENVIRONMENT,
    PATH: outsider.environment['PATH'] ?? '',
    GATEWAY_A_WEBHOOK_SECRET: SECRET,
  };
});
afterAll(() => outsider.remove());

it('serves its own routes beside ours, with our documents and tokens', async () => {
  const service = await outsider.service('node', ['examples/own-app/dist/main.js'], environment);
  try {
    const account = await outsider.run(
      'quittance',
      ['account', 'create', '--name', 'Acme', '--json'],
      environment,
    );
    const { account_id: id } = JSON.parse(account.output) as { account_id: string };
    const made = await outsider.run(
      'quittance',
      ['client', 'create', '--account', id, '--json'],
      environment,
    );
    const credentials = JSON.parse(made.output) as Record<'client_id' | 'client_secret', string>;
    const client = new ServiceClient(service.url, new SystemClock(), {
      id: credentials.client_id,
      secret: credentials.client_secret,
      accountId: id,
    });
    const invoice = await client.anInvoice({ currency: 'EUR' });
    const path = `/acme/dunning/${invoice.id}`;
    expect(await client.get(path)).toMatchObject({
      status: 200,
      body: { letter: `Please pay 119.00 EUR for ${invoice.number}.` },
    });
    const open = await call(`${service.url}${path}`);
    expect(open).toMatchObject({ status: 401, body: { code: 'missing_token' } });
    // Webhooks are verified over the bytes that came, which no other parser may have taken.
    const text = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'ping',
      data: { object: {} },
    });
    const at = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', SECRET).update(`${at}.${text}`).digest('hex');
    const webhook = await call(`${service.url}/v1/webhooks/gateway-a`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'stripe-signature': `t=${at},v1=${signature}`,
      },
      body: text,
    });
    expect(webhook).toMatchObject({ status: 200, body: { status: 'ignored' } });
    const { body: openapi } = await call<{ paths: object }>(`${service.url}/v1/openapi.json`);
    expect(Object.keys(openapi.paths)).toContain('/acme/dunning/{id}');
  } finally {
    service.signal('SIGTERM');
  }
  expect((await service.ended).code).toBe(0);
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
