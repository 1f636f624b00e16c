import { describe, expect, it } from 'vitest';
import {
  collectsByItself,
  type Mandate,
  toldMandate,
} from '../../src/payments/collecting/domain/mandates/mandate.js';
import { nextMandateLook } from '../../src/payments/collecting/domain/mandates/next-mandate-look.js';
import type { MandateReport } from '../../src/payments/port/domain/provider-report.js';
import { NOW } from '../gateways/gateway-builders.js';

const HOUR = 3600;
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

const aMandate = (over: Partial<Mandate> = {}): Mandate => ({
  id: '01931b2c-0000-7000-8000-000000000001',
  accountId: '01931b2c-0000-7000-8000-000000000002',
  customerId: '01931b2c-0000-7000-8000-000000000003',
  gateway: 'gocardless',
  currency: 'EUR',
  status: 'pending',
  url: null,
  providerRequestId: 'BRQ1',
  providerMandateId: null,
  scheme: null,
  reference: null,
  accountEnding: null,
  automaticSince: null,
  failure: null,
  version: 1,
  createdAt: NOW,
  askedAt: null,
  activatedAt: null,
  endedAt: null,
  nextLookAt: null,
  ...over,
});
const aReport = (over: Partial<MandateReport> = {}): MandateReport => ({
  kind: 'mandate',
  eventId: 'EV1',
  eventType: 'mandates.active',
  fingerprint: null,
  mandateId: 'mand_1',
  providerMandateId: 'MD1',
  status: 'active',
  scheme: 'bacs',
  reference: 'ACME-1',
  accountEnding: '11',
  reason: null,
  at: at(10),
  ...over,
});
const told = (mandate: Mandate, over: Partial<MandateReport> = {}) =>
  toldMandate(mandate, aReport(over)) ?? mandate;

/** The seconds until the next look. */
const next = (mandate: Mandate, seconds: number) => {
  const look = nextMandateLook(mandate, at(seconds), 60);
  return look && (look.getTime() - at(seconds).getTime()) / 1000;
};

describe('a mandate', () => {
  it('stands as the answer says that was asked for last', () => {
    const active = told(aMandate());
    expect(active).toMatchObject({ status: 'active', version: 2, activatedAt: at(10) });
    const canceled = told(active, {
      status: 'canceled',
      reason: 'bank_account_closed',
      at: at(20),
    });
    expect(canceled).toMatchObject({ failure: 'bank_account_closed', endedAt: at(20), version: 3 });
    expect(toldMandate(canceled, aReport({ at: at(19) }))).toBeNull();
    const back = told(canceled, { at: at(30) });
    expect(back).toMatchObject({ status: 'active', endedAt: null, failure: null });
  });

  it('that is the same stays in its version, and is known to be newer', () => {
    const active = told(aMandate());
    expect(told(active, { at: at(20) })).toEqual({ ...active, askedAt: at(20) });
  });

  it('is not another one that has taken its id', () => {
    expect(
      toldMandate(told(aMandate()), aReport({ providerMandateId: 'MD2', at: at(20) })),
    ).toBeNull();
  });

  it('is asked about after as long again as it waits, then daily, and not for ever', () => {
    const active = aMandate({ status: 'active' });
    const over = aMandate({ status: 'canceled', endedAt: NOW });
    expect(next(aMandate(), 1)).toBe(60);
    expect(next(aMandate(), HOUR)).toBe(HOUR);
    expect(next(aMandate(), 100 * HOUR)).toBe(6 * HOUR);
    expect(next(aMandate(), 31 * 24 * HOUR)).toBeNull();
    expect(next(active, 1000 * 24 * HOUR)).toBe(24 * HOUR);
    expect([next(over, HOUR), next(over, 31 * 24 * HOUR)]).toEqual([24 * HOUR, null]);
  });
});

describe('an invoice', () => {
  it.each([
    [null, -HOUR, true],
    [null, HOUR, false],
    [null, null, false],
    ['send_invoice', -HOUR, false],
    ['charge_automatically', null, true],
    ['charge_automatically', HOUR, true],
  ] as const)('that says %s, of a mandate that does since %s', (method, since, expected) => {
    const mandate = { automaticSince: since === null ? null : at(since) };
    const invoice = { collectionMethod: method, lapsesAt: NOW };
    expect(collectsByItself(mandate, invoice)).toBe(expected);
  });
});
