import type { MandateStandIn, RefundStandIn } from '../../src/testing/index.js';
import { ACME_API } from './acme-provider.js';

interface MadeRefund {
  /** Without one where Acme forgets it. */
  id?: string;
  payment: string;
  state: 'done' | 'waits' | 'given up';
  reference: string;
}

interface Sent {
  path: string;
  key: string;
  body: Record<string, string>;
}

type AcmeAnswer = [status: number, json: object];

/** The API of Acme in memory. @param forgetsIds its answers to refunds have no id */
export function acmeStandIn(
  settings: Readonly<Record<string, string>>,
  { forgetsIds = false } = {},
): RefundStandIn & MandateStandIn {
  const refunds = new Map<string, MadeRefund>();
  const debits = new Map<string, { id: string; reference: string }>();
  const mandates = new Map<string, string>();
  const ended = new Set<string>();
  const next = { refuses: false, waits: false, loses: false };

  const refunded = ({ key, body }: Sent): AcmeAnswer => {
    if (next.refuses) return [422, { reason: 'too_old' }];
    const { payment = '', amount, reference } = body;
    const made: MadeRefund = refunds.get(key) ?? {
      ...(!forgetsIds && { id: `rf_${refunds.size + 1}` }),
      payment,
      state: next.waits ? 'waits' : 'done',
      reference: `${reference} ${amount} EUR`,
    };
    refunds.set(key, made);
    return [201, made];
  };
  const debited = ({ key, body }: Sent): AcmeAnswer => {
    const made = debits.get(key) ?? { id: `db_${key}`, reference: body['reference'] ?? '' };
    debits.set(key, made);
    const isLost = next.loses;
    next.loses = false;
    return isLost ? [503, {}] : [201, made];
  };
  const answerTo = (sent: Sent): AcmeAnswer => {
    const { path, key } = sent;
    const [, kind, id = '', what] = path.split('/');
    if (path === '/refunds') return refunded(sent);
    if (path === '/debits') return debited(sent);
    if (path === '/mandates') {
      const made = mandates.get(key) ?? `md_${mandates.size + 1}`;
      mandates.set(key, made);
      return [201, { id: made }];
    }
    if (kind === 'mandates' && what === 'debits') return [200, { debits: [...debits.values()] }];
    if (kind === 'mandates' && what === 'end') {
      if (ended.has(id)) return [409, {}];
      ended.add(id);
      return [200, {}];
    }
    const of = [...refunds.values()].filter(({ payment }) => payment === id);
    return [200, { refunds: of }];
  };
  const fetch = async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    if (!String(address).startsWith(`${ACME_API}/`)) throw new TypeError('another host');
    const key = new Headers(init.headers).get('idempotency-key') ?? '';
    const body = JSON.parse(String(init.body ?? '{}')) as Sent['body'];
    const [status, json] = answerTo({ path: new URL(address).pathname, key, body });
    return Response.json(json, { status });
  };
  return {
    settings: { ...settings, api_key: 'key' },
    fetch: fetch as typeof globalThis.fetch,
    made: () => refunds.size,
    refuse: () => (next.refuses = true),
    hold: () => (next.waits = true),
    giveUp: () => {
      for (const refund of refunds.values()) refund.state = 'given up';
    },
    providerMandateId: 'md_active',
    debits: () => debits.size,
    loseAnswer: () => (next.loses = true),
  };
}
