import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SandboxBook } from '../../../src/gateways/sandbox/sandbox-book.js';
import { SandboxDeliveries } from '../../../src/gateways/sandbox/sandbox-deliveries.js';
import {
  SANDBOX_OUTCOME_NAMES,
  type SandboxOutcome,
} from '../../../src/gateways/sandbox/sandbox-outcomes.js';
import { pause } from '../../../src/kernel/clock.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { CheckoutLookUps } from '../../../src/payments/application/checkouts/checkout-look-ups.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, testConfig, type TestService } from '../../support/service.js';
import { expectBooksToAgree } from '../documents/document-calls.js';
import { expectProblem } from '../expectations.js';

// Each choice of the sandbox's pay page, as a browser makes it: page, choice, webhooks, books.

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const DELAY_SECONDS = 5;

interface Place {
  invoice: { id: string };
  link: { id: string };
  path: string;
}

/** The document is due again, or is not; how the link and the dispute stand. */
const ENDS: Record<SandboxOutcome, { due: number; link: string; dispute?: string }> = {
  paid: { due: 0, link: 'paid' },
  failed: { due: 11_900, link: 'failed' },
  paid_later: { due: 0, link: 'paid' },
  failed_later: { due: 11_900, link: 'failed' },
  bounced: { due: 11_900, link: 'failed' },
  dispute_won: { due: 0, link: 'paid', dispute: 'won' },
  dispute_lost: { due: 11_900, link: 'failed', dispute: 'lost' },
  refunded: { due: 11_900, link: 'paid' },
  paid_out: { due: 0, link: 'paid' },
};
/** After the first event. */
const BEGINS: Record<SandboxOutcome, string> = {
  paid: 'paid',
  failed: 'failed',
  paid_later: 'processing',
  failed_later: 'processing',
  bounced: 'paid',
  dispute_won: 'paid',
  dispute_lost: 'paid',
  refunded: 'paid',
  paid_out: 'paid',
};

/** No job of its own: the tests say when it is a later time. */
async function aService(settings: Record<string, string> = {}, wish: object = {}) {
  const gateways = testConfig(0).gateways.map((one) =>
    one.name === 'sandbox' ? { ...one, settings: { ...one.settings, ...settings } } : one,
  );
  return startTestService({ doesJobs: false, gateways, ...wish });
}

async function aPlace(of: TestClient): Promise<Place> {
  const invoice = await of.anInvoice();
  const link = await of.aPaymentLink(invoice, { gateway: 'sandbox' });
  const { pathname, search } = new URL(link.url ?? '');
  return { invoice, link, path: pathname + search };
}

const pageOf = async (at: TestService, { path }: Place) => (await at.call(path)).text;
const tokenOn = (page: string) => /name="token" value="(\w+)"/.exec(page)?.[1] ?? '';

async function choose(at: TestService, place: Place, outcome: string) {
  const token = tokenOn(await pageOf(at, place));
  const body = new URLSearchParams({ token, outcome }).toString();
  return at.call(place.path, { method: 'POST', body, headers: FORM });
}

async function later(at: TestService, seconds: number): Promise<void> {
  at.clock.advance({ seconds });
  await at.app.get(SandboxDeliveries).run();
}

const sendingsOf = async (dataDir: string, named: { gateway: string; linkId: string }) =>
  new SandboxBook(dataDir).sendingsOf(named);

async function stateOf(of: TestClient, { invoice, link }: Place) {
  const { amount_due: due } = await of.read(invoice);
  const { body } = await of.get<{ status: string }>(`/v1/finance/payment-links/${link.id}`);
  const disputes = await of.get<{ data: { status: string }[] }>(
    `/v1/finance/disputes?document_id=${invoice.id}`,
  );
  const [dispute] = disputes.body.data;
  return { due, link: body.status, ...(dispute && { dispute: dispute.status }) };
}

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await aService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

describe('a choice on the pay page', () => {
  it.each(SANDBOX_OUTCOME_NAMES)(
    '%s begins at once, and ends after its delays',
    async (outcome) => {
      const place = await aPlace(client);
      const answer = await choose(service, place, outcome);
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        expect.stringContaining(`/v1/portal/return/${place.link.id}`),
      ]);
      expect(await stateOf(client, place)).toMatchObject({ link: BEGINS[outcome] });
      await later(service, DELAY_SECONDS);
      await later(service, DELAY_SECONDS);
      expect(await stateOf(client, place)).toEqual(ENDS[outcome]);
      const items = await client.get<{ data: object[] }>('/v1/finance/unmatched-items?status=open');
      expect(items.body.data).toEqual([]);
      await expectBooksToAgree(service);
    },
  );

  it('is a plain payment where nothing is chosen', async () => {
    const place = await aPlace(client);
    const body = `token=${tokenOn(await pageOf(service, place))}`;
    await service.call(place.path, { method: 'POST', body, headers: FORM });
    expect(await stateOf(client, place)).toEqual(ENDS.paid);
  });

  it('to close the page tells nothing, and leaves the page open', async () => {
    const place = await aPlace(client);
    expect((await choose(service, place, 'left')).status).toBe(303);
    await later(service, 60);
    expect(await stateOf(client, place)).toEqual({ due: 11_900, link: 'open' });
    expect((await choose(service, place, 'paid')).status).toBe(303);
    expect(await stateOf(client, place)).toEqual(ENDS.paid);
  });

  it('counts once, however often it is pressed, and then the page says what was chosen', async () => {
    const place = await aPlace(client);
    const token = tokenOn(await pageOf(service, place));
    const press = async (outcome: string) => {
      const body = new URLSearchParams({ token, outcome }).toString();
      return service.call(place.path, { method: 'POST', body, headers: FORM });
    };
    const at = await Promise.all(Array.from({ length: 8 }, () => press('bounced')));
    expect(new Set(at.map(({ status }) => status))).toEqual(new Set([303]));
    const { body } = await client.get<{ data: object[] }>(
      `/v1/finance/documents/${place.invoice.id}/payments`,
    );
    expect(body.data).toHaveLength(1);
    const page = await pageOf(service, place);
    expect(page).toContain(
      'Chosen: Pay, and it bounces. Paid at once, taken back after 5 seconds.',
    );
    expect(tokenOn(page)).toBe('');
    expectProblem(await press('paid'), 409, 'payment_link_not_open');
    await later(service, DELAY_SECONDS);
    expect(await stateOf(client, place)).toEqual(ENDS.bounced);
  });

  it('of two that are different, one counts', async () => {
    const place = await aPlace(client);
    const token = tokenOn(await pageOf(service, place));
    const answers = await Promise.all(
      ['paid', 'failed', 'paid', 'failed'].map(async (outcome) => {
        const body = new URLSearchParams({ token, outcome }).toString();
        return (await service.call(place.path, { method: 'POST', body, headers: FORM })).status;
      }),
    );
    expect(answers.toSorted()).toEqual([303, 303, 409, 409]);
    const paid = answers[0] === 303;
    expect(await stateOf(client, place)).toEqual(paid ? ENDS.paid : ENDS.failed);
  });
});

describe('what cannot be', () => {
  const post = async (path: string, body: string) =>
    service.call(path, { method: 'POST', body, headers: FORM });
  const untouched = { due: 11_900, link: 'open' };

  it('is refused: no token of this page', async () => {
    const [place, other] = [await aPlace(client), await aPlace(client)];
    const wrong = [
      '',
      'outcome=paid',
      'token=&outcome=paid',
      `token=${'0'.repeat(64)}&outcome=paid`,
      `token=${tokenOn(await pageOf(service, other))}&outcome=paid`,
    ];
    for (const body of wrong)
      expectProblem(await post(place.path, body), 403, 'cross_site_request');
    expect(await stateOf(client, place)).toEqual(untouched);
  });

  it.each([
    ['an unknown end', '&outcome=payout.paid', 422, 'not_in_list'],
    ['a name of every object', '&outcome=__proto__', 422, 'not_in_list'],
    ['several ends', '&outcome=paid&outcome=failed', 400, 'duplicate_key'],
    ['another field', '&amount=1', 422, 'unknown_field'],
    ['a token that is too long', 'x'.repeat(100), 422, 'invalid_text'],
  ])('is refused: %s', async (_name, more, status, code) => {
    const place = await aPlace(client);
    const token = tokenOn(await pageOf(service, place));
    expectProblem(await post(place.path, `token=${token}${more}`), status, code);
    expect(await stateOf(client, place)).toEqual(untouched);
  });

  it('is refused: a page whose link is canceled, or whose time is over', async () => {
    const [canceled, old] = [await aPlace(client), await aPlace(client)];
    const token = tokenOn(await pageOf(service, canceled));
    await client.post(`/v1/finance/payment-links/${canceled.link.id}/cancel`);
    expectProblem(await post(canceled.path, `token=${token}`), 409, 'payment_link_not_open');
    expect(await pageOf(service, canceled)).not.toContain('<form');
    const oldToken = tokenOn(await pageOf(service, old));
    service.clock.advance({ days: 40 });
    try {
      expectProblem(await post(old.path, `token=${oldToken}`), 409, 'payment_link_not_open');
    } finally {
      service.clock.advance({ days: -40 });
    }
  });

  it('is refused: a gateway that is no sandbox, and a link that is not there', async () => {
    const place = await aPlace(client);
    const paths = [
      place.path.replace('/sandbox/sandbox/', '/sandbox/gateway-a/'),
      '/v1/sandbox/sandbox/plink_01h455vb4pex5vsknk084sn02q',
      '/v1/sandbox/sandbox/..%2F..%2Fsecrets',
    ];
    for (const path of paths) {
      const answer = await post(path, 'outcome=paid');
      expectProblem(answer, 404, 'sandbox_link_not_found');
    }
  });
});

describe('like a provider', () => {
  let slow: TestService;
  let owner: TestClient;
  beforeAll(async () => {
    slow = await aService({ delivery: 'like_a_provider' });
    owner = await slow.aClient();
  });
  afterAll(() => slow.close());

  it.each(SANDBOX_OUTCOME_NAMES)(
    '%s ends the same, late, repeated and out of order',
    async (outcome) => {
      const places = [];
      for (let index = 0; index < 8; index += 1) {
        const place = await aPlace(owner);
        expect((await choose(slow, place, outcome)).status).toBe(303);
        places.push(place);
      }
      for (let second = 0; second < 5 * DELAY_SECONDS; second += 1) await later(slow, 1);
      for (const place of places) expect(await stateOf(owner, place)).toEqual(ENDS[outcome]);
      const items = await owner.get<{ data: object[] }>('/v1/finance/unmatched-items?status=open');
      expect(items.body.data).toEqual([]);
      await expectBooksToAgree(slow);
    },
  );
});

describe('an event that is refused', () => {
  const breakWebhooks = () =>
    service.database.query('ALTER TABLE provider_events RENAME TO provider_events_away');
  const mendWebhooks = () =>
    service.database.query('ALTER TABLE IF EXISTS provider_events_away RENAME TO provider_events');

  it('comes again, and what is chosen stays chosen', async () => {
    const place = await aPlace(client);
    await breakWebhooks();
    try {
      expect((await choose(service, place, 'bounced')).status).toBe(303);
      await later(service, 3);
    } finally {
      await mendWebhooks();
    }
    expect(await stateOf(client, place)).toEqual({ due: 11_900, link: 'open' });
    await later(service, 60);
    expect(await stateOf(client, place)).toEqual(ENDS.bounced);
  });

  it('is waited for longer each time, for three days', async () => {
    const [place, hopeless] = [await aPlace(client), await aPlace(client)];
    const isPlanned = async ({ link }: Place) =>
      (await sendingsOf(service.config.dataDir, { gateway: 'sandbox', linkId: link.id })).length;
    await breakWebhooks();
    try {
      await choose(service, place, 'paid');
      for (let count = 0; count < 7; count += 1) await later(service, 150);
      await mendWebhooks();
      // After eight refusals it waits for 256 seconds.
      await later(service, 150);
      expect(await stateOf(client, place)).toEqual({ due: 11_900, link: 'open' });
      await later(service, 150);
      expect(await stateOf(client, place)).toEqual(ENDS.paid);
      await breakWebhooks();
      await choose(service, hopeless, 'paid');
      await later(service, 2.9 * 86_400);
      expect(await isPlanned(hopeless)).toBe(1);
      await later(service, 86_400);
      expect(await isPlanned(hopeless)).toBe(0);
    } finally {
      await mendWebhooks();
    }
    expect(await stateOf(client, hopeless)).toEqual({ due: 11_900, link: 'open' });
  });

  it('survives its process, and is told by a look-up before it comes', async () => {
    const { config } = service;
    const [looked, sent] = [await aPlace(client), await aPlace(client)];
    for (const place of [looked, sent]) await choose(service, place, 'dispute_lost');
    service.clock.advance({ seconds: 2 * DELAY_SECONDS });
    await service.database.query('DELETE FROM checkout_look_ups WHERE payment_link_id <> $1', [
      uuidOf('plink', looked.link.id),
    ]);
    await service.database.query('UPDATE checkout_look_ups SET next_look_at = $1', [
      service.clock.now(),
    ]);
    await service.app.get(CheckoutLookUps).run();
    expect(await stateOf(client, looked)).toEqual(ENDS.dispute_lost);
    expect(await stateOf(client, sent)).toEqual({ due: 0, link: 'paid' });
    const { database, clock } = service;
    const next = await aService({}, { dataDir: config.dataDir, database, clock });
    try {
      await later(next, 0);
      for (const place of [looked, sent]) {
        expect(await stateOf(client, place)).toEqual(ENDS.dispute_lost);
      }
    } finally {
      await next.close();
    }
    await expectBooksToAgree(service);
  });

  it('is not waited for by a service that stops, and comes from the next one', async () => {
    const stopping = await aService();
    const owner = await stopping.aClient();
    const place = await aPlace(owner);
    await choose(stopping, place, 'paid_later');
    const holder = await stopping.database.connect();
    await holder.query('BEGIN; LOCK TABLE documents IN ACCESS EXCLUSIVE MODE');
    stopping.clock.advance({ seconds: DELAY_SECONDS });
    const deliveries = stopping.app.get(SandboxDeliveries);
    const round = deliveries.run();
    await stopping.database.untilBlocked();
    const began = performance.now();
    await deliveries.onModuleDestroy();
    await round;
    expect(performance.now() - began).toBeLessThan(1000);
    await holder.query('ROLLBACK');
    await holder.end();
    const { database, clock, config } = stopping;
    const next = await aService({}, { database, clock, dataDir: config.dataDir });
    try {
      await later(next, 2);
      expect(await stateOf(owner, place)).toEqual(ENDS.paid);
    } finally {
      await next.close();
      await stopping.close();
    }
  });

  it('is sent by the job of the service', async () => {
    const working = await aService({}, { doesJobs: true });
    try {
      const owner = await working.aClient();
      const place = await aPlace(owner);
      await choose(working, place, 'paid_later');
      working.clock.advance({ seconds: DELAY_SECONDS });
      await expect.poll(async () => stateOf(owner, place), { timeout: 10_000 }).toEqual(ENDS.paid);
    } finally {
      await working.close();
    }
  });
});

describe('in production', () => {
  it('there is no sandbox, whatever it left behind', async () => {
    const place = await aPlace(client);
    const token = tokenOn(await pageOf(service, place));
    await choose(service, await aPlace(client), 'bounced');
    const { database, config, clock } = service;
    const { dataDir } = config;
    const left = async () => new SandboxBook(dataDir).waiting();
    expect((await left()).length).toBeGreaterThan(0);
    const before = await Promise.all((await left()).map(async (one) => sendingsOf(dataDir, one)));
    clock.advance({ seconds: DELAY_SECONDS });
    const wish = { production: true, doesJobs: true, gateways: [], dataDir, database, clock };
    const production = await startTestService(wish);
    try {
      expectProblem(await production.call(place.path), 404, 'gateway_not_found');
      const body = `token=${token}&outcome=paid`;
      const chosen = await production.call(place.path, { method: 'POST', body, headers: FORM });
      expectProblem(chosen, 404, 'gateway_not_found');
      await pause(2500);
      const now = await Promise.all((await left()).map(async (one) => sendingsOf(dataDir, one)));
      expect(now).toEqual(before);
    } finally {
      await production.close();
    }
    expect(await stateOf(client, place)).toEqual({ due: 11_900, link: 'open' });
  });

  it('an account’s own sandbox of before is closed, too', async () => {
    const { body } = await client.post<{ id: string }>('/v1/finance/gateways', {
      name: 'mine',
      provider: 'sandbox',
      settings: { webhook_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', delay_seconds: '9' },
    });
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'mine' });
    const { pathname } = new URL(link.url ?? '');
    const place = { invoice, link, path: pathname };
    expect((await choose(service, place, 'bounced')).status).toBe(303);
    await later(service, 5);
    expect(await stateOf(client, place)).toEqual({ due: 0, link: 'paid' });
    await later(service, 4);
    expect(await stateOf(client, place)).toEqual(ENDS.bounced);
    const { database, config, clock } = service;
    const { dataDir, secrets } = config;
    const wish = { production: true, gateways: [], dataDir, secrets, database, clock };
    const production = await startTestService({ ...wish, doesJobs: false });
    try {
      const page = await production.call(pathname);
      expectProblem(page, 503, 'gateway_unreadable');
      const answer = await production.call(`/v1/webhooks/${body.id}`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      });
      expectProblem(answer, 503, 'gateway_unreadable');
    } finally {
      await production.close();
    }
  });
});
