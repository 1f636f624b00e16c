import { z } from 'zod';
import { Providers } from '../../../src/gateways/index.js';
import { DomainError } from '../../../src/kernel/domain-error.js';
import { Money } from '../../../src/kernel/money.js';
import {
  type Delivery,
  Gateway,
  InvalidSignature,
  type NamedObject,
  type ProviderReport,
} from '../../../src/payments/index.js';
import type { TestClient } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
import { next } from './stripe-events.js';

/** A payment as the provider tells it. */
export interface Told {
  event: string;
  link: string;
  payment: string;
  /** Only its name is told, so that it has to be looked up. */
  named?: 'signed' | 'unsigned';
  /** The payment is only told when it is asked to confirm. */
  isApproval?: boolean;
}

/** The state of its API. */
export class BatchApi {
  /** Payments that it cannot confirm now. */
  readonly undecided = new Set<string>();
  readonly denied = new Set<string>();
  /** Payments that it was asked about, in order. */
  readonly asked: string[] = [];
  /** Called before each answer. */
  before: (payment: string) => Promise<void> | void = () => undefined;
}

/** A provider that tells of many payments in one delivery. */
class BatchGateway extends Gateway {
  override readonly name = 'batch';
  readonly provider = 'batch';
  readonly method = 'other';
  readonly canRefund = false;
  override readonly accounts = 'all';

  constructor(private readonly api: BatchApi) {
    super();
  }

  async createCheckout() {
    return { url: null, providerObjectId: null };
  }

  async verify({ headers }: Delivery) {
    if (headers['batch-signature'] !== 'good') throw new InvalidSignature('not good');
  }

  parse({ rawBody }: Delivery): (ProviderReport | NamedObject)[] {
    const all = JSON.parse(rawBody.toString('utf8')) as Told[];
    return all.map((told) => {
      const objectId = JSON.stringify(told);
      if (told.named) {
        const isSigned = told.named === 'signed';
        return { kind: 'named', objectId, eventId: null, eventType: 'changed', at: null, isSigned };
      }
      if (!told.isApproval) return paidBy(told);
      const { event: eventId, link: linkId } = told;
      const of = { eventId, eventType: 'approved', fingerprint: null, linkId };
      return { ...of, kind: 'approved', providerObjectId: objectId };
    });
  }

  override async lookUp({ objectId }: NamedObject) {
    return [paidBy(JSON.parse(objectId) as Told)];
  }

  override async confirm(report: ProviderReport) {
    if (report.kind === 'approved') return paidBy(JSON.parse(report.providerObjectId) as Told);
    if (report.kind !== 'paid') return report;
    const { providerPaymentId: payment } = report;
    this.api.asked.push(payment);
    await this.api.before(payment);
    if (this.api.denied.has(payment)) throw new InvalidSignature('denied');
    if (!this.api.undecided.has(payment)) return report;
    throw DomainError.unavailable('gateway_unavailable', 'Not now.', 30);
  }

  async refund(): Promise<never> {
    throw new Error('it gives nothing back');
  }

  override async lookUpRefund() {
    return { status: 'not_found' as const };
  }
}

function paidBy({ event, link, payment }: Told): ProviderReport {
  return {
    kind: 'paid',
    eventId: event,
    eventType: 'paid',
    fingerprint: null,
    linkId: link,
    providerObjectId: null,
    providerPaymentId: payment,
    amount: Money.of(11_900n, 'EUR'),
    fee: null,
    paidAt: new Date('2026-01-01T00:00:00Z'),
  };
}

/** A service wish with a gateway `batch`, for all accounts. */
export function withBatches(api: BatchApi) {
  const batch = {
    name: 'batch',
    settings: z.strictObject({}),
    unsafe: () => [],
    open: () => new BatchGateway(api),
  };
  return {
    providers: new Providers([batch]),
    gateways: [{ name: 'batch', provider: 'batch', accounts: '*' as const, settings: {} }],
  };
}

/** Payments of as many new invoices, each by a link of its own. */
export async function invoicesToPay(client: TestClient, count: number) {
  const invoices: { id: string }[] = [];
  const told: Told[] = [];
  for (let index = 0; index < count; index += 1) {
    const invoice = await client.anInvoice();
    const { id } = await client.aPaymentLink(invoice, { gateway: 'batch' });
    invoices.push(invoice);
    told.push({ event: `evt_${next()}`, link: id, payment: `pay_${next()}` });
  }
  const paid = async () =>
    Promise.all(invoices.map(async (one) => (await client.read(one)).amount_paid));
  return { told, paid };
}

/** Events about links of nobody: they move nothing, and make a delivery large. */
export function foreignEvents(count: number): Told[] {
  return Array.from({ length: count }, () => ({
    event: `evt_${next()}`,
    link: 'plink_nobody',
    payment: `pay_${next()}`,
  }));
}

export const deliverBatch = async (
  service: TestService,
  told: readonly Told[],
  signature = 'good',
) =>
  service.call<{ status: string; code?: string }>('/v1/webhooks/batch', {
    method: 'POST',
    body: JSON.stringify(told),
    headers: { 'content-type': 'application/json', 'batch-signature': signature },
  });
