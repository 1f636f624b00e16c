import { describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import {
  isMoreThanCame,
  type KnownRefund,
  recordedAs,
  type ToldRefund,
  waitingOf,
} from '../../src/payments/port/domain/told-refund.js';

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
  over: Partial<Omit<KnownRefund, 'at'>> & { on?: number } = {},
): KnownRefund => {
  const { on = 10, ...rest } = over;
  const names = madeBy === 'hand' ? [] : ['re_9'];
  return { id: '1', madeBy, amount: euros(amount), names, at: day(on), stands: true, ...rest };
};

const sum = (amount: number, on = 10) => told(amount, { providerRefundId: null, at: day(on) });
const failed = (amount: number, on = 11) =>
  told(amount, { outcome: 'failed', reason: 'lost', at: day(on) });

describe('a refund that is told', () => {
  it.each([
    ['nothing is known', [], undefined],
    ['a client asked the provider for it', [known('client', 500)], undefined],
    ['its provider made another one', [known('gateway', 500)], undefined],
    ['a person recorded it', [known('hand', 500)], '1'],
    ['a person recorded it 7 days before', [known('hand', 500, { on: 3 })], '1'],
    ['a person recorded one 8 days before', [known('hand', 500, { on: 2 })], undefined],
    ['a person recorded another amount', [known('hand', 499)], undefined],
    ['a person took that back', [known('hand', 500, { stands: false })], undefined],
    ['the provider has named that one', [known('hand', 500, { names: ['re_2'] })], undefined],
    ['two were recorded', [known('hand', 500, { on: 8 }), known('hand', 500, { id: '2' })], '2'],
  ])('where %s', (_name, refunds, id) => expect(recordedAs(told(500), refunds)).toBe(id));

  it.each([
    ['as much as came', 500, [known('client', 500)], false],
    ['more than came', 501, [known('client', 500)], true],
    ['no more, as one has come back', 1000, [known('client', 500, { stands: false })], false],
  ])('may give back %s', (_name, amount, refunds, isMore) => {
    expect(isMoreThanCame(told(amount), refunds, euros(1000))).toBe(isMore);
  });
});

describe('what went back and is in no books', () => {
  const other = { providerRefundId: 're_2' };
  it.each<[string, ToldRefund[], KnownRefund[], number]>([
    ['is each refund once', [told(500), told(500), told(200, other)], [], 700],
    ['is none that is booked', [told(500)], [known('gateway', 500, { names: ['re_1'] })], 0],
    ['is none that failed', [told(500), failed(500)], [], 0],
    ['is none that failed before it was told', [failed(500), told(500)], [], 0],
    ['is nothing of another currency', [{ ...told(500), amount: Money.of(500n, 'USD') }], [], 0],
    ['is a sum', [sum(500)], [], 500],
    ['is a sum once, with the refunds in it', [told(500), sum(800)], [], 800],
    ['is no less than the refunds that are told', [told(500), sum(300)], [], 500],
    ['is the largest sum', [sum(500), sum(800), sum(500)], [], 800],
    ['is the part of a sum that is not booked', [sum(800)], [known('client', 500)], 300],
    ['is nothing where all of the sum is booked', [sum(500)], [known('client', 500)], 0],
    ['is nothing of an older sum', [sum(500)], [known('gateway', 500, { stands: false })], 0],
    ['is nothing of a sum before the failure', [sum(500), failed(500)], [], 0],
    ['is all of a sum after the failure', [sum(500, 12), failed(500)], [], 500],
    ['is nothing that a person recorded', [sum(500)], [known('hand', 500)], 0],
    ['is not what was recorded long ago', [sum(500)], [known('hand', 500, { on: 1 })], 500],
  ])('%s', (_name, all, refunds, minor) => {
    expect(waitingOf(all, refunds, 'EUR')).toEqual(euros(minor));
  });
});
