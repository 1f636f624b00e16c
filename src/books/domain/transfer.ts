import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { IdPrefix, Uuid } from '../../kernel/ids.js';
import { LEDGER_ACCOUNTS, type LedgerAccount, type LedgerFact } from './ledger.js';

/** The kind of thing that the `fact_id` of a transfer names. */
export const PREFIX_OF_FACT: Readonly<Record<LedgerFact, IdPrefix>> = {
  'document.issued': 'doc',
  'document.rejected': 'doc',
  'document.voided': 'doc',
  'document.written_off': 'doc',
  'document.write_off_reversed': 'doc',
  'document.tax_relieved': 'trel',
  'credit_note.issued': 'doc',
  'credit_note.moved': 'doc',
  'credit_note.voided': 'doc',
  'payment.recorded': 'pay',
  'payment.moved': 'alloc',
  'payment.reversed': 'pay',
  'payment.refunded': 'rfnd',
  'receipt.unmatched': 'rcpt',
  'receipt.refunded': 'rfnd',
  'receipt.closed': 'rcpt',
  'refund.returned': 'rfnd',
  'refund.reversed': 'rfnd',
  'dispute.opened': 'dsp',
  'dispute.won': 'dsp',
  'dispute.lost': 'dsp',
  'payout.sent': 'pout',
  'payout.failed': 'pout',
  'payout.reversed': 'pout',
  'bank_entry.booked': 'bentry',
  'bank_entry.unbooked': 'bentry',
};

/** A transfer as it is read: one amount that left one account and entered another. */
export interface Transfer {
  id: Uuid;
  fact: LedgerFact;
  factId: Uuid;
  debit: LedgerAccount;
  credit: LedgerAccount;
  amount: bigint;
  currency: Currency;
  documentId: Uuid | null;
  customerId: Uuid | null;
  effectiveOn: IsoDate;
  recordedAt: Date;
}

/** The sum of transfers between the same two accounts. */
export interface TransferSum {
  debit: LedgerAccount;
  credit: LedgerAccount;
  currency: Currency;
  amount: bigint;
}

/** The sums of debits and credits, and the first less the second. */
export interface BalanceFigures {
  debit: bigint;
  credit: bigint;
  balance: bigint;
}

export interface LedgerAccountBalance {
  account: LedgerAccount;
  currency: Currency;
  figures: BalanceFigures;
}

/** Each account that was ever used, by currency and in the order of the chart. */
export function balancesOf(flows: readonly TransferSum[]): LedgerAccountBalance[] {
  const currencies = [...new Set(flows.map(({ currency }) => currency))].sort();
  return currencies.flatMap((currency) => {
    const own = flows.filter((flow) => flow.currency === currency);
    return LEDGER_ACCOUNTS.map((account) => {
      const debit = total(own.filter((flow) => flow.debit === account));
      const credit = total(own.filter((flow) => flow.credit === account));
      return { account, currency, figures: { debit, credit, balance: debit - credit } };
    }).filter(({ figures: { debit, credit } }) => debit > 0n || credit > 0n);
  });
}

function total(flows: readonly TransferSum[]): bigint {
  return flows.reduce((sum, { amount }) => sum + amount, 0n);
}
