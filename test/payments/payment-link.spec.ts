import { describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import {
  assertCancelable,
  canBecome,
  paymentLinkStatus,
  type PaymentLink,
  type StoredPaymentLinkStatus,
} from '../../src/payments/collecting/domain/payment-link.js';
import { presentPaymentLink } from '../../src/payments/collecting/wire/payment-link.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

/** An open link over 12.50 EUR that is good for another minute. */
function aLink(over: Partial<PaymentLink> = {}): PaymentLink {
  return {
    id: '01931b2c-0000-7000-8000-000000000001',
    accountId: '01931b2c-0000-7000-8000-000000000002',
    documentId: '01931b2c-0000-7000-8000-000000000003',
    gateway: 'gateway-a',
    amount: Money.of(1250n, 'EUR'),
    status: 'open',
    url: null,
    providerObjectId: null,
    pageExpiresAt: null,
    createdAt: NOW,
    expiresAt: later(60),
    processingAt: null,
    paidAt: null,
    failedAt: null,
    failure: null,
    canceledAt: null,
    collection: null,
    ...over,
  };
}

const STATUSES: StoredPaymentLinkStatus[] = [
  ...(['open', 'processing', 'paid', 'failed', 'canceled'] as const),
  'unmatched',
];
const MOVES = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const));
const LEGAL = new Set([
  'open to processing',
  'open to paid',
  'open to failed',
  'open to canceled',
  'processing to paid',
  'processing to failed',
  'paid to failed',
  'failed to processing',
  'failed to paid',
  'canceled to processing',
  'canceled to paid',
  'open to unmatched',
  'processing to unmatched',
  'failed to unmatched',
  'canceled to unmatched',
  'unmatched to paid',
]);

describe('a payment link', () => {
  it.each(MOVES)('goes from %s to %s only where that is legal', (from, to) => {
    expect(canBecome(aLink({ status: from }), to)).toBe(LEGAL.has(`${from} to ${to}`));
  });

  it('expires at its instant, by the clock alone', () => {
    expect(paymentLinkStatus(aLink(), later(59))).toBe('open');
    expect(paymentLinkStatus(aLink(), later(60))).toBe('expired');
  });

  it.each(['processing', 'paid', 'failed', 'canceled', 'unmatched'] as const)(
    'stays %s when its time is over',
    (status) => {
      expect(paymentLinkStatus(aLink({ status }), later(3600))).toBe(status);
    },
  );

  it('can still be paid when expired or canceled: the money is there', () => {
    expect(canBecome(aLink({ expiresAt: later(-1) }), 'paid')).toBe(true);
    expect(canBecome(aLink({ status: 'canceled' }), 'paid')).toBe(true);
  });

  it('can be canceled while open, also after its time', () => {
    expect(() => assertCancelable(aLink(), NOW)).not.toThrow();
    expect(() => assertCancelable(aLink(), later(3600))).not.toThrow();
  });

  it.each(['processing', 'paid', 'failed', 'canceled', 'unmatched'] as const)(
    'is not canceled when %s',
    (status) => {
      expect(() => assertCancelable(aLink({ status }), NOW)).toThrow(
        expect.objectContaining({
          kind: 'conflict',
          code: 'payment_link_not_open',
          context: { payment_link_status: status },
        }),
      );
    },
  );

  it('is shown with public ids and minor units, and without its account', () => {
    expect(presentPaymentLink(aLink({ paidAt: later(1), status: 'paid' }), NOW)).toEqual({
      id: expect.stringMatching(/^plink_/),
      document_id: expect.stringMatching(/^doc_/),
      gateway: 'gateway-a',
      amount: 1250,
      currency: 'EUR',
      status: 'paid',
      url: null,
      created_at: '2026-11-20T12:00:00.000Z',
      expires_at: '2026-11-20T12:01:00.000Z',
      page_expires_at: null,
      processing_at: null,
      paid_at: '2026-11-20T12:00:01.000Z',
      failed_at: null,
      failure: null,
      canceled_at: null,
      mandate_id: null,
      charge_on: null,
    });
  });
});
