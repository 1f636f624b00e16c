import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Row } from '../../../platform/database/row.js';
import {
  type NamedInPayout,
  namedInLines,
  type PayoutLineKind,
} from '../../port/domain/payout-line.js';
import type { ProviderPayout } from '../../port/domain/provider-report.js';

type ToldPayoutRow = Omit<
  Row<'provider_payouts', { status: ProviderPayout['status']; lines: KeptLine[] }>,
  'gateway' | 'received_at' | 'xact'
>;

/**
 * Amounts are text: JSON has no exact numbers of that size.
 * @json
 */
interface KeptLine {
  kind: PayoutLineKind;
  provider_id: string | null;
  amount: string;
  fee: string;
}

/** Keeps each payment and refund that a payout waits for, once. */
export function keepPayoutWaits(
  tx: Tx,
  { gateway, providerPayoutId }: { gateway: string; providerPayoutId: string },
  names: readonly NamedInPayout[],
  now: Date,
): void {
  tx.write(
    `INSERT INTO provider_payout_waits (gateway, provider_id, kind, provider_payout_id, since)
     SELECT $1, n.id, n.kind, $2, $3
     FROM unnest($4::text[], $5::text[]) AS n (id, kind)
     ORDER BY 2, 3 ON CONFLICT DO NOTHING`,
    [
      gateway,
      providerPayoutId,
      now,
      names.map(({ providerId }) => providerId),
      names.map(({ kind }) => kind),
    ],
  );
}

/** The provider's ids of payouts that wait for one of these. */
export async function payoutsWaitingFor(
  tx: Tx,
  gateway: string,
  { kind, providerId }: NamedInPayout,
): Promise<string[]> {
  const rows = await tx.read<{ provider_payout_id: string }>(
    `SELECT provider_payout_id FROM provider_payout_waits
     WHERE gateway = $1 AND provider_id = $2 AND kind = $3 ORDER BY 1`,
    [gateway, providerId, kind],
  );
  return rows.map((row) => row.provider_payout_id);
}

/** Keeps a payout until it is sure whose it is, with all that it waits for; the same event once. */
export function keepToldPayout(tx: Tx, gateway: string, told: ProviderPayout, now: Date): void {
  const { amount, fee, lines } = told;
  const kept = (lines ?? []).map((line): KeptLine => ({
    kind: line.kind,
    provider_id: line.providerId,
    amount: line.amount.minor.toString(),
    fee: line.fee.minor.toString(),
  }));
  tx.write(
    `INSERT INTO provider_payouts (gateway, event_id, event_type, provider_payout_id, status, amount,
       fee, currency, sent_on, arrives_on, descriptor, reason, told_at, lines, received_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::jsonb, $15)
     ON CONFLICT (gateway, event_id) DO NOTHING`,
    [
      gateway,
      told.eventId,
      told.eventType,
      told.payoutId,
      told.status,
      amount.minor,
      fee.minor,
      amount.currency,
      told.sentOn,
      told.arrivesOn,
      told.descriptor,
      told.reason,
      told.at,
      JSON.stringify(kept),
      now,
    ],
  );
  const key = { gateway, providerPayoutId: told.payoutId };
  keepPayoutWaits(tx, key, namedInLines(lines ?? []), now);
}

/** All that was told of a payout while nobody knew whose it was; oldest first, as it was sent before it came back. */
export async function toldPayouts(
  tx: Tx,
  gateway: string,
  providerPayoutId: string,
): Promise<ProviderPayout[]> {
  const rows = await tx.read<ToldPayoutRow>(
    `SELECT event_id, event_type, provider_payout_id, status, amount, fee, currency, sent_on,
       arrives_on, descriptor, reason, told_at, lines
     FROM provider_payouts WHERE gateway = $1 AND provider_payout_id = $2
     ORDER BY told_at, status DESC, event_id`,
    [gateway, providerPayoutId],
  );
  return rows.map(toToldPayout);
}

function toToldPayout(row: ToldPayoutRow): ProviderPayout {
  const money = (minor: bigint) => Money.of(minor, row.currency);
  return {
    kind: 'payout',
    eventId: row.event_id,
    eventType: row.event_type,
    fingerprint: null,
    payoutId: row.provider_payout_id,
    status: row.status,
    amount: money(row.amount),
    fee: money(row.fee),
    sentOn: row.sent_on,
    arrivesOn: row.arrives_on,
    descriptor: row.descriptor,
    reason: row.reason,
    at: row.told_at,
    lines: row.lines.map((line) => ({
      kind: line.kind,
      providerId: line.provider_id,
      amount: money(BigInt(line.amount)),
      fee: money(BigInt(line.fee)),
    })),
  };
}
