import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VatNumberCheckBody } from '../../../src/documents/wire/customer.js';
import { NoVatNumberRegister } from '../../../src/documents/domain/legal/vat-number-register.js';
import { Vies } from '../../../src/documents/infrastructure/vies.js';
import type { Uuid } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';

// The register is a server of the test, which answers as VIES documents it.

type Answering = (response: ServerResponse, asked: Record<string, string>) => void;

const sendJson = (status: number, body: object) => (response: ServerResponse) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
const failing = (error: string, status = 500) =>
  sendJson(status, { actionSucceed: false, errorWrappers: [{ error, message: 'x' }] });

const registered: Answering = (response, { countryCode, vatNumber, requesterNumber }) =>
  sendJson(200, {
    countryCode,
    vatNumber,
    requestDate: '2026-11-20T08:00:00.000Z',
    valid: true,
    requestIdentifier: requesterNumber ? 'WAPIAAAAYh3nKZ5w' : '',
    name: 'GLOBEX SA',
    address: '1 RUE DE LA PAIX\n75002 PARIS',
  })(response);

let answering: Answering = registered;
const asked: Record<string, string>[] = [];
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await json(request)) as Record<string, string>;
  asked.push({ url: request.url ?? '', ...body });
  answering(response, body);
}
const server = createServer((request, response) => void answer(request, response));

let service: TestService;
let client: TestClient;
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = await startTestService({ viesUrl: url });
  client = await service.aClient();
  await client.patch('/v1/finance/seller', { tax_id: 'DE999999995' });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await service.close();
});

const GLOBEX = { country: 'FR', tax_id: 'FR 40 303 265 045' };
const check = async (customer: { id: string }, headers = {}, by = client) =>
  by.post<VatNumberCheckBody>(`/v1/finance/customers/${customer.id}/check-vat-number`, {}, headers);

describe('a VAT number', () => {
  it('is looked up with the seller’s, and what was answered stays in the audit log', async () => {
    const customer = await client.aCustomer(GLOBEX);
    const { status, body } = await check(customer);
    expect([status, body]).toEqual([
      200,
      {
        vat_number: 'FR40303265045',
        registered: true,
        name: 'GLOBEX SA',
        address: '1 RUE DE LA PAIX\n75002 PARIS',
        requester: 'DE999999995',
        consultation_number: 'WAPIAAAAYh3nKZ5w',
        checked_at: expect.any(String),
      },
    ]);
    expect(asked.at(-1)).toEqual({
      url: '/check-vat-number',
      countryCode: 'FR',
      vatNumber: '40303265045',
      requesterMemberStateCode: 'DE',
      requesterNumber: '999999995',
    });
    const audit = await client.get<{ data: object[] }>(`/v1/audit?subject=${customer.id}`);
    expect(audit.body.data[0]).toMatchObject({
      action: 'customer.vat_number_checked',
      after: body,
    });
  });

  it('may be unknown to the register, which tells no name then', async () => {
    answering = sendJson(200, { valid: false, name: '---', address: '---', userError: 'INVALID' });
    const { body } = await check(await client.aCustomer(GLOBEX));
    expect(body).toMatchObject({ registered: false, name: null, address: null });
    answering = registered;
  });

  it('has a name of a bounded length, without control and broken characters', async () => {
    answering = sendJson(200, {
      valid: true,
      name: `A\u0000\u202eB\ud800${'x'.repeat(5000)}`,
      address: '\u0007',
    });
    const { body } = await check(await client.aCustomer(GLOBEX));
    expect(body).toMatchObject({ name: `A  B ${'x'.repeat(995)}`, address: null });
    answering = registered;
  });

  it('is looked up once for one Idempotency-Key that has an answer', async () => {
    const customer = await client.aCustomer(GLOBEX);
    const first = await check(customer, { 'Idempotency-Key': 'once' });
    service.clock.advance({ hours: 1 });
    const again = await check(customer, { 'Idempotency-Key': 'once' });
    expect(again.text).toBe(first.text);
    const audit = await client.get<{ data: { action: string }[] }>(
      `/v1/audit?subject=${customer.id}`,
    );
    expect(audit.body.data.map(({ action }) => action)).toEqual([
      'customer.vat_number_checked',
      'customer.created',
    ]);
  });

  it('of Greece is asked for as EL, and a seller without one gets no proof', async () => {
    const other = await service.aClient();
    const customer = await other.aCustomer({ country: 'GR', tax_id: 'GR094259216' });
    const { body } = await check(customer, {}, other);
    expect(body).toMatchObject({ requester: null, consultation_number: null });
    expect(asked.at(-1)).toEqual({
      url: '/check-vat-number',
      countryCode: 'EL',
      vatNumber: '094259216',
    });
  });

  it.each([
    ['absent', { tax_id: null }],
    ['wrong', { tax_id: 'FR41303265045' }],
    ['Swiss', { country: 'CH', tax_id: 'CHE-116.281.710' }],
    ['local', { tax_id: '143/262/40123' }],
  ])('that is %s is not asked for', async (_, over) => {
    const before = asked.length;
    expectProblem(await check(await client.aCustomer(over)), 409, 'vat_number_not_checkable');
    expect(asked).toHaveLength(before);
  });

  it('of another account is not found', async () => {
    const customer = await client.aCustomer(GLOBEX);
    const other = await service.aClient();
    expectProblem(await check(customer, {}, other), 404, 'customer_not_found');
  });
});

/** The register fails in a known way, and says so in the same form whatever happened. */
const failures: [string, Answering][] = [
  ['a member state is away', failing('MS_UNAVAILABLE')],
  ['too many ask', failing('GLOBAL_MAX_CONCURRENT_REQ', 429)],
  ['a state takes too long', failing('TIMEOUT', 200)],
  ['it takes the input for wrong', failing('INVALID_INPUT', 400)],
  [
    'it says false, but nobody looked',
    sendJson(200, { valid: false, userError: 'MS_UNAVAILABLE' }),
  ],
  ['it answers a page', (response) => response.writeHead(500).end('<html>Sorry</html>')],
  ['it answers something else', sendJson(200, { valid: 'yes' })],
  [
    'it says false with a word that nobody knows',
    sendJson(200, { valid: false, userError: 'service-down 2' }),
  ],
  [
    'it redirects to where an answer would be',
    (response) => {
      answering = registered;
      response.writeHead(307, { Location: url }).end();
    },
  ],
  ['it answers too much', sendJson(200, { valid: true, name: 'x'.repeat(200_000) })],
  ['it hangs up', (response) => response.destroy()],
  [
    'it does not end',
    (response) => {
      response.writeHead(200);
      response.write('x'.repeat(200_000));
    },
  ],
];

describe('a register that cannot tell', () => {
  it.each(failures)('is told apart from a number that is unknown: %s', async (_, failed) => {
    answering = failed;
    const customer = await client.aCustomer(GLOBEX);
    const refused = await check(customer);
    expectProblem(refused, 503, 'vat_register_unavailable');
    expect(refused.headers.get('retry-after')).toBe('60');
    const audit = await client.get<{ data: object[] }>(`/v1/audit?subject=${customer.id}`);
    expect(audit.body.data).toHaveLength(1);
    answering = registered;
  });

  it('lets an account have two calls at once, and others come in between', async () => {
    let most = 0;
    let now = 0;
    answering = (response, body) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now -= 1;
        registered(response, body);
      }, 50);
    };
    const customer = await client.aCustomer(GLOBEX);
    const answers = await Promise.all(Array.from({ length: 8 }, async () => check(customer)));
    answering = registered;
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(most).toBe(2);
  });
});

describe('the port', () => {
  const number = { prefix: 'FR', number: '40303265045' };

  it('has an answer of one form, whoever is behind it, or a refusal of ours', async () => {
    const vies = new Vies(fetch, url);
    expect(Object.keys(await vies.find('a' as Uuid, number, null)).toSorted()).toEqual([
      'address',
      'consultationNumber',
      'isRegistered',
      'name',
    ]);
    await expect(new NoVatNumberRegister().find()).rejects.toMatchObject({
      kind: 'conflict',
      code: 'vat_register_not_configured',
    });
  });

  it('does not wait for an answer that does not come', async () => {
    answering = () => {};
    const hasty = new Vies(fetch, url, { timeoutMs: 50, limitBytes: 1000 });
    await expect(hasty.find('a' as Uuid, number, null)).rejects.toMatchObject({
      code: 'vat_register_unavailable',
    });
    answering = registered;
  });

  it('asks nobody unless it is configured', async () => {
    const silent = await startTestService();
    try {
      const one = await silent.aClient();
      const refused = await check(await one.aCustomer(GLOBEX), {}, one);
      expectProblem(refused, 409, 'vat_register_not_configured');
    } finally {
      await silent.close();
    }
  });
});
