import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SandboxBook } from '../../../src/gateways/sandbox/sandbox-book.js';
import { SandboxDeliveries } from '../../../src/gateways/sandbox/sandbox-deliveries.js';
import { pause } from '../../../src/kernel/clock.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { CheckoutLookUps } from '../../../src/payments/inbox/application/checkouts/checkout-look-ups.js';
import { Jobs } from '../../../src/platform/jobs.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectBooksToAgree } from '../documents/document-calls.js';
import { expectProblem } from '../expectations.js';
import {
  aSandboxPlace,
  aSandboxService,
  chooseAtSandbox,
  SANDBOX_DELAY_SECONDS,
  SANDBOX_ENDS,
  SANDBOX_FORM,
  sandboxLater,
  sandboxPageOf,
  type SandboxPlace,
  stateAfterSandbox,
  sandboxTokenOn,
} from './sandbox-pages.js';

// Events of the sandbox that are refused, interrupted, or left behind.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await aSandboxService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const breakWebhooks = () =>
  service.database.query('ALTER TABLE provider_events RENAME TO provider_events_away');
const mendWebhooks = () =>
  service.database.query('ALTER TABLE IF EXISTS provider_events_away RENAME TO provider_events');

const sendingsOf = async (dataDir: string, named: { gateway: string; linkId: string }) =>
  new SandboxBook(dataDir).sendingsOf(named);

const plannedOf = async ({ link }: SandboxPlace) =>
  (await sendingsOf(service.config.dataDir, { gateway: 'sandbox', linkId: link.id })).length;

describe('an event that is refused', () => {
  it('comes again, and what is chosen stays chosen', async () => {
    const place = await aSandboxPlace(client);
    await breakWebhooks();
    try {
      expect((await chooseAtSandbox(service, place, 'bounced')).status).toBe(303);
      await sandboxLater(service, 3);
    } finally {
      await mendWebhooks();
    }
    expect(await stateAfterSandbox(client, place)).toEqual({ due: 11_900, link: 'open' });
    await sandboxLater(service, 60);
    expect(await stateAfterSandbox(client, place)).toEqual(SANDBOX_ENDS.bounced);
  });

  it('is waited for longer each time, for three days', async () => {
    const [place, hopeless] = [await aSandboxPlace(client), await aSandboxPlace(client)];
    await breakWebhooks();
    try {
      await chooseAtSandbox(service, place, 'paid');
      for (let count = 0; count < 7; count += 1) await sandboxLater(service, 150);
      await mendWebhooks();
      // After eight refusals it waits for 256 seconds.
      await sandboxLater(service, 150);
      expect(await stateAfterSandbox(client, place)).toEqual({ due: 11_900, link: 'open' });
      await sandboxLater(service, 150);
      expect(await stateAfterSandbox(client, place)).toEqual(SANDBOX_ENDS.paid);
      await breakWebhooks();
      await chooseAtSandbox(service, hopeless, 'paid');
      await sandboxLater(service, 2.9 * 86_400);
      expect(await plannedOf(hopeless)).toBe(1);
      await sandboxLater(service, 86_400);
      expect(await plannedOf(hopeless)).toBe(0);
    } finally {
      await mendWebhooks();
    }
    expect(await stateAfterSandbox(client, hopeless)).toEqual({ due: 11_900, link: 'open' });
  });

  it('survives its process, and is told by a look-up before it comes', async () => {
    const { config } = service;
    const [looked, sent] = [await aSandboxPlace(client), await aSandboxPlace(client)];
    for (const place of [looked, sent]) await chooseAtSandbox(service, place, 'dispute_lost');
    service.clock.advance({ seconds: 2 * SANDBOX_DELAY_SECONDS });
    await service.database.query('DELETE FROM checkout_look_ups WHERE payment_link_id <> $1', [
      uuidOf('plink', looked.link.id),
    ]);
    await service.database.query('UPDATE checkout_look_ups SET next_look_at = $1', [
      service.clock.now(),
    ]);
    await service.app.get(CheckoutLookUps).run();
    expect(await stateAfterSandbox(client, looked)).toEqual(SANDBOX_ENDS.dispute_lost);
    expect(await stateAfterSandbox(client, sent)).toEqual({ due: 0, link: 'paid' });
    const { database, clock } = service;
    const next = await aSandboxService({}, { dataDir: config.dataDir, database, clock });
    try {
      await sandboxLater(next, 0);
      for (const place of [looked, sent]) {
        expect(await stateAfterSandbox(client, place)).toEqual(SANDBOX_ENDS.dispute_lost);
      }
    } finally {
      await next.close();
    }
    await expectBooksToAgree(service);
  });

  it('is not waited for by a service that stops, and comes from the next one', async () => {
    const stopping = await aSandboxService();
    const owner = await stopping.aClient();
    const place = await aSandboxPlace(owner);
    await chooseAtSandbox(stopping, place, 'paid_later');
    const holder = await stopping.database.connect();
    await holder.query('BEGIN; LOCK TABLE documents IN ACCESS EXCLUSIVE MODE');
    stopping.clock.advance({ seconds: SANDBOX_DELAY_SECONDS });
    const deliveries = stopping.app.get(SandboxDeliveries);
    const round = deliveries.run();
    await stopping.database.untilBlocked();
    const began = performance.now();
    await stopping.app.get(Jobs).onModuleDestroy();
    await round;
    expect(performance.now() - began).toBeLessThan(1000);
    await holder.query('ROLLBACK');
    await holder.end();
    const { database, clock, config } = stopping;
    const next = await aSandboxService({}, { database, clock, dataDir: config.dataDir });
    try {
      await sandboxLater(next, 2);
      expect(await stateAfterSandbox(owner, place)).toEqual(SANDBOX_ENDS.paid);
    } finally {
      await next.close();
      await stopping.close();
    }
  });

  it('is sent by the job of the service', async () => {
    const working = await aSandboxService({}, { doesJobs: true });
    try {
      const owner = await working.aClient();
      const place = await aSandboxPlace(owner);
      await chooseAtSandbox(working, place, 'paid_later');
      working.clock.advance({ seconds: SANDBOX_DELAY_SECONDS });
      await expect.poll(async () => stateAfterSandbox(owner, place)).toEqual(SANDBOX_ENDS.paid);
    } finally {
      await working.close();
    }
  });
});

describe('in production', () => {
  it('there is no sandbox, whatever it left behind', async () => {
    const place = await aSandboxPlace(client);
    const token = sandboxTokenOn(await sandboxPageOf(service, place));
    await chooseAtSandbox(service, await aSandboxPlace(client), 'bounced');
    const { database, config, clock } = service;
    const { dataDir } = config;
    const left = async () => new SandboxBook(dataDir).waiting();
    expect((await left()).length).toBeGreaterThan(0);
    const before = await Promise.all((await left()).map(async (one) => sendingsOf(dataDir, one)));
    clock.advance({ seconds: SANDBOX_DELAY_SECONDS });
    const wish = { production: true, doesJobs: true, gateways: [], dataDir, database, clock };
    const production = await startTestService(wish);
    try {
      expectProblem(await production.call(place.path), 404, 'gateway_not_found');
      const body = `token=${token}&outcome=paid`;
      const chosen = await production.call(place.path, {
        method: 'POST',
        body,
        headers: SANDBOX_FORM,
      });
      expectProblem(chosen, 404, 'gateway_not_found');
      await pause(2500);
      const now = await Promise.all((await left()).map(async (one) => sendingsOf(dataDir, one)));
      expect(now).toEqual(before);
    } finally {
      await production.close();
    }
    expect(await stateAfterSandbox(client, place)).toEqual({ due: 11_900, link: 'open' });
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
    expect((await chooseAtSandbox(service, place, 'bounced')).status).toBe(303);
    await sandboxLater(service, 5);
    expect(await stateAfterSandbox(client, place)).toEqual({ due: 0, link: 'paid' });
    await sandboxLater(service, 4);
    expect(await stateAfterSandbox(client, place)).toEqual(SANDBOX_ENDS.bounced);
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
