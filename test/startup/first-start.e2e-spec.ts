import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PayoutBody } from '../../src/bank/wire/payout.js';
import type { Demo } from '../../src/demo/demo-account.js';
import { SystemClock } from '../../src/kernel/clock.js';
import type { PaymentBody } from '../../src/payments/recording/wire/payment.js';
import { TestClient } from '../support/client.js';
import {
  aPlace,
  OWN_ENVIRONMENT,
  type Place,
  type ServiceProgram,
  SOURCE_LOADER,
  until,
  untilReady,
} from './program.js';

/** Of every provider; some are named by the operator, and the commands need not be told again. */
const NAMED = ['till', 'adyen', 'gocardless', 'mollie', 'razorpay'];
const GATEWAYS = ['gateway-a', 'gateway-b', ...NAMED, 'sandbox'];
/** The words of providers that want others than ours. */
const ANSWERS: Record<string, [status: string, text: string]> = {
  adyen: ['200', '[accepted]'],
  gocardless: ['204', ''],
};
const answerOf = (gateway: string) => ANSWERS[gateway] ?? ['200', '{"status":"ok"}'];

describe('first start in an empty folder', () => {
  let place: Place;
  let service: ServiceProgram;
  let demo: Demo;
  let demoWasThere: boolean;
  let client: TestClient;

  beforeAll(async () => {
    place = await aPlace();
    service = await place.starting({
      GATEWAYS: NAMED.join(','),
      GATEWAY_TILL_PROVIDER: 'standard-webhooks',
    });
    await untilReady(service);
    demoWasThere = existsSync(join(place.dataDir, 'demo.json'));
    await until('the calls are printed', () => service.output.includes('--forged\n'));
    demo = await place.demo();
    client = new TestClient(service.url, new SystemClock(), {
      id: demo.client_id,
      secret: demo.client_secret,
      accountId: demo.account_id,
    });
  });
  afterAll(() => place.remove());

  /** The printed lines as they are, in one shell; the answer of each. */
  async function shell(...lines: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'] ?? '' };
    const options = { cwd: place.folder, env };
    return (await promisify(execFile)('bash', ['-c', lines.join('\n')], options)).stdout;
  }

  const printed = (start: string) =>
    service.output.split('\n').filter((line) => line.startsWith(start));

  const paidOf = async () => (await client.read({ id: demo.invoice_id })).amount_paid;

  const linkOf = (gateway: string) => demo.payment_links.find((link) => link.gateway === gateway);

  async function linkStatuses(): Promise<unknown[]> {
    const links = GATEWAYS.map((gateway) =>
      client.get(`/v1/finance/payment-links/${linkOf(gateway)?.id}`),
    );
    return (await Promise.all(links)).map(({ body }) => body['status']);
  }

  const deliver = async (...flags: string[]) =>
    Promise.all(GATEWAYS.map((gateway) => place.demoWebhook([gateway, ...flags])));

  it('is ready only when demo.json can be read', () => {
    expect(demoWasThere).toBe(true);
  });

  it('keeps its folder and its secrets to itself', async () => {
    const modes = ['', 'demo.json', 'secrets.json', 'postgres-passwords.json'].map(async (name) => {
      const { mode } = await stat(join(place.dataDir, name));
      return [name, (mode & 0o777).toString(8)];
    });
    expect(Object.fromEntries(await Promise.all(modes))).toEqual({
      '': '700',
      'demo.json': '600',
      'secrets.json': '600',
      'postgres-passwords.json': '600',
    });
  });

  it('writes what a first integration needs to demo.json', () => {
    const text: unknown = expect.stringMatching(/.{20}/);
    expect(demo).toMatchObject({
      base_url: service.url,
      client_id: expect.stringMatching(/^cli_/),
      client_secret: text,
      invoice_id: expect.stringMatching(/^doc_/),
      quote_id: expect.stringMatching(/^doc_/),
      invoice_portal_token: text,
      quote_portal_token: text,
    });
    expect(demo.payment_links).toEqual(
      GATEWAYS.map((gateway) => ({
        id: expect.stringMatching(/^plink_/),
        gateway,
        amount: expect.any(Number),
        currency: 'EUR',
      })),
    );
    expect(demo.gateways).toMatchObject({
      'gateway-a': { provider: 'stripe', webhook_secret: text },
      'gateway-b': { provider: 'paypal', webhook_id: expect.any(String) },
      sandbox: { provider: 'sandbox', webhook_secret: text },
    });
  });

  it('has made a healthy account: an open invoice and quote, an open link a gateway', async () => {
    const documents = [demo.invoice_id, demo.quote_id].map((id) => client.read({ id }));
    expect(await Promise.all(documents)).toMatchObject([
      { kind: 'invoice', status: 'open' },
      { kind: 'quote', status: 'open' },
    ]);
    expect(await linkStatuses()).toEqual(GATEWAYS.map(() => 'open'));
  });

  it('prints calls that do what they say when pasted into a shell', async () => {
    const [token = '', payment = '', reject = '', pdf = '', ...more] = printed('curl ');
    const [variable = ''] = printed('TOKEN=');
    expect(more).toEqual([]);

    expect(JSON.parse(await shell(token))).toMatchObject({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 1800,
      refresh_token: expect.any(String),
    });
    const { amount_due: due } = await client.read({ id: demo.invoice_id });
    expect(JSON.parse(await shell(variable, payment))).toMatchObject({
      success: true,
      amount_paid: 25_000,
      amount_due: due - 25_000,
      status: 'partially_paid',
    });
    expect(JSON.parse(await shell(reject))).toMatchObject({ success: true });
    expect(await client.read({ id: demo.quote_id })).toMatchObject({ status: 'rejected' });
    expect(await shell(pdf)).toBe('');
    const file = await readFile(join(place.folder, 'invoice.pdf'));
    expect(file.subarray(0, 5).toString()).toBe('%PDF-');
    const [page = ''] = printed(`echo ${service.url}/v1/portal/`);
    const shown = await fetch(page.slice('echo '.length), { headers: { accept: 'text/html' } });
    expect(shown.status).toBe(200);
    expect(shown.headers.get('content-type')).toMatch(/^text\/html/);
  });

  it('moves nothing on a forged webhook, and shows the refusal', async () => {
    const before = await paidOf();
    for (const [at, { code, output }] of (await deliver('--forged')).entries()) {
      const [status, body] = answerIn(output);
      expect({ code, status, problem: JSON.parse(body) as unknown }).toMatchObject({
        code: 0,
        status: GATEWAYS[at] === 'gocardless' ? '498' : '400',
        problem: { code: 'invalid_signature' },
      });
    }
    const { output } = await place.demoWebhook([...GATEWAYS.slice(0, 1), '--forged', '--json']);
    expect(JSON.parse(output)).toMatchObject({
      url: `${service.url}/v1/webhooks/${GATEWAYS[0]}`,
      status: 400,
      answer: expect.stringContaining('invalid_signature'),
    });
    expect(await linkStatuses()).toEqual(GATEWAYS.map(() => 'open'));
    expect(await paidOf()).toBe(before);
  });

  it('sends a really signed webhook for each gateway, and its link becomes paid', async () => {
    const before = await paidOf();
    // One by the program itself, as below for one that fails.
    const sent = await Promise.all([
      ...GATEWAYS.slice(1).map((gateway) => place.demoWebhook([gateway])),
      place.run('demo/demo-webhook', GATEWAYS.slice(0, 1)),
    ]);
    expect(sent.map(({ code }) => code)).toEqual(GATEWAYS.map(() => 0));
    const played = [...GATEWAYS.slice(1), ...GATEWAYS.slice(0, 1)];
    expect(sent.map(({ output }) => answerIn(output))).toEqual(played.map(answerOf));
    expect(await linkStatuses()).toEqual(GATEWAYS.map(() => 'paid'));
    const amounts = demo.payment_links.map(({ amount }) => amount);
    const paid = before + amounts.reduce((sum, amount) => sum + amount, 0);
    expect(await paidOf()).toBe(paid);

    // The printed call is the one that was sent: pasted, it is the same event again.
    for (const [at, { output }] of sent.entries()) {
      const call = output.slice(0, output.lastIndexOf('\n\n'));
      expect(await shell(call)).toBe(answerOf(played[at] ?? '')[1]);
    }
    expect(await paidOf()).toBe(paid);
  });

  const paymentAt = async (gateway: string) => {
    const path = `/v1/finance/documents/${demo.invoice_id}/payments`;
    const { body } = await client.get<{ data: PaymentBody[] }>(path);
    return body.data.find((one) => one.gateway === gateway)?.reference ?? '';
  };
  const payoutsNow = async () => {
    const { body } = await client.get<{ data: PayoutBody[] }>('/v1/finance/payouts');
    return Object.fromEntries(body.data.map((one) => [one.gateway, [one.status, one.amount]]));
  };
  const play = async (gateway: string, ...more: string[]) =>
    place.demoWebhook([gateway, ...more.slice(0, 1), await paymentAt(gateway), ...more.slice(1)]);

  it.each(['gocardless', 'sandbox', 'till'])('plays a payout of %s that comes back', async (at) => {
    const before = await payoutsNow();
    const forged = await play(at, 'payout', '--forged');
    expect(answerIn(forged.output)[0]).toBe(at === 'gocardless' ? '498' : '400');
    expect(await payoutsNow()).toEqual(before);
    expect(answerIn((await play(at, 'payout')).output)).toEqual(answerOf(at));
    expect(await payoutsNow()).toEqual({ ...before, [at]: ['sent', 10_000] });
    expect(answerIn((await play(at, 'payout_failed')).output)).toEqual(answerOf(at));
    expect(await payoutsNow()).toEqual({ ...before, [at]: ['failed', 10_000] });
  });

  it('says where a provider has to be asked for the lines of a payout', async () => {
    const { code, output, errors } = await play('gateway-a', 'payout');
    expect([code, output, errors]).toEqual([1, '', expect.stringMatching(/API_KEY.* po_/)]);
    const named = await place.demoWebhook(['gateway-a', 'payout', 'po_1']);
    expect(named.output).toMatch(/^# .*API_KEY/);
    const [status, problem] = answerIn(named.output);
    expect([status, JSON.parse(problem)]).toMatchObject(['503', { code: 'gateway_key_missing' }]);
    const settled = await play('razorpay', 'payout');
    expect(settled.output).toMatch(/^# .*without its lines/);
    expect(answerIn(settled.output)).toEqual(['200', '{"status":"ignored"}']);
    const { body } = await client.get<{ data: object[] }>('/v1/finance/unmatched-items');
    const told = expect.stringContaining('does not tell its lines');
    expect(body.data).toMatchObject([{ gateway: 'razorpay', amount: 10_000, told }]);
  });

  it.each([
    ['gateway-b', 'payout', /by hand, or from its report, as docs\/providers\/paypal\.md/],
    ['adyen', 'payout_failed', /by hand, as docs\/providers\/adyen\.md/],
    ['mollie', 'payout', /its list once a day, as docs\/providers\/mollie\.md/],
    ['razorpay', 'payout_failed', /none that failed/],
  ])('sends nothing for %s %s, and says why', async (gateway, event, why) => {
    const before = await payoutsNow();
    const { code, output, errors } = await play(gateway, event);
    expect([code, output, errors]).toEqual([1, '', expect.stringMatching(why)]);
    expect(await payoutsNow()).toEqual(before);
  });

  it('plays what comes later of a payment of Razorpay, whose names are like ours', async () => {
    const { output } = await play('razorpay', 'processing');
    expect(answerIn(output)[0]).toBe('200');
  });

  it('answers an unknown gateway, none and an unknown flag with its usage', async () => {
    const wrong = [['nobody'], [], ['gateway-a', '--forget'], ['sandbox', 'reversed']];
    const runs = await Promise.all(wrong.map((args) => place.demoWebhook(args)));
    const usage = `usage: npm run --silent demo:webhook -- ${GATEWAYS.join('|')} [processing|paid|failed|refunded|reversed|dispute.inquiry|dispute.opened|dispute.won|dispute.lost|payout|payout_failed <provider_payment_id>] [--forged]\n`;
    expect(runs).toEqual(wrong.map(() => ({ code: 1, output: '', errors: usage })));
    const { errors } = await place.demoWebhook(['nobody', '--json']);
    expect(JSON.parse(errors)).toEqual({ code: 'failed', detail: usage.trim() });
  });

  it('prints a block that can be pasted whole', async () => {
    const [block = ''] = /^: Quittance is ready[^]*--forged$/m.exec(service.output) ?? [];
    const bin = join(place.folder, 'bin');
    await mkdir(bin);
    const program = fileURLToPath(new URL('../../src/demo/demo-webhook.ts', import.meta.url));
    const node = `'${process.execPath}' --no-warnings --import '${SOURCE_LOADER}' '${program}'`;
    // For `npm run --silent demo:webhook -- ...`, as the folder has no package.
    await writeFile(join(bin, 'npm'), `#!/bin/sh\nshift 4\nexec ${node} "$@"\n`, { mode: 0o755 });
    const env = { ...OWN_ENVIRONMENT, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-e', '-c', block], {
      cwd: place.folder,
      env,
    });
    expect(stderr).toBe('');
    expect(stdout).toContain('"access_token"');
    expect(stdout).toMatch(/400 .*invalid_signature/);
  });

  it('asks for the name that the provider gave a payment, and not for ours', async () => {
    const args = ['sandbox', 'reversed', 'pay_01m82jcr9be8mabhhqvxfcpewz'];
    const { code, errors } = await place.run('demo/demo-webhook', args);
    expect([code, errors]).toEqual([1, expect.stringContaining('provider_payment_id')]);
  });
});

/** The last line: status and body. */
function answerIn(output: string): [string, string] {
  const line = output.trim().split('\n').at(-1) ?? '';
  const [status = ''] = line.split(' ', 1);
  return [status, line.slice(status.length + 1)];
}
