import type { RefundStandIn } from '../../src/testing/index.js';
import { ACME_API } from './acme-provider.js';

interface MadeRefund {
  /** Without one where Acme forgets it. */
  id?: string;
  payment: string;
  state: 'done';
  reference: string;
}

/** The API of Acme in memory. @param forgetsIds its answers to refunds have no id */
export function acmeStandIn(
  settings: Readonly<Record<string, string>>,
  { forgetsIds = false } = {},
): RefundStandIn {
  const made = new Map<string, MadeRefund>();
  const fetch = async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(address);
    if (!String(address).startsWith(`${ACME_API}/`)) throw new TypeError('another host');
    if (pathname === '/refunds') {
      const key = new Headers(init.headers).get('idempotency-key') ?? '';
      const asked = JSON.parse(String(init.body)) as Record<
        'payment' | 'amount' | 'reference',
        string
      >;
      const { payment, amount, reference } = asked;
      const refund = made.get(key) ?? {
        ...(!forgetsIds && { id: `rf_${made.size + 1}` }),
        payment,
        state: 'done',
        reference: `${reference} ${amount} EUR`,
      };
      made.set(key, refund);
      return Response.json(refund, { status: 201 });
    }
    const [, payment] = /^\/payments\/(\w+)\/refunds$/.exec(pathname) ?? [];
    const refunds = [...made.values()].filter((one) => one.payment === payment);
    return Response.json({ refunds });
  };
  return {
    settings: { ...settings, api_key: 'key' },
    fetch: fetch as typeof globalThis.fetch,
    made: () => made.size,
  };
}
