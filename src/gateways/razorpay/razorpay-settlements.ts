import { z } from 'zod';
import { addDays, dateIn } from '../../kernel/clock.js';
import type { PayoutLineKind, ProviderReport } from '../../payments/index.js';
import { payoutReport, type ReadPayoutLine } from '../told-payout.js';
import { movedAtRazorpay, moneyOfRazorpay } from './razorpay-amount.js';
import type { RazorpayApi } from './razorpay-api.js';
import { RazorpayRow, RazorpaySettlement } from './razorpay-objects.js';
import { type RazorpayReported, toReview } from './razorpay-reports.js';

/** The days of its reports are those of its home. */
const HOME_ZONE = 'Asia/Kolkata';
const OF_SETTLEMENT = z.object({ settlement_id: z.unknown() });
const DONE: ReadonlySet<string> = new Set(['processed', 'failed']);

/**
 * Money on its way to the bank, in a currency that Razorpay need not tell. Its lines are looked up.
 * @param home the currency of the account's balance; undefined if nobody said
 */
export function settlementReport(
  reported: RazorpayReported,
  entity: unknown,
  at: Date,
  home: string | undefined,
): ProviderReport {
  const { data } = RazorpaySettlement.safeParse(entity);
  if (data?.amount === 0) return { ...reported, kind: 'irrelevant' };
  const currency = data?.currency ?? home;
  const amount = data && currency ? moneyOfRazorpay(data.amount, currency) : undefined;
  if (!data || !currency || !amount) {
    const review = 'a settlement of Razorpay whose amount cannot be said; set its CURRENCY';
    return toReview(reported, entity, 'out', review);
  }
  const isFailed = data.status === 'failed';
  return payoutReport(
    reported,
    {
      payoutId: data.id,
      status: isFailed ? 'failed' : 'sent',
      sentOn: dateIn(HOME_ZONE, new Date(data.created_at * 1000)),
      arrivesOn: null,
      descriptor: data.utr ?? null,
      reason: isFailed ? data.status : null,
      at,
    },
    { amount, fee: movedAtRazorpay(0, currency), lines: null },
  );
}

/** Settlements that are done, with their lines, page by page. */
export async function* settlementsTold(
  api: RazorpayApi,
  { from, to }: { from: Date; to: Date },
  home: string | undefined,
): AsyncGenerator<ProviderReport[]> {
  for await (const page of api.settlementsBetween(from, to)) {
    const reports: ProviderReport[] = [];
    for (const entity of page) {
      const { data } = RazorpaySettlement.safeParse(entity);
      if (!data || !DONE.has(data.status)) continue;
      const eventType = `settlement.${data.status}`;
      const eventId = `${eventType}:${data.id}:listed`;
      const reported = { eventId, eventType, fingerprint: null };
      const at = new Date(data.created_at * 1000);
      reports.push(await withRazorpayLines(api, settlementReport(reported, entity, at, home)));
    }
    yield reports;
  }
}

/** A settlement with what Razorpay's report says of it; as it is where that says nothing yet. */
export async function withRazorpayLines(
  api: RazorpayApi,
  told: ProviderReport,
): Promise<ProviderReport> {
  if (told.kind !== 'payout') return told;
  const { eventId, eventType, fingerprint, amount, fee } = told;
  // Its row may be dated a day apart from the settlement.
  for (const days of [0, 1, -1]) {
    const rows = await api.settledOn(addDays(told.sentOn, days));
    const own = rows.filter(
      (row) => OF_SETTLEMENT.safeParse(row).data?.settlement_id === told.payoutId,
    );
    if (own.length === 0) continue;
    const lines = own.map((row) => lineOf(RazorpayRow.safeParse(row).data));
    return payoutReport({ eventId, eventType, fingerprint }, told, { amount, fee, lines });
  }
  return told;
}

/** The fee is the part of the amount that did not move; one that is paid otherwise took nothing off. */
function lineOf(row: z.infer<typeof RazorpayRow> | undefined): ReadPayoutLine {
  if (!row) return { kind: 'adjustment', providerId: null, amount: undefined, fee: undefined };
  const { currency, credit, debit, amount } = row;
  const moved = credit - debit;
  const gross = moved < 0 ? -amount : amount;
  return {
    kind: kindOf(row),
    providerId: row.entity_id,
    amount: movedAtRazorpay(gross, currency),
    fee: movedAtRazorpay(gross - moved, currency),
  };
}

function kindOf({ type, dispute_id: dispute }: z.infer<typeof RazorpayRow>): PayoutLineKind {
  if (type === 'payment' || type === 'refund') return type;
  return type === 'adjustment' && dispute ? 'dispute' : 'adjustment';
}
