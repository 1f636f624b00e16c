import { vi } from 'vitest';
import { Payouts } from '../../src/bank/application/payouts/payouts.service.js';
import { PayoutRepository } from '../../src/bank/infrastructure/payout.repository.js';
import { Money } from '../../src/kernel/money.js';
import { ProviderReportRepository } from '../../src/payments/port/infrastructure/provider-report.repository.js';
import { ProviderReversalRepository } from '../../src/payments/returning/infrastructure/provider-reversal.repository.js';
import type { TestService } from '../support/service.js';
import { withoutLock, withReads } from './weakened-reads.js';

/** A guard, and how it is taken out of a build. */
export interface Canary {
  guard: string;
  ops: readonly string[];
  /** Guards before it that are out in both builds: only what is stored is judged then. */
  before?: () => void;
  runs?: number;
  /** Takes the guard out. */
  takeOut: (service: TestService) => void | Promise<void>;
}

/** Of what takes several steps in the right order. */
export const MORE_RUNS = 90;

const sql = (text: string) => async (service: TestService) => {
  await service.database.query(text);
};

/** Of money that providers take back, hold, or send to the bank. */
export const PROVIDER_MONEY: readonly Canary[] = [
  {
    guard: 'the sum of what a provider took back before',
    ops: ['deliver', 'fail'],
    takeOut: () => {
      const find = ProviderReversalRepository.prototype.findMoney;
      vi.spyOn(ProviderReversalRepository.prototype, 'findMoney').mockImplementation(
        async function (this: ProviderReversalRepository, ...args) {
          const money = await find.apply(this, args);
          return money && { ...money, takenBack: Money.zero(money.amount.currency) };
        },
      );
    },
  },
  {
    guard: 'the memory of failures that are told before their payment',
    ops: ['deliver', 'fail', 'redeliver'],
    runs: MORE_RUNS,
    takeOut: () => {
      vi.spyOn(ProviderReportRepository.prototype, 'failuresOf').mockResolvedValue([]);
    },
  },
  {
    guard: 'that a dispute takes over the reversal before it',
    ops: ['deliver', 'fail', 'dispute'],
    takeOut: () => {
      const without = vi.spyOn(ProviderReversalRepository.prototype, 'withoutDispute');
      without.mockResolvedValue([]);
    },
  },
  {
    guard: 'the names of reversals that are in the books',
    ops: ['deliver', 'fail', 'dispute'],
    runs: MORE_RUNS,
    takeOut: () => withReads(/array_agg\(v\.reference\) FILTER \([^)]+\)/, 'NULL::text[]'),
  },
  {
    guard: 'the loss of the reversal that a dispute takes over',
    ops: ['refundReceipt', 'fail', 'dispute'],
    runs: MORE_RUNS,
    takeOut: () =>
      withReads(
        /OR dispute_id IS NULL AND\s+\(reference = ANY \(\$5\) OR \$6 AND reference IS NULL\)/,
        'AND $5::text[] IS NOT NULL AND $6::boolean IS NOT NULL',
      ),
  },
  {
    guard: 'the row lock of a payout',
    ops: ['payout', 'undoPayout'],
    runs: MORE_RUNS,
    takeOut: () => withoutLock(/FROM payouts/),
  },
  {
    guard: 'the unique key of payouts',
    ops: ['payout'],
    runs: MORE_RUNS,
    takeOut: sql('DROP INDEX payouts_once'),
  },
  {
    guard: 'the unique keys of fees that payouts book',
    ops: ['deliver', 'payout'],
    runs: MORE_RUNS,
    takeOut: sql('DROP INDEX payout_lines_fee_of_payment, payout_lines_fee_of_receipt'),
  },
  {
    guard: 'that a payout which a person reversed is not booked by its provider',
    ops: ['deliver', 'tellPayout', 'undoPayout'],
    takeOut: () => {
      vi.spyOn(PayoutRepository.prototype, 'statusesOf').mockResolvedValue([]);
    },
  },
  {
    guard: 'that a told payout which came back has failed',
    ops: ['deliver', 'tellPayout'],
    takeOut: () => {
      vi.spyOn(Payouts.prototype, 'failOnce').mockResolvedValue();
    },
  },
  {
    guard: 'that all of a payout of a shared gateway is known',
    ops: ['deliver', 'tellPayout'],
    takeOut: () => {
      const { known } = PayoutRepository.prototype;
      const spied = vi.spyOn(PayoutRepository.prototype, 'known');
      spied.mockImplementation(async function (this: PayoutRepository, ...given) {
        const things = await known.apply(this, given);
        const none = { kind: 'payment' as const, paymentId: null, receiptId: null, refundId: null };
        const missing = given[3].map((providerId) => ({ ...none, providerId, hasFee: true }));
        return [...things, ...missing];
      });
    },
  },
  {
    guard: 'that disputed money stays where it is',
    ops: ['invoice', 'deliver', 'dispute', 'refund', 'move'],
    takeOut: () => {
      withReads(/sum\([st]\.\w+\)(?=, 0\)(::bigint)? FROM dispute_)/g, 'sum(0)');
    },
    runs: MORE_RUNS,
  },
];
