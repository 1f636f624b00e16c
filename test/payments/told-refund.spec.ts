import { describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import {
  goneInAll,
  type KnownRefund,
  missingOf,
  recordedAs,
  type ToldRefund,
} from '../../src/payments/domain/told-refund.js';

const euros = (minor: number) => Money.of(BigInt(minor), 'EUR');
const day = (of: number) => new Date(Date.UTC(2026, 10, of));

const told = (amount: number, over: Partial<ToldRefund> = {}): ToldRefund => ({
  providerPaymentId: 'pi_1',
  providerRefundId: 're_1',
  amount: euros(amount),
  outcome: 'succeeded',
  reason: 'succeeded',
  at: day(10),
  ...over,
});

const known = (
  madeBy: KnownRefund['madeBy'],
  amount: number,
  { id = '1', named = 0, at = 10 }: { id?: string; named?: number; at?: number } = {},
): KnownRefund => ({ id, madeBy, amount: euros(amount), named: euros(named), at: day(at) });

describe('a refund that is told', () => {
  it.each([
    ['nothing is known', [], undefined],
    ['a client asked the provider for it', [known('client', 500)], undefined],
    ['a person recorded it', [known('hand', 500)], '1'],
    ['a person recorded it 7 days before', [known('hand', 500, { at: 3 })], '1'],
    ['a person recorded one 8 days before', [known('hand', 500, { at: 2 })], undefined],
    ['a person recorded another amount', [known('hand', 499)], undefined],
    ['the provider has named that one', [known('hand', 500, { named: 500 })], undefined],
    ['two were recorded', [known('hand', 500, { at: 8 }), known('hand', 500, { id: '2' })], '2'],
    ['it was booked by a sum', [known('hand', 500), known('gateway', 500, { id: '2' })], '2'],
    ['a larger sum was booked', [known('gateway', 700, { named: 200 })], '1'],
    ['a part of the sum is left', [known('gateway', 700, { named: 201 })], undefined],
    ['one sum fits', [known('gateway', 700), known('gateway', 500, { id: '2' })], '2'],
  ])('where %s', (_name, refunds, id) => expect(recordedAs(told(500), refunds)).toBe(id));
});

describe('the part of a sum that is not booked', () => {
  it.each([
    ['nothing is known', [], 500],
    ['a refund of ours is among it', [known('client', 200)], 300],
    ['all is booked', [known('client', 200), known('gateway', 300)], 0],
    ['more is booked', [known('gateway', 600)], 0],
    ['a person recorded all of it', [known('hand', 500)], 0],
    ['a person recorded the rest', [known('client', 200), known('hand', 300)], 0],
    ['a person recorded it in parts', [known('hand', 200), known('hand', 300, { id: '2' })], 0],
    ['a person recorded another amount', [known('hand', 200)], 500],
    ['a person recorded it long ago', [known('hand', 500, { at: 1 })], 500],
    ['the provider has named it', [known('hand', 200, { named: 200 })], 300],
  ])('where %s', (_name, refunds, minor) => {
    expect(missingOf(told(500, { providerRefundId: null }), refunds)).toEqual(euros(minor));
  });
});

describe('what went back of a payment in all', () => {
  it.each([
    ['each refund once', [told(500), told(500), told(200, { providerRefundId: 're_2' })], 700],
    ['none that failed', [told(500), told(500, { outcome: 'failed' })], 0],
    ['a sum that has them', [told(500), told(800, { providerRefundId: null })], 800],
    ['refunds above an old sum', [told(500), told(300, { providerRefundId: null })], 500],
    ['nothing of another currency', [{ ...told(500), amount: Money.of(500n, 'USD') }], 0],
  ])('counts %s', (_name, all, minor) => expect(goneInAll(all, 'EUR')).toEqual(euros(minor)));
});
