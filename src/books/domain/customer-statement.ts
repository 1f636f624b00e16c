import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import type { LedgerFact } from './ledger.js';

const MOVEMENT_OF_FACT = {
  'document.issued': 'issue',
  'document.rejected': 'rejection',
  'document.voided': 'void',
  'document.written_off': 'write_off',
  'document.write_off_reversed': 'write_off_reversal',
  'document.tax_relieved': 'tax_relief',
  'credit_note.issued': 'credit_note',
  'credit_note.moved': 'move',
  'credit_note.voided': 'credit_note_void',
  'payment.recorded': 'payment',
  'payment.moved': 'move',
  'payment.reversed': 'reversal',
  'payment.refunded': 'refund',
  'receipt.unmatched': 'unmatched_receipt',
  'refund.returned': 'refund_return',
  'refund.reversed': 'refund_reversal',
  'receipt.refunded': 'refund',
  'receipt.closed': 'unmatched_receipt',
  'dispute.opened': 'dispute',
  'dispute.won': 'dispute',
  'dispute.lost': 'dispute',
  'payout.sent': 'payout',
  'payout.failed': 'payout',
  'payout.reversed': 'payout',
  'bank_entry.booked': 'bank_entry',
  'bank_entry.unbooked': 'bank_entry',
} as const satisfies Record<LedgerFact, string>;

export const MOVEMENTS = [...new Set(Object.values(MOVEMENT_OF_FACT)), 'waiver'] as const;
type MovementType = (typeof MOVEMENTS)[number];

/** A customer's debt, and the customer's credit. */
export interface CustomerBalance {
  receivables: bigint;
  customerCredit: bigint;
}

export interface OpeningBalance extends CustomerBalance {
  currency: Currency;
}

/** The effect of one fact on one document, or on the customer's credit. */
export interface Movement {
  currency: Currency;
  effectiveOn: IsoDate;
  recordedAt: Date;
  fact: LedgerFact;
  factId: Uuid;
  /** Set if the fact is a document. */
  factNumber: string | null;
  /** A shortfall that was let pass, or is asked for again. */
  isWaiver: boolean;
  documentId: Uuid | null;
  documentNumber: string | null;
  /** The reference of the payer or the bank. */
  reference: string | null;
  debit: bigint;
  credit: bigint;
  receivables: bigint;
  customerCredit: bigint;
}

export interface CustomerStatementLine extends Movement {
  type: MovementType;
  /** Receivables less credit, after it. */
  balance: bigint;
}

/** All movements between a customer and us in one currency. */
export interface CustomerStatement {
  currency: Currency;
  opening: CustomerBalance;
  lines: CustomerStatementLine[];
  debit: bigint;
  credit: bigint;
  closing: CustomerBalance;
}

export const statementBalance = ({ receivables, customerCredit }: CustomerBalance) =>
  receivables - customerCredit;

/** One for each currency, in which anything stood or moved. Movements come in order. */
export function customerStatementsOf(
  openings: readonly OpeningBalance[],
  movements: readonly Movement[],
): CustomerStatement[] {
  const currencies = new Set([...openings, ...movements].map(({ currency }) => currency));
  return [...currencies].sort().map((currency) => {
    const { receivables = 0n, customerCredit = 0n } =
      openings.find((opening) => opening.currency === currency) ?? {};
    return customerStatementOf(
      { currency, receivables, customerCredit },
      movements.filter((movement) => movement.currency === currency),
    );
  });
}

function customerStatementOf(
  { currency, ...opening }: OpeningBalance,
  movements: readonly Movement[],
): CustomerStatement {
  const statement: CustomerStatement = {
    currency,
    opening,
    lines: [],
    debit: 0n,
    credit: 0n,
    closing: { ...opening },
  };
  const { closing } = statement;
  for (const movement of movements) {
    statement.debit += movement.debit;
    statement.credit += movement.credit;
    closing.receivables += movement.receivables;
    closing.customerCredit += movement.customerCredit;
    const type = movement.isWaiver ? 'waiver' : MOVEMENT_OF_FACT[movement.fact];
    statement.lines.push({ ...movement, type, balance: statementBalance(closing) });
  }
  return statement;
}
