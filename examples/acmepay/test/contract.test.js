import { test } from 'node:test';
import { acmepay, API, signatureOf } from '@acme/acmepay';
import { gatewayContract } from 'quittance/testing';

const settings = { webhook_secret: 'a secret of the tests' };
const untold = [
  'processing',
  'failed',
  'reversed',
  'payout',
  'payout_failed',
  'dispute.inquiry',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
];

/** The API in memory: a key is one refund, however often it is sent. */
function standIn() {
  const made = new Map();
  const fetch = async (address, init = {}) => {
    const { pathname } = new URL(address);
    if (pathname === '/refunds') {
      const key = new Headers(init.headers).get('idempotency-key') ?? '';
      const { payment, reference } = JSON.parse(init.body);
      if (!made.has(key)) made.set(key, { id: `rf_${made.size + 1}`, payment, reference });
      return Response.json(made.get(key), { status: 201 });
    }
    const [, payment] = /^\/payments\/(\w+)\/refunds$/.exec(pathname) ?? [];
    return Response.json({ refunds: [...made.values()].filter((one) => one.payment === payment) });
  };
  return { settings: { ...settings, api_key: 'key' }, fetch, made: () => made.size };
}

const contract = gatewayContract(acmepay, {
  settings,
  sign: (body) => ({
    'content-type': 'application/json',
    'acmepay-signature': signatureOf(settings.webhook_secret, body),
  }),
  events: Object.fromEntries(untold.map((event) => [event, 'untold'])),
  api: { host: API, settings: () => ({ api_key: 'key' }) },
  refunds: { open: async () => standIn() },
});
for (const { name, run } of contract) void test(name, run);
