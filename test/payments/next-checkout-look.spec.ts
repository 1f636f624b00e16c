import { describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import {
  checkoutLookAfterFailure,
  nextCheckoutLook,
} from '../../src/payments/collecting/domain/next-checkout-look.js';
import type { PaymentLink } from '../../src/payments/collecting/domain/payment-link.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const FIRST = 120;
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const DAY = 86_400;

function aLink(over: Partial<PaymentLink> = {}): PaymentLink {
  return {
    id: '01931b2c-0000-7000-8000-000000000001',
    accountId: '01931b2c-0000-7000-8000-000000000002',
    documentId: '01931b2c-0000-7000-8000-000000000003',
    gateway: 'gateway-a',
    amount: Money.of(1250n, 'EUR'),
    status: 'open',
    url: null,
    providerObjectId: 'cs_1',
    createdAt: NOW,
    expiresAt: after(14 * DAY),
    processingAt: null,
    paidAt: null,
    pageExpiresAt: null,
    failedAt: null,
    failure: null,
    canceledAt: null,
    collection: null,
    ...over,
  };
}

/** Seconds from one look to the next, if each finds nothing new. */
function waits(link: PaymentLink, from = after(FIRST)): number[] {
  const waited: number[] = [];
  let now = from;
  for (;;) {
    const next = nextCheckoutLook(link, now, FIRST);
    if (!next) return waited;
    expect(next.getTime()).toBeGreaterThan(now.getTime());
    waited.push((next.getTime() - now.getTime()) / 1000);
    now = next;
  }
}

describe('the looks at a pay page', () => {
  it('are further apart the longer nothing happens, of an open one six hours at most', () => {
    const open = waits(aLink());
    expect(open.slice(0, 4)).toEqual([120, 240, 480, 960]);
    expect(Math.max(...open)).toBe(6 * 3600);
  });

  it('of an open one come at its very end, too', () => {
    const link = aLink();
    const short = after(14 * DAY - 60);
    expect(nextCheckoutLook(link, short, FIRST)).toEqual(link.expiresAt);
  });

  it('of one that is over go on until it is closed', () => {
    expect(nextCheckoutLook(aLink(), after(15 * DAY), FIRST)).toEqual(after(15 * DAY + 6 * 3600));
    expect(nextCheckoutLook(aLink(), after(181 * DAY), FIRST)).toBe(null);
  });

  it.each(['paid', 'failed'] as const)('of one that is %s are few, and end some day', (status) => {
    const at = { paidAt: NOW, failedAt: NOW, failure: 'x' };
    const few = waits(aLink({ status, ...at }));
    expect(few.length).toBeLessThan(20);
    const total = few.reduce((sum, wait) => sum + wait, FIRST);
    expect(total).toBeGreaterThan(180 * DAY);
  });

  it('begin anew when something happens', () => {
    const link = aLink({ status: 'paid', paidAt: after(10 * DAY) });
    expect(nextCheckoutLook(link, after(10 * DAY), FIRST)).toEqual(after(10 * DAY + FIRST));
  });

  it('go on after failures, a day apart at most, and not for ever', () => {
    const link = aLink({ status: 'canceled', canceledAt: NOW });
    expect(checkoutLookAfterFailure(link, NOW, FIRST)).toEqual(after(FIRST));
    expect(checkoutLookAfterFailure(link, after(10 * DAY), FIRST)).toEqual(after(11 * DAY));
    expect(checkoutLookAfterFailure(link, after(181 * DAY), FIRST)).toBe(null);
  });
});
