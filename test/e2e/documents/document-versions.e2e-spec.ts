import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks, good, ifMatch, key, patched, pathOf } from './document-calls.js';
import { contentsOf, expectProblem } from '../expectations.js';

// A change of a version that somebody else changed meanwhile, and the same change twice.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});

const aDraft = (wish: object = {}) => client.anInvoice({ issue: false, ...wish });

describe('If-Match', () => {
  const STEPS: [
    string,
    () => Promise<DocumentBody>,
    (of: DocumentBody, headers: object) => ReturnType<TestClient['get']>,
  ][] = [
    ['PATCH', () => aDraft(), (of, headers) => client.patch(pathOf(of), { notes: 'x' }, headers)],
    ['DELETE', () => aDraft(), (of, headers) => client.delete(pathOf(of), headers)],
    ['issue', () => aDraft(), (of, headers) => client.post(pathOf(of, 'issue'), {}, headers)],
    [
      'void',
      () => client.anInvoice(),
      (of, headers) => client.post(pathOf(of, 'void'), {}, headers),
    ],
    [
      'write-off',
      () => client.anInvoice(),
      (of, headers) => client.post(pathOf(of, 'write-off'), {}, headers),
    ],
    ...['duplicate', 'revise', 'credit-notes'].map((step): (typeof STEPS)[number] => [
      step,
      () => client.anInvoice(),
      (of, headers) => client.post(pathOf(of, step), {}, headers),
    ]),
    [
      'convert',
      () => client.aQuote(),
      (of, headers) => client.post(pathOf(of, 'convert'), {}, headers),
    ],
    [
      'a payment',
      () => client.anInvoice(),
      (of, headers) =>
        client.post(pathOf(of, 'payments'), { amount: 100, method: 'cash' }, headers),
    ],
    [
      'a payment link',
      () => client.anInvoice(),
      (of, headers) => client.post(pathOf(of, 'payment-links'), { gateway: 'sandbox' }, headers),
    ],
  ];

  it.each(STEPS)('lets %s pass with the ETag that was read', async (_, make, act) => {
    const document = await make();
    const etag = (await client.get(pathOf(document))).headers.get('etag') ?? '';
    expect(etag).toBe(`"${document.version}"`);
    expect((await act(document, ifMatch(`"99", ${etag}`))).status).toBeLessThan(300);
  });

  it.each(STEPS)('lets %s pass with *', async (_, make, act) => {
    expect((await act(await make(), ifMatch('*'))).status).toBeLessThan(300);
  });

  it.each(STEPS)('stops a stale %s, and nothing is changed', async (_, make, act) => {
    const document = await make();
    await patched(client, document, { metadata: { a: 'b' } });
    const before = await contentsOf(service.database);
    const answer = await act(document, ifMatch(`"${document.version}"`));
    expect(expectProblem(answer, 412, 'version_mismatch')['version']).toBe(document.version + 1);
    expectProblem(
      await act(document, ifMatch(`W/"${document.version + 1}"`)),
      412,
      'version_mismatch',
    );
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it.each(STEPS)('stops a %s that it cannot read', async (_, make, act) => {
    const document = await make();
    expectProblem(await act(document, ifMatch('1')), 400, 'invalid_if_match');
  });

  it('lets one of two patches win', async () => {
    const draft = await aDraft();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((notes) =>
        client.patch(pathOf(draft), { notes }, ifMatch(`"${draft.version}"`)),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    const won = answers.find(({ status }) => status === 200);
    expect((await client.read(draft)).notes).toBe(won?.body['notes']);
    expect((await client.read(draft)).version).toBe(draft.version + 1);
  });

  it('is answered by an ETag that PATCH and the steps may go on with', async () => {
    const draft = await aDraft();
    const answer = await client.patch<DocumentBody>(pathOf(draft), { notes: 'x' });
    const tag = answer.headers.get('etag') ?? '';
    expect(tag).toBe(`"${good(answer, 200).version}"`);
    const issued = await client.post(pathOf(draft, 'issue'), {}, ifMatch(tag));
    expect(issued.status).toBe(200);
    const next = issued.headers.get('etag') ?? '';
    expect((await client.post(pathOf(draft, 'void'), {}, ifMatch(next))).status).toBe(200);
  });
});

describe('Location', () => {
  it('is where the new thing is read, as it was answered', async () => {
    const customer = await client.post('/v1/finance/customers', { name: 'Globex' });
    const put = await client.put('/v1/finance/customers/by-external-id/L-1', { name: 'Globex' });
    const invoice = await client.anInvoice();
    const duplicate = await client.post(pathOf(invoice, 'duplicate'));
    for (const { status, body, headers } of [customer, put, duplicate]) {
      const location = headers.get('location') ?? '';
      expect([status, location]).toEqual([201, expect.stringMatching(`^${service.url}/v1/`)]);
      const read = await client.get(location.slice(service.url.length));
      expect([read.body, read.headers.get('etag')]).toEqual([body, headers.get('etag')]);
    }
    const paid = await client.pay(invoice);
    const { id } = paid.body['payment'] as { id: string };
    expect(paid.headers.get('location')).toBe(`${service.url}/v1/finance/payments/${id}`);
    const again = await client.put('/v1/finance/customers/by-external-id/L-1', { name: 'Acme' });
    expect([again.status, again.headers.get('location')]).toEqual([200, null]);
  });
});

describe('the same request twice, with an Idempotency-Key', () => {
  type Send = (headers: object) => ReturnType<TestClient['get']>;
  const CALLS: [string, number, () => Promise<Send>][] = [
    [
      'PATCH',
      200,
      async () => {
        const draft = await aDraft();
        return (headers) => client.patch(pathOf(draft), { notes: 'x' }, headers);
      },
    ],
    [
      'DELETE',
      204,
      async () => {
        const draft = await aDraft();
        return (headers) => client.delete(pathOf(draft), headers);
      },
    ],
    ...(['void', 'write-off'] as const).map((step): [string, number, () => Promise<Send>] => [
      step,
      200,
      async () => {
        const invoice = await client.anInvoice();
        return (headers) => client.post(pathOf(invoice, step), {}, headers);
      },
    ]),
    ...(['duplicate', 'revise', 'credit-notes'] as const).map(
      (step): [string, number, () => Promise<Send>] => [
        step,
        201,
        async () => {
          const invoice = await client.anInvoice();
          return (headers) => client.post(pathOf(invoice, step), {}, headers);
        },
      ],
    ),
    [
      'convert',
      201,
      async () => {
        const quote = await client.aQuote();
        return (headers) => client.post(pathOf(quote, 'convert'), { issue: true }, headers);
      },
    ],
  ];

  it.each(CALLS)('happens once: %s', async (_, status, prepare) => {
    const send = await prepare();
    const first = await send(key('once'));
    const before = await contentsOf(service.database);
    const again = await send(key('once'));
    expect([first.status, again.status]).toEqual([status, status]);
    expect(again.bytes.equals(first.bytes)).toBe(true);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    for (const name of ['content-type', 'etag', 'location']) {
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    }
    expect(await contentsOf(service.database)).toEqual(before);
  });
});
