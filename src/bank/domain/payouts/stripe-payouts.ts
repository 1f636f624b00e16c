import { BankRefusal } from '../refusals.js';
import { Money } from '../../../kernel/money.js';
import type { PayoutLineKind, StatedPayoutLine } from '../../../payments/index.js';
import type { CsvHints } from '../bank-statement.js';
import type { CsvRow } from '../csv-header.js';
import { isTooLarge } from './payout.js';
import {
  type AmountsFrom,
  leftOutOf,
  type PayoutReport,
  refused,
  type ReportedPayout,
  unclear,
} from './payout-report.js';
import { type StripeRow, StripeRows } from './stripe-rows.js';

const PAYOUT = 'payout';
const MOST_UNKNOWN = 20;

/** Stripe's categories of balance transactions. An adjustment is told, and not booked. */
export const STRIPE_LINE_KINDS: ReadonlyMap<string, PayoutLineKind> = new Map<
  string,
  PayoutLineKind
>([
  ['charge', 'payment'],
  ['refund', 'refund'],
  ['dispute', 'dispute'],
  ['dispute_reversal', 'dispute'],
  ['fee', 'fee'],
  ['network_cost', 'fee'],
  ...[
    'advance',
    'advance_funding',
    'anticipation_repayment',
    'charge_failure',
    'climate_order_purchase',
    'climate_order_refund',
    'connect_collection_transfer',
    'connect_reserved_funds',
    'contribution',
    'financing_paydown',
    'financing_paydown_reversal',
    'financing_payout',
    'financing_payout_reversal',
    'issuing_authorization_hold',
    'issuing_authorization_release',
    'issuing_dispute',
    'issuing_transaction',
    'other_adjustment',
    'partial_capture_reversal',
    'payout_reversal',
    'platform_earning',
    'platform_earning_refund',
    'refund_failure',
    'risk_reserved_funds',
    'tax',
    'topup',
    'topup_reversal',
    'transfer',
    'transfer_reversal',
    'unreconciled_customer_funds',
  ].map((category): [string, PayoutLineKind] => [category, 'adjustment']),
]);

/** The rows of one payout: its lines, and those of the payout itself. */
interface Gathered {
  lines: StripeRow[];
  own: StripeRow[];
}

/**
 * Stripe's itemized payout reconciliation, or another report of it with the same columns.
 * @param rows with the header first
 * @throws DomainError `malformed_statement` with every wrong value, row by row
 */
export function stripePayouts(
  [header, ...below]: readonly CsvRow[],
  hints: CsvHints,
  amountsFrom: AmountsFrom,
): PayoutReport {
  const filled = below.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const { rows, duplicates } = new StripeRows(header?.cells ?? [], hints).read(filled);
  const byPayout = new Map<string, Gathered>();
  const leftOut: string[] = [];
  for (const row of rows) {
    const isOwn = row.category === PAYOUT;
    // The row of a payout names itself as its source, and is in no payout.
    const id = isOwn ? row.sourceId : row.payoutId;
    if (id === null) {
      leftOut.push(row.category);
      continue;
    }
    const payout = byPayout.get(id) ?? { lines: [], own: [] };
    byPayout.set(id, payout);
    payout[isOwn ? 'own' : 'lines'].push(row);
  }
  return {
    provider: 'stripe',
    payouts: [...byPayout].map(([id, gathered]) => payoutOf(id, gathered, amountsFrom)),
    leftOut: leftOutOf(leftOut, { duplicate: duplicates }),
  };
}

function payoutOf(id: string, { lines, own }: Gathered, amountsFrom: AmountsFrom): ReportedPayout {
  const [itself, ...again] = own;
  const all = [...own, ...lines];
  const [first] = all;
  if (!first || again.length > 0) return unclear(id, 'stands twice in the file');
  const { currency } = first.gross;
  if (all.some(({ gross }) => gross.currency !== currency)) {
    return unclear(id, 'has rows in more than one currency');
  }
  const days = new Set(lines.map(({ effectiveOn }) => effectiveOn));
  if (days.size > 1) return unclear(id, 'has lines with more than one effective day');
  if (!itself && amountsFrom !== 'lines') return withoutItsRow(id);
  if (isTooLarge(all.flatMap(({ gross, fee }) => [gross, fee])))
    return unclear(id, 'has larger amounts than these books take');
  const amount =
    itself?.gross.negated() ??
    Money.sum(
      lines.map(({ net }) => net),
      currency,
    );
  const fee = itself?.fee ?? Money.zero(currency);
  if (amount.isZero() || fee.isNegative())
    return unclear(id, 'has an amount of zero, or a fee below zero');
  const [effectiveOn = itself?.createdOn ?? itself?.availableOn] = days;
  if (!effectiveOn) return unclear(id, 'has no day; add created_utc to the columns at Stripe');
  const told = {
    providerPayoutId: id,
    amount,
    fee,
    sentOn: effectiveOn,
    arrivesOn: arrivalOf(itself, effectiveOn),
    descriptor: null,
    lines: lines.map(lineOf),
  };
  const words = lines.map(({ category }) => category).filter((one) => !STRIPE_LINE_KINDS.has(one));
  return {
    providerPayoutId: id,
    told,
    refusal: null,
    unknownCategories: [...new Set(words)].slice(0, MOST_UNKNOWN),
  };
}

function arrivalOf(itself: StripeRow | undefined, sentOn: string): string | null {
  const { availableOn = null } = itself ?? {};
  return availableOn !== null && availableOn >= sentOn ? availableOn : null;
}

function withoutItsRow(id: string): ReportedPayout {
  return refused(
    id,
    BankRefusal.payout_amount_missing,
    `The file has lines of payout ${id}, and no row for its amount; if it is the payout ` +
      'reconciliation, which has all lines of each payout, send amounts_from=lines.',
  );
}

function lineOf({ category, gross, fee, chargedId, sourceId, id }: StripeRow): StatedPayoutLine {
  const kind = STRIPE_LINE_KINDS.get(category) ?? 'adjustment';
  const source = sourceId ?? id;
  const providerId = kind === 'payment' ? (chargedId ?? source) : source;
  return { kind, amount: gross, fee, providerId };
}
