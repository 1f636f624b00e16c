import { z } from 'zod';
import type { DataOf } from '../../events/index.js';
import { count } from '../../platform/http/validation/answer-fields.js';
import { some } from '../../platform/http/validation/shapes.js';
import { publicId } from '../../kernel/ids.js';
import type { BankEntry } from '../domain/bank-entry.js';
import type { ToldBankStatement } from '../domain/bank-statement.js';
import type { Payout } from '../domain/payouts/payout.js';
import { BankEntryBody, presentBankEntry } from './bank-entry.js';
import { BankStatementBody, FILE_COUNTS } from './bank-statement.js';
import { PayoutBody, presentPayout } from './payout.js';

const SHOWN = [
  ...(['id', 'statement_id', 'status', 'direction', 'amount', 'fee', 'currency'] as const),
  ...(['booked_on', 'payment_id', 'payout_id', 'ledger_account'] as const),
] as const;

const entry = z
  .object({
    bank_entry: z.object(some(BankEntryBody.shape, SHOWN)).meta({
      id: 'BankEntry',
      description:
        'Nothing of the other side, as events are kept for ever: `GET /v1/finance/bank-entries/{id}` has it.',
    }),
  })
  .meta({ id: 'BankEntryStep' });

const SHOWN_OF_FILE = ['id', 'format', 'sha256', 'imported_at', 'withdrawn_at'] as const;

const file = z
  .object({
    bank_statement: z
      .object({
        ...some(BankStatementBody.shape, SHOWN_OF_FILE),
        entries: count.describe(FILE_COUNTS.entries),
        known_before: count.describe(FILE_COUNTS.known_before),
        pending: count.describe(FILE_COUNTS.pending),
        rejected: count.describe(FILE_COUNTS.rejected),
      })
      .meta({
        id: 'BankStatement',
        description:
          'No account and no balance, as events are kept for ever: `GET /v1/finance/bank-statements/{id}` has them.',
      }),
  })
  .meta({ id: 'BankStatementStep' });

const payout = z
  .object({
    payout: z
      .object(PayoutBody.shape)
      .meta({ id: 'Payout', description: 'As `GET /v1/finance/payouts/{id}` showed it.' }),
  })
  .meta({ id: 'PayoutStep' });

const OF_ENTRY = {
  statement_id: 'bstmt_01h455vb4pex5vsknk084sn02q',
  direction: 'credit',
  amount: 11900,
  fee: 0,
  currency: 'EUR',
};
const entryAs = (status: string, more: object = {}): object => ({
  bank_entry: { ...OF_ENTRY, status, ...more },
});
const OF_FILE = { format: 'camt.053', entries: 12, known_before: 0, pending: 1, rejected: 0 };
const fileAs = (more: object = {}): object => ({ bank_statement: { ...OF_FILE, ...more } });
const OF_PAYOUT = {
  gateway: 'gateway-a',
  provider_payout_id: 'po_1',
  amount: 9700,
  fee: 25,
  booked_fee: 325,
  currency: 'EUR',
};
const payoutAs = (status: string, more: object = {}): object => ({
  payout: { ...OF_PAYOUT, status, ...more },
});
const LATER = { bank_entry_id: 'bentry_01h455vb4pex5vsknk084sn02q' };

/** The events about files and entries of the bank, and payouts of providers. */
export const BANK_EVENTS = {
  'bank_entry.booked': {
    when: 'An entry of the bank is a payment or a payout, took a payment back, or was posted.',
    data: entry,
    example: entryAs('booked', { payment_id: 'pay_01h455vb4pex5vsknk084sn02q' }),
  },
  'bank_entry.ignored': {
    when: 'Somebody said that an entry of the bank pays nothing here.',
    data: entry,
    example: entryAs('ignored'),
  },
  'bank_entry.unbooked': {
    when: 'A booked entry of the bank is open again.',
    data: entry,
    example: entryAs('unmatched'),
  },
  'bank_statement.imported': {
    when: 'A file of the bank was taken. What becomes of its entries is told of each.',
    data: file,
    example: fileAs(),
  },
  'bank_statement.withdrawn': {
    when: 'A file was taken back: entries that no other file tells of count no more.',
    data: file,
    example: fileAs({ withdrawn_at: '2026-11-27T10:30:00.000Z' }),
  },
  'payout.sent': {
    when: 'A provider sent money to the bank, or took it from there.',
    data: payout,
    example: payoutAs('sent'),
  },
  'payout.completed': {
    when: 'A payout named payments before they were known; now their fees are booked.',
    data: payout,
    example: payoutAs('sent', { booked_fee: 360 }),
  },
  'payout.paid': {
    when: 'An entry of the bank is the payout.',
    data: payout,
    example: payoutAs('paid', LATER),
  },
  'payout.unpaid': {
    when: 'The entry of the bank is something else, and the payout is on its way again.',
    data: payout,
    example: payoutAs('sent'),
  },
  'payout.failed': {
    when: 'The provider has the money of a payout back.',
    data: payout,
    example: payoutAs('failed', { failed_on: '2026-11-27', undone_reason: 'account closed' }),
  },
  'payout.reversed': {
    when: 'A payout that was recorded wrongly was taken out of the books.',
    data: payout,
    example: payoutAs('reversed', { undone_reason: 'recorded for the wrong gateway' }),
  },
};

declare module '../../events/domain/event.js' {
  interface EventData extends DataOf<typeof BANK_EVENTS> {}
}

export const bankEntryStep = (of: BankEntry) => ({
  bank_entry: some(presentBankEntry(of), SHOWN),
});

export const bankStatementStep = (of: ToldBankStatement) => ({
  bank_statement: {
    id: publicId('bstmt', of.id),
    format: of.format,
    sha256: of.sha256,
    imported_at: of.importedAt.toISOString(),
    withdrawn_at: of.withdrawnAt?.toISOString() ?? null,
    entries: of.entries,
    known_before: of.knownBefore,
    pending: of.pending,
    rejected: of.rejected,
  },
});

export const payoutStep = (of: Payout) => ({ payout: presentPayout(of) });
