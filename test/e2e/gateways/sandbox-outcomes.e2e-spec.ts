import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  SANDBOX_OUTCOME_NAMES,
  type SandboxOutcome,
} from '../../../src/gateways/sandbox/sandbox-outcomes.js';
import type { TestClient } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
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
  stateAfterSandbox,
  sandboxTokenOn,
} from './sandbox-pages.js';

// Each choice of the sandbox's pay page, as a browser makes it: page, choice, webhooks, books.

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

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await aSandboxService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const post = async (path: string, body: string) =>
  service.call(path, { method: 'POST', body, headers: SANDBOX_FORM });

describe('a choice on the pay page', () => {
  it.each(SANDBOX_OUTCOME_NAMES)(
    '%s begins at once, and ends after its delays',
    async (outcome) => {
      const place = await aSandboxPlace(client);
      const answer = await chooseAtSandbox(service, place, outcome);
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        expect.stringContaining(`/v1/portal/return/${place.link.id}`),
      ]);
      expect(await stateAfterSandbox(client, place)).toMatchObject({ link: BEGINS[outcome] });
      await sandboxLater(service, SANDBOX_DELAY_SECONDS);
      await sandboxLater(service, SANDBOX_DELAY_SECONDS);
      expect(await stateAfterSandbox(client, place)).toEqual(SANDBOX_ENDS[outcome]);
      const items = await client.get<{ data: object[] }>('/v1/finance/unmatched-items?status=open');
      expect(items.body.data).toEqual([]);
      await expectBooksToAgree(service);
    },
  );

  it('is a plain payment where nothing is chosen', async () => {
    const place = await aSandboxPlace(client);
    const body = `token=${sandboxTokenOn(await sandboxPageOf(service, place))}`;
    await service.call(place.path, { method: 'POST', body, headers: SANDBOX_FORM });
    expect(await stateAfterSandbox(client, place)).toEqual(SANDBOX_ENDS.paid);
  });

  it('to close the page tells nothing, and leaves the page open', async () => {
    const place = await aSandboxPlace(client);
    expect((await chooseAtSandbox(service, place, 'left')).status).toBe(303);
    await sandboxLater(service, 60);
    expect(await stateAfterSandbox(client, place)).toEqual({ due: 11_900, link: 'open' });
    expect((await chooseAtSandbox(service, place, 'paid')).status).toBe(303);
    expect(await stateAfterSandbox(client, place)).toEqual(SANDBOX_ENDS.paid);
  });

  it('counts once, however often it is pressed, and then the page says what was chosen', async () => {
    const place = await aSandboxPlace(client);
    const token = sandboxTokenOn(await sandboxPageOf(service, place));
    const press = async (outcome: string) => {
      const body = new URLSearchParams({ token, outcome }).toString();
      return service.call(place.path, { method: 'POST', body, headers: SANDBOX_FORM });
    };
    const at = await Promise.all(Array.from({ length: 8 }, () => press('bounced')));
    expect(new Set(at.map(({ status }) => status))).toEqual(new Set([303]));
    const { body } = await client.get<{ data: object[] }>(
      `/v1/finance/documents/${place.invoice.id}/payments`,
    );
    expect(body.data).toHaveLength(1);
    const page = await sandboxPageOf(service, place);
    expect(page).toContain(
      'Chosen: Pay, and it bounces. Paid at once, taken back after 5 seconds.',
    );
    expect(sandboxTokenOn(page)).toBe('');
    expectProblem(await press('paid'), 409, 'payment_link_not_open');
    await sandboxLater(service, SANDBOX_DELAY_SECONDS);
    expect(await stateAfterSandbox(client, place)).toEqual(SANDBOX_ENDS.bounced);
  });

  it('of two that are different, one counts', async () => {
    const place = await aSandboxPlace(client);
    const token = sandboxTokenOn(await sandboxPageOf(service, place));
    const answers = await Promise.all(
      ['paid', 'failed', 'paid', 'failed'].map(async (outcome) => {
        const body = new URLSearchParams({ token, outcome }).toString();
        return (await service.call(place.path, { method: 'POST', body, headers: SANDBOX_FORM }))
          .status;
      }),
    );
    expect(answers.toSorted()).toEqual([303, 303, 409, 409]);
    const paid = answers[0] === 303;
    expect(await stateAfterSandbox(client, place)).toEqual(
      paid ? SANDBOX_ENDS.paid : SANDBOX_ENDS.failed,
    );
  });
});

describe('what cannot be', () => {
  const untouched = { due: 11_900, link: 'open' };

  it('is refused: no token of this page', async () => {
    const [place, other] = [await aSandboxPlace(client), await aSandboxPlace(client)];
    const wrong = [
      '',
      'outcome=paid',
      'token=&outcome=paid',
      `token=${'0'.repeat(64)}&outcome=paid`,
      `token=${sandboxTokenOn(await sandboxPageOf(service, other))}&outcome=paid`,
    ];
    for (const body of wrong)
      expectProblem(await post(place.path, body), 403, 'cross_site_request');
    expect(await stateAfterSandbox(client, place)).toEqual(untouched);
  });

  it.each([
    ['an unknown end', '&outcome=payout.paid', 422, 'not_in_list'],
    ['a name of every object', '&outcome=__proto__', 422, 'not_in_list'],
    ['several ends', '&outcome=paid&outcome=failed', 400, 'duplicate_key'],
    ['another field', '&amount=1', 422, 'unknown_field'],
    ['a token that is too long', 'x'.repeat(100), 422, 'invalid_text'],
  ])('is refused: %s', async (_name, more, status, code) => {
    const place = await aSandboxPlace(client);
    const token = sandboxTokenOn(await sandboxPageOf(service, place));
    expectProblem(await post(place.path, `token=${token}${more}`), status, code);
    expect(await stateAfterSandbox(client, place)).toEqual(untouched);
  });

  it('is refused: a page whose link is canceled, or whose time is over', async () => {
    const [canceled, old] = [await aSandboxPlace(client), await aSandboxPlace(client)];
    const token = sandboxTokenOn(await sandboxPageOf(service, canceled));
    await client.post(`/v1/finance/payment-links/${canceled.link.id}/cancel`);
    expectProblem(await post(canceled.path, `token=${token}`), 409, 'payment_link_not_open');
    expect(await sandboxPageOf(service, canceled)).not.toContain('<form');
    const oldToken = sandboxTokenOn(await sandboxPageOf(service, old));
    service.clock.advance({ days: 40 });
    try {
      expectProblem(await post(old.path, `token=${oldToken}`), 409, 'payment_link_not_open');
    } finally {
      service.clock.advance({ days: -40 });
    }
  });

  it('is refused: a gateway that is no sandbox, and a link that is not there', async () => {
    const place = await aSandboxPlace(client);
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
    slow = await aSandboxService({ delivery: 'like_a_provider' });
    owner = await slow.aClient();
  });
  afterAll(() => slow.close());

  it.each(SANDBOX_OUTCOME_NAMES)(
    '%s ends the same, late, repeated and out of order',
    async (outcome) => {
      const places = [];
      for (let index = 0; index < 8; index += 1) {
        const place = await aSandboxPlace(owner);
        expect((await chooseAtSandbox(slow, place, outcome)).status).toBe(303);
        places.push(place);
      }
      for (let second = 0; second < 5 * SANDBOX_DELAY_SECONDS; second += 1)
        await sandboxLater(slow, 1);
      for (const place of places)
        expect(await stateAfterSandbox(owner, place)).toEqual(SANDBOX_ENDS[outcome]);
      const items = await owner.get<{ data: object[] }>('/v1/finance/unmatched-items?status=open');
      expect(items.body.data).toEqual([]);
      await expectBooksToAgree(slow);
    },
  );
});
