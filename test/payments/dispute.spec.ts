import { describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { type Dispute, nextStep } from '../../src/payments/returning/domain/dispute.js';

const money = (minor: number) => Money.of(BigInt(minor), 'EUR');
const ZERO = money(0);
const noon = new Date('2026-11-25T12:00:00Z');

/** A dispute of 119.00 that was lost: all of it is gone. */
const LOST = {
  id: '019aa0e1-7d3c-7000-8000-000000000001' as Uuid,
  status: 'lost',
  amount: money(11_900),
  reason: 'fraud',
  evidenceDueBy: null,
  saidAt: noon,
  disputed: ZERO,
  withdrawn: money(11_900),
  taken: money(11_900),
  adopted: ZERO,
  fee: ZERO,
  references: [],
} as unknown as Dispute;

const said = (status: 'open' | 'inquiry' | 'won', withdrawn: number | null) => ({
  disputeId: 'dp_1',
  providerPaymentId: 'pay_1',
  status,
  amount: money(11_900),
  withdrawn: withdrawn === null ? null : money(withdrawn),
  fee: null,
  reason: 'fraud',
  evidenceDueBy: null,
  at: new Date(noon.getTime() + 1000),
});
const next = (...word: Parameters<typeof said>) =>
  nextStep(LOST, said(...word), { reversed: ZERO, lost: ZERO });

describe('a dispute that was lost', () => {
  it('and is open again, with nothing withdrawn, gives the money back and holds all of it', () => {
    const step = next('open', 0);
    expect(step).toMatchObject({ taken: money(-11_900), withdrawn: money(-11_900) });
    expect(step?.disputed).toEqual(money(11_900));
  });

  it('and is open again, with all withdrawn, gives the money back and holds what it took', () => {
    const step = next('open', null);
    expect(step).toMatchObject({ taken: money(-11_900), withdrawn: ZERO });
    expect(step?.disputed).toEqual(money(11_900));
  });

  it.each(['inquiry', 'won'] as const)(
    'and is %s then gives the money back, and holds none',
    (status) => {
      expect(next(status, 0)).toMatchObject({ taken: money(-11_900), disputed: ZERO });
    },
  );
});
