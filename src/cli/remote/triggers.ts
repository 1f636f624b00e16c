import { randomUUID } from 'node:crypto';
import { type RemoteService, RemoteRefused } from './remote-service.js';

interface Made {
  id: string;
}

const NOT_THERE = 'plink_01h455vb4pex5vsknk084sn02q';
const WORK = [{ description: 'Consulting', quantity: '1', unit_amount: 10_000, tax_rate: '19' }];
const CUSTOMER = { name: 'Globex GmbH', email: 'accounts@globex.example', country: 'DE' };

/** The steps of an integration, of which facts are made on an account for trying. */
export class Trial {
  constructor(
    private readonly service: RemoteService,
    private readonly gateway: string,
  ) {}

  /** @throws Error for a live account, whose books are no place for this */
  async assertForTrying(): Promise<void> {
    try {
      await this.told(NOT_THERE, 'paid');
    } catch (error) {
      if (!(error instanceof RemoteRefused)) throw error;
      if (error.status !== 404) throw error;
    }
  }

  async document(more: object = {}): Promise<Made> {
    const body = { customer: CUSTOMER, lines: WORK, issue: true, ...more };
    return this.service.post('/v1/finance/documents', body);
  }

  async step(document: Made, step: string, body: object = {}): Promise<Made> {
    return this.service.post(`/v1/finance/documents/${document.id}/${step}`, body);
  }

  async send(method: 'PATCH' | 'DELETE', document: Made, body?: object): Promise<unknown> {
    return this.service.send(method, `/v1/finance/documents/${document.id}`, body);
  }

  async portal(document: Made, answer: 'accept' | 'reject', body: object): Promise<unknown> {
    const { token } = await this.service.post<{ token: string }>(
      `/v1/finance/documents/${document.id}/portal-tokens`,
    );
    return this.service.post(`/v1/portal/${token}/${answer}`, body);
  }

  async told(object: string, outcome: string): Promise<unknown> {
    return this.service.post('/v1/sandbox/outcomes', { object, outcome });
  }

  async link(): Promise<Made> {
    return this.step(await this.document(), 'payment-links', { gateway: this.gateway });
  }

  /** A payment that came through the sandbox. */
  async paid(): Promise<Made> {
    const document = await this.document();
    const link = await this.step(document, 'payment-links', { gateway: this.gateway });
    await this.told(link.id, 'paid');
    const path = `/v1/finance/documents/${document.id}/payments`;
    const { data } = await this.service.get<{ data: Made[] }>(path);
    const [payment] = data;
    if (!payment) throw new Error('the payment did not arrive');
    return payment;
  }

  async refunded(): Promise<unknown> {
    const payment = await this.paid();
    return this.service.post(`/v1/finance/payments/${payment.id}/refunds`, {});
  }

  async refusedRefund(): Promise<unknown> {
    const payment = await this.paid();
    await this.told(payment.id, 'refunds_fail');
    return this.service.post(`/v1/finance/payments/${payment.id}/refunds`, {});
  }

  async dispute(): Promise<Made> {
    const payment = await this.paid();
    await this.told(payment.id, 'dispute_opened');
    const path = `/v1/finance/disputes?payment_id=${payment.id}`;
    const { data } = await this.service.get<{ data: Made[] }>(path);
    const [dispute] = data;
    if (!dispute) throw new Error('the dispute did not arrive');
    return dispute;
  }

  async mandate(): Promise<Made> {
    const customer = await this.customer();
    const wish = { gateway: this.gateway, currency: 'EUR' };
    return this.service.post(`/v1/finance/customers/${customer.id}/mandates`, wish);
  }

  async customer(): Promise<Made> {
    const name = `Globex ${randomUUID().slice(0, 8)}`;
    return this.service.post('/v1/finance/customers', { ...CUSTOMER, name });
  }

  async payout(): Promise<Made> {
    const payment = await this.paid();
    await this.told(payment.id, 'paid_out');
    const { data } = await this.service.get<{ data: Made[] }>('/v1/finance/payouts?limit=1');
    const [payout] = data;
    if (!payout) throw new Error('the payout did not arrive');
    return payout;
  }
}

const DRAFT = { issue: false };
const byHand = (amount: number) => ({ amount, method: 'bank_transfer' });
const DUE = 11_900;

/** How each type of event is caused. */
export const TRIGGERS: Readonly<Record<string, (on: Trial) => Promise<unknown>>> = {
  'document.created': (on) => on.document(DRAFT),
  'document.updated': async (on) =>
    on.send('PATCH', await on.document(DRAFT), { notes: 'Thank you.' }),
  'document.deleted': async (on) => on.send('DELETE', await on.document(DRAFT)),
  'document.issued': (on) => on.document(),
  'document.accepted': async (on) =>
    on.portal(await on.document({ kind: 'quote' }), 'accept', { name: 'Ada Lovelace' }),
  'document.rejected': async (on) =>
    on.portal(await on.document({ kind: 'quote' }), 'reject', { reason: 'Too expensive.' }),
  'document.converted': async (on) => on.step(await on.document({ kind: 'quote' }), 'convert'),
  'document.partially_paid': async (on) => on.step(await on.document(), 'payments', byHand(1000)),
  'document.paid': async (on) => on.step(await on.document(), 'payments', byHand(DUE)),
  'document.overpaid': async (on) =>
    on.step(await on.document(), 'payments', {
      ...byHand(DUE + 100),
      on_overpayment: 'credit',
    }),
  'document.reopened': async (on) => on.told((await on.paid()).id, 'reversed'),
  'document.credited': async (on) => on.step(await on.document(), 'credit-notes', { amount: 1000 }),
  'document.written_off': async (on) =>
    on.step(await on.document(), 'write-off', { reason: 'Insolvency' }),
  'document.voided': async (on) => on.step(await on.document(), 'void', { reason: 'A trial' }),
  'credit_note.issued': async (on) =>
    on.step(await on.document(), 'credit-notes', { amount: 1000 }),
  'payment.recorded': (on) => on.paid(),
  'payment.reversed': async (on) => on.told((await on.paid()).id, 'reversed'),
  'payment.refunded': (on) => on.refunded(),
  'refund.failed': (on) => on.refusedRefund(),
  'dispute.opened': (on) => on.dispute(),
  'dispute.won': async (on) => on.told((await on.dispute()).id, 'won'),
  'dispute.lost': async (on) => on.told((await on.dispute()).id, 'lost'),
  'payment_link.created': (on) => on.link(),
  'payment_link.processing': async (on) => on.told((await on.link()).id, 'paid_later'),
  'payment_link.paid': (on) => on.paid(),
  'payment_link.failed': async (on) => on.told((await on.link()).id, 'failed'),
  'mandate.created': (on) => on.mandate(),
  'mandate.activated': (on) => on.mandate(),
  'mandate.suspended': async (on) => on.told((await on.mandate()).id, 'suspended'),
  'mandate.ended': async (on) => on.told((await on.mandate()).id, 'canceled'),
  'customer.created': (on) => on.customer(),
  'payout.sent': (on) => on.payout(),
  'payout.failed': async (on) => on.told((await on.payout()).id, 'failed'),
};
