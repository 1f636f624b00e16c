import { describe, expect, it } from 'vitest';
import { type AccessRefusal, Refusals, TOLD_APART } from '../../src/auth/domain/refusals.js';
import { NO_ACCOUNT } from '../../src/kernel/ids.js';

const BEGIN = Date.parse('2026-11-21T10:00:00Z');
const at = (seconds: number) => new Date(BEGIN + seconds * 1000);

const aRefusal = (over: Partial<AccessRefusal> = {}): AccessRefusal => ({
  action: 'signature.refused',
  accountId: NO_ACCOUNT,
  subject: 'gateway-a',
  address: '192.0.2.1',
  requestId: 'request',
  ...over,
});

const total = (due: readonly { count: number }[]) => due.reduce((sum, { count }) => sum + count, 0);

describe('refusals', () => {
  it('are due at once when they are the first of their kind, and by the minute after that', () => {
    const refusals = new Refusals();
    refusals.add(aRefusal({ requestId: 'first' }), at(0));
    const [first, ...others] = refusals.due(at(1));
    expect([first, others]).toMatchObject([{ count: 1, requestId: 'first', at: at(0) }, []]);
    refusals.written([first!], at(1));
    for (let n = 0; n < 1000; n += 1) refusals.add(aRefusal({ requestId: `${n}` }), at(2));
    expect(refusals.due(at(59))).toEqual([]);
    expect(refusals.due(at(60))).toMatchObject([{ count: 1000, requestId: '999', at: at(2) }]);
  });

  it('count on while they are written, and when they cannot be', () => {
    const refusals = new Refusals();
    refusals.add(aRefusal(), at(0));
    expect(total(refusals.due(at(1)))).toBe(1);
    refusals.add(aRefusal(), at(1));
    const due = refusals.due(at(2));
    expect(total(due)).toBe(2);
    refusals.add(aRefusal(), at(2));
    refusals.written(due, at(2));
    expect(total(refusals.due(at(61)))).toBe(1);
  });

  it('are kept apart by account, action, subject and address', () => {
    const refusals = new Refusals();
    const kinds = [
      {},
      { subject: 'gateway-b' },
      { address: '192.0.2.2' },
      { action: 'login.failed' as const },
      { accountId: '01890000-0000-7000-8000-000000000001' },
    ];
    for (const kind of [...kinds, ...kinds]) refusals.add(aRefusal(kind), at(0));
    expect(refusals.due(at(0)).map(({ count }) => count)).toEqual([2, 2, 2, 2, 2]);
  });

  it('of 100,000 addresses are a dozen entries, and none is forgotten', () => {
    const refusals = new Refusals();
    for (let n = 0; n < 100_000; n += 1)
      refusals.add(aRefusal({ address: `2001:db8::${n}` }), at(0));
    const due = refusals.due(at(0));
    expect([due.length, total(due)]).toEqual([TOLD_APART + 1, 100_000]);
    expect(due.at(-1)).toMatchObject({ subject: null, address: null });
  });

  it('of 100,000 accounts are bounded, too, and said to be of none', () => {
    const refusals = new Refusals();
    for (let n = 0; n < 100_000; n += 1) refusals.add(aRefusal({ accountId: `${n}` }), at(0));
    const due = refusals.due(at(0));
    expect(due.length).toBeLessThan(120);
    expect(total(due)).toBe(100_000);
    expect(due.at(-1)).toMatchObject({ accountId: NO_ACCOUNT });
  });

  it('begin anew each minute', () => {
    const refusals = new Refusals();
    for (let n = 0; n < 100; n += 1) refusals.add(aRefusal({ address: `192.0.2.${n}` }), at(0));
    refusals.written(refusals.due(at(60)), at(60));
    refusals.add(aRefusal({ address: '192.0.2.99' }), at(61));
    expect(refusals.due(at(61))).toMatchObject([{ count: 1, address: '192.0.2.99' }]);
  });

  it('are all due when no more will come', () => {
    const refusals = new Refusals();
    refusals.add(aRefusal(), at(0));
    refusals.written(refusals.due(at(0)), at(0));
    refusals.add(aRefusal(), at(1));
    expect(refusals.due(at(1))).toEqual([]);
    refusals.close();
    expect(total(refusals.due(at(1)))).toBe(1);
  });
});
