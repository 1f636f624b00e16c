import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  SANDBOX_OUTCOME_NAMES,
  type SandboxOutcome,
} from '../../../src/gateways/sandbox/sandbox-outcomes.js';
import { SANDBOX_TELLS, type SandboxKind } from '../../../src/gateways/sandbox/sandbox-told.js';
import type { TestClient } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
import { expectBooksToAgree } from '../documents/document-calls.js';
import { oneIn } from '../../support/share.js';
import { expectProblem } from '../expectations.js';
import {
  aSandboxPlace,
  aSandboxService,
  SANDBOX_DELAY_SECONDS,
  SANDBOX_ENDS,
  sandboxLater,
  type SandboxPlace,
  stateAfterSandbox,
} from './sandbox-pages.js';

// All that the sandbox may be told over the API, and what becomes of it in the books.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await aSandboxService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

interface Told {
  code?: string;
  kind: string;
  gateway: string;
  events: { id: string; type: string; at: string; sent: boolean }[];
}
const tell = async (object: string, outcome: string, more: object = {}, key?: string) =>
  client.post<Told>(
    '/v1/sandbox/outcomes',
    { object, outcome, ...more },
    key === undefined ? {} : { 'Idempotency-Key': key },
  );
const told = async (object: string, outcome: string, more: object = {}) => {
  const answer = await tell(object, outcome, more);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.body;
};

const statusOf = async (path: string) => (await client.get<{ status: string }>(path)).body.status;

async function paid(): Promise<SandboxPlace & { payment: string }> {
  const place = await aSandboxPlace(client);
  await told(place.link.id, 'paid');
  const { body } = await client.get<{ data: { id: string }[] }>(
    `/v1/finance/documents/${place.invoice.id}/payments`,
  );
  return { ...place, payment: body.data[0]?.id ?? '' };
}

async function refundBegun(manner: string): Promise<{ place: SandboxPlace; refund: string }> {
  const { payment, ...place } = await paid();
  await told(payment, manner);
  const path = `/v1/finance/payments/${payment}/refunds`;
  const { body } = await client.post<{ refund: { id: string } }>(path, {});
  return { place, refund: body.refund.id };
}

async function disputed(by = 'dispute_opened', more: object = {}) {
  const { payment, ...place } = await paid();
  await told(payment, by, more);
  const { body } = await client.get<{ data: { id: string; status: string; amount: number }[] }>(
    `/v1/finance/disputes?payment_id=${payment}`,
  );
  const [dispute] = body.data;
  if (!dispute) throw new Error('there is no dispute');
  return { place, payment, dispute };
}

async function aMandate(): Promise<string> {
  const customer = await client.aCustomer();
  const { body } = await client.post<{ id: string }>(
    `/v1/finance/customers/${customer.id}/mandates`,
    { gateway: 'sandbox', currency: 'EUR' },
  );
  return body.id;
}

async function aPayout(): Promise<string> {
  const { payment } = await paid();
  await told(payment, 'paid_out');
  const { body } = await client.get<{ data: { id: string }[] }>('/v1/finance/payouts');
  return body.data[0]?.id ?? '';
}

const REFUND = (id: string) => `/v1/finance/refunds/${id}`;
const DISPUTE = (id: string) => `/v1/finance/disputes/${id}`;

/** Causes an outcome, and looks at what came of it. */
type Walk = () => Promise<void>;

const linkWalks = Object.fromEntries(
  SANDBOX_OUTCOME_NAMES.map((outcome): [SandboxOutcome, Walk] => [
    outcome,
    async () => {
      const place = await aSandboxPlace(client);
      const { events } = await told(place.link.id, outcome);
      expect(events.map(({ sent }) => sent)).toEqual(events.map((_event, index) => index === 0));
      await sandboxLater(service, SANDBOX_DELAY_SECONDS);
      await sandboxLater(service, SANDBOX_DELAY_SECONDS);
      expect(await stateAfterSandbox(client, place)).toEqual(SANDBOX_ENDS[outcome]);
    },
  ]),
);

const mandateWalk = (status: string) => async () => {
  const mandate = await aMandate();
  const { events } = await told(mandate, status);
  expect(events).toMatchObject([{ type: `mandate.${status}`, sent: true }]);
  expect(await statusOf(`/v1/finance/mandates/${mandate}`)).toBe(status);
};

const endedRefund = (outcome: string, status: string, due: number) => async () => {
  const { place, refund } = await refundBegun('refunds_pend');
  expect(await statusOf(REFUND(refund))).toBe('pending');
  await told(refund, outcome);
  expect(await statusOf(REFUND(refund))).toBe(status);
  expect(await stateAfterSandbox(client, place)).toMatchObject({ due });
};

const begunRefund = (manner: string, status: string) => async () => {
  const { refund } = await refundBegun(manner);
  expect(await statusOf(REFUND(refund))).toBe(status);
};

const endedDispute =
  (outcome: string, status: string, due: number, by = 'dispute_opened') =>
  async () => {
    const { place, dispute } = await disputed(by);
    await told(dispute.id, outcome);
    expect(await statusOf(DISPUTE(dispute.id))).toBe(status);
    expect(await stateAfterSandbox(client, place)).toMatchObject({ due });
  };

const WALKS: { [Kind in SandboxKind]: Record<string, Walk> } = {
  payment_link: linkWalks,
  mandate: Object.fromEntries(SANDBOX_TELLS.mandate.map((one) => [one, mandateWalk(one)])),
  payment: {
    refunded: async () => {
      const { payment, ...place } = await paid();
      await told(payment, 'refunded', { amount: 1900 });
      expect(await stateAfterSandbox(client, place)).toMatchObject({ due: 1900 });
      await told(payment, 'refunded', { amount: 10_000 });
      expect(await stateAfterSandbox(client, place)).toMatchObject({ due: 11_900 });
    },
    reversed: async () => {
      const { payment, ...place } = await paid();
      await told(payment, 'reversed');
      expect(await stateAfterSandbox(client, place)).toEqual(SANDBOX_ENDS.bounced);
    },
    dispute_inquiry: async () => {
      expect((await disputed('dispute_inquiry')).dispute.status).toBe('inquiry');
    },
    dispute_opened: async () => {
      const { dispute } = await disputed('dispute_opened', { amount: 900 });
      expect(dispute).toMatchObject({ status: 'open', amount: 900 });
    },
    paid_out: async () => {
      expect(await statusOf(`/v1/finance/payouts/${await aPayout()}`)).toBe('sent');
    },
    refunds_succeed: begunRefund('refunds_succeed', 'succeeded'),
    refunds_pend: begunRefund('refunds_pend', 'pending'),
    refunds_fail: begunRefund('refunds_fail', 'failed'),
    refunds_unanswered: async () => {
      const { refund } = await refundBegun('refunds_unanswered');
      expect(await statusOf(REFUND(refund))).toBe('unknown');
      await told(refund, 'succeeded');
      expect(await statusOf(REFUND(refund))).toBe('succeeded');
    },
  },
  refund: {
    pending: endedRefund('pending', 'pending', 0),
    succeeded: endedRefund('succeeded', 'succeeded', 11_900),
    failed: endedRefund('failed', 'failed', 0),
  },
  dispute: {
    opened: endedDispute('opened', 'open', 0, 'dispute_inquiry'),
    updated: endedDispute('updated', 'open', 0),
    won: endedDispute('won', 'won', 0),
    lost: endedDispute('lost', 'lost', 11_900),
    closed: endedDispute('closed', 'closed', 0, 'dispute_inquiry'),
  },
  payout: {
    failed: async () => {
      const payout = await aPayout();
      await told(payout, 'failed');
      expect(await statusOf(`/v1/finance/payouts/${payout}`)).toBe('failed');
    },
  },
};

describe('each outcome', () => {
  const all = Object.entries(SANDBOX_TELLS).flatMap(([kind, words]) =>
    words.map((word) => [kind as SandboxKind, word] as const),
  );

  it('has a walk', () => {
    const walked = Object.entries(WALKS).flatMap(([kind, of]) =>
      Object.keys(of).map((word) => `${kind} ${word}`),
    );
    expect(walked.toSorted()).toEqual(all.map((pair) => pair.join(' ')).toSorted());
  });

  it.each(oneIn(3, all))('of a %s happens: %s', async (kind, word) => {
    await WALKS[kind][word]?.();
    await expectBooksToAgree(service);
  });

  it('is in the record of calls, as those of a provider are', async () => {
    const { payment } = await paid();
    const { events } = await told(payment, 'reversed');
    const { body } = await client.get<{ data: { id: string; event_types: string[] }[] }>(
      '/v1/finance/gateway-events?gateway=sandbox',
    );
    const [newest] = body.data;
    expect(newest?.event_types).toEqual(['payment.reversed']);
    const whole = await client.get(`/v1/finance/gateway-events/${newest?.id}`);
    expect(whole.text).toContain(events[0]?.id);
  });
});

describe('a debit', () => {
  it('ends as it is told, under the id that it was asked for with', async () => {
    const customer = await client.aCustomer();
    await client.post(`/v1/finance/customers/${customer.id}/mandates`, {
      gateway: 'sandbox',
      currency: 'EUR',
    });
    const invoice = await client.anInvoice({ customer_id: customer.id, customer: undefined });
    const { body: link } = await client.post<{ id: string }>(
      `/v1/finance/documents/${invoice.id}/collect`,
      {},
    );
    await told(link.id, 'paid_later');
    await sandboxLater(service, SANDBOX_DELAY_SECONDS);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0 });
    const { body } = await client.get<{ data: { reference: string }[] }>(
      `/v1/finance/documents/${invoice.id}/payments`,
    );
    expect(body.data[0]?.reference).toBe(`sbx_${link.id}`);
  });
});

describe('to tell the sandbox', () => {
  it('twice with one key is once', async () => {
    const { payment, ...place } = await paid();
    const first = await tell(payment, 'refunded', { amount: 100 }, 'a key');
    const again = await tell(payment, 'refunded', { amount: 100 }, 'a key');
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await stateAfterSandbox(client, place)).toMatchObject({ due: 100 });
  });

  it('is refused for a live account', async () => {
    const live = await service.aClient({ mode: 'live' });
    const answer = await live.post('/v1/sandbox/outcomes', {
      object: 'plink_01h455vb4pex5vsknk084sn02q',
      outcome: 'paid',
    });
    expectProblem(answer, 403, 'sandbox_for_tests');
  });

  it('is refused of what is another account’s, as what is not there', async () => {
    const other = await service.aClient();
    const { payment, link } = await paid();
    client = other;
    expectProblem(await tell(payment, 'reversed'), 404, 'payment_not_found');
    expectProblem(await tell(link.id, 'paid'), 404, 'payment_link_not_found');
  });

  it.each([
    ['doc_01h455vb4pex5vsknk084sn02q', 'paid', 422, 'invalid_id'],
    ['__proto___x', 'paid', 422, 'invalid_id'],
    ['constructor_01h455vb4pex5vsknk084sn02q', 'paid', 422, 'invalid_id'],
    ['mand_01h455vb4pex5vsknk084sn02q', 'active', 404, 'mandate_not_found'],
    ['rfnd_01h455vb4pex5vsknk084sn02q', 'failed', 404, 'refund_not_found'],
    ['dsp_01h455vb4pex5vsknk084sn02q', 'won', 404, 'dispute_not_found'],
    ['pout_01h455vb4pex5vsknk084sn02q', 'failed', 404, 'payout_not_found'],
    ['pay_01h455vb4pex5vsknk084sn02q', 'exploded', 422, 'not_in_list'],
  ])('is refused of %s: %s', async (object, outcome, status, code) => {
    expectProblem(await tell(object, outcome), status, code);
  });

  it('is refused where it cannot be', async () => {
    const { payment, link } = await paid();
    expectProblem(await tell(payment, 'won'), 422, 'sandbox_outcome_not_possible');
    expectProblem(await tell(link.id, 'failed'), 409, 'payment_link_not_open');
    expectProblem(await tell(payment, 'reversed', { amount: 1 }), 422, 'unknown_field');
    expectProblem(await tell(payment, 'refunded', { amount: 11_901 }), 422, 'amount_out_of_range');
    const invoice = await client.anInvoice();
    const byHand = await client.pay(invoice, { amount: 100 });
    const { id } = (byHand.body as unknown as { payment: { id: string } }).payment;
    expectProblem(await tell(id, 'reversed'), 409, 'not_of_sandbox');
    const other = await client.aPaymentLink(invoice, { gateway: 'gateway-a' });
    expectProblem(await tell(other.id, 'paid'), 409, 'not_of_sandbox');
  });
});
