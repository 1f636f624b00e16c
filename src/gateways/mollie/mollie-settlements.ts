import { z } from 'zod';
import { isCurrency, minorDigits } from '../../kernel/currency.js';
import { Money } from '../../kernel/money.js';
import type { PayoutLineKind, ProviderReport } from '../../payments/index.js';
import { accepted, ProviderApi } from '../provider-api.js';
import { rescale, signedDecimalAmount } from '../provider-amount.js';
import { refusedIsUnavailable } from '../provider-refund.js';
import { Ascii } from '../signed-body.js';
import { Descriptor, payoutReport, type ReadPayoutLine, roundedFees } from '../told-payout.js';
import { MollieMoney, movedAtMollie } from './mollie-amount.js';

const PAGE_SIZE = 250;
const SETTLEMENTS_AT_ONCE = 20;
/** Mollie's costs have four decimals; ten digits hold them in every currency. */
const FINE_DIGITS = 10;

const SettlementId = z.string().regex(/^stl_[A-Za-z0-9]{4,64}$/);
const Links = z.object({ next: z.unknown().optional() }).optional();
const Instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const Period = z.object({
  costs: z.array(z.object({ amountGross: MollieMoney })).nullish(),
});

/** docs.mollie.com/reference/get-settlement */
const Settlement = z.object({
  id: SettlementId,
  reference: Descriptor.nullish().catch(null),
  status: z.string(),
  settledAt: Instant.nullish(),
  amount: MollieMoney,
  // By year and month; a settlement without any has an empty list.
  periods: z.union([
    z.record(z.string(), z.record(z.string(), Period)),
    z.array(z.unknown()).transform(() => ({})),
  ]),
});
type Settlement = z.infer<typeof Settlement>;
const SettlementPage = z.object({
  _embedded: z.object({ settlements: z.array(Settlement) }),
  _links: Links,
});

/** A payment, refund or chargeback of a settlement. */
const Part = z.object({
  id: Ascii,
  amount: MollieMoney,
  settlementAmount: MollieMoney.nullish(),
});
type Part = z.infer<typeof Part>;

const PARTS: readonly [collection: string, kind: PayoutLineKind][] = [
  ['payments', 'payment'],
  ['refunds', 'refund'],
  ['chargebacks', 'dispute'],
];

/**
 * Settlements of an organization at Mollie. No event tells of them, and an API key does not read them:
 * an access token of the organization does.
 */
export class MollieSettlements extends ProviderApi {
  constructor(
    { apiBase, token }: { apiBase: string; token: string },
    fetch: typeof globalThis.fetch,
  ) {
    super('Mollie', { apiBase, headers: { Authorization: `Bearer ${token}` } }, fetch);
  }

  /** Those that were paid out from one instant to before another, newest first. */
  async *between(from: Date, to: Date): AsyncGenerator<ProviderReport[]> {
    const query = new URLSearchParams({ limit: String(SETTLEMENTS_AT_ONCE) });
    for (;;) {
      const { _embedded: listed, _links: links } = await this.read(
        `/v2/settlements?${query.toString()}`,
        SettlementPage,
      );
      const reports: ProviderReport[] = [];
      for (const settlement of listed.settlements) {
        const { settledAt: at, status } = settlement;
        if (status !== 'paidout' || !at || at < from || at >= to) continue;
        reports.push(settlementOf(settlement, at, await this.linesOf(settlement)));
      }
      yield reports;
      const last = listed.settlements.at(-1);
      const isPast = listed.settlements.every(({ settledAt }) => settledAt && settledAt < from);
      if (!links?.next || !last || isPast) return;
      query.set('from', last.id);
    }
  }

  private async linesOf({ id }: Settlement): Promise<ReadPayoutLine[]> {
    const lines: ReadPayoutLine[] = [];
    for (const [collection, kind] of PARTS) {
      for await (const part of this.parts(`/v2/settlements/${id}/${collection}`, collection)) {
        lines.push(lineOf(kind, part));
      }
    }
    return lines;
  }

  private async *parts(path: string, collection: string): AsyncGenerator<Part> {
    const Page = z.object({
      _embedded: z.object({ [collection]: z.array(Part) }),
      _links: Links,
    });
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    for (;;) {
      const page = await this.read(`${path}?${query.toString()}`, Page);
      const parts = page._embedded[collection] ?? [];
      yield* parts;
      const last = parts.at(-1);
      if (!page._links?.next || !last) return;
      query.set('from', last.id);
    }
  }

  private async read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    const read = async () => accepted(await this.get(path), schema, 'Mollie');
    return refusedIsUnavailable(read(), 'Mollie');
  }
}

/** A refund and a chargeback took money off, also where only their size is told. */
function lineOf(kind: PayoutLineKind, { id, amount, settlementAmount }: Part): ReadPayoutLine {
  const told = movedAtMollie(settlementAmount ?? amount);
  const isOff = kind !== 'payment' && !settlementAmount;
  const moved = isOff ? told?.negated() : told;
  return { kind, providerId: id, amount: moved, fee: moved && Money.zero(moved.currency) };
}

function settlementOf(
  settlement: Settlement,
  settledAt: Date,
  lines: readonly ReadPayoutLine[],
): ProviderReport {
  const { id, reference } = settlement;
  const eventType = 'settlement.paidout';
  const amount = movedAtMollie(settlement.amount);
  return payoutReport(
    { eventId: `${id}:paidout`, eventType, fingerprint: null },
    {
      payoutId: id,
      status: 'sent',
      sentOn: settledAt.toISOString().slice(0, 10),
      arrivesOn: null,
      descriptor: reference ?? null,
      reason: null,
      at: settledAt,
    },
    {
      amount,
      fee: amount && Money.zero(amount.currency),
      lines: amount ? [...lines, ...feesOf(settlement, amount, lines)] : lines,
    },
  );
}

/** One line: Mollie tells costs in parts of a cent, and rounds the settlement. */
function feesOf(
  { periods }: Settlement,
  amount: Money,
  lines: readonly ReadPayoutLine[],
): ReadPayoutLine[] {
  const { currency } = amount;
  const costs = Object.values(periods)
    .flatMap((months) => Object.values(months))
    .flatMap((period) => period.costs ?? [])
    .map(({ amountGross }) => fineUnits(amountGross, currency));
  const none = Money.zero(currency);
  const line = { kind: 'fee' as const, providerId: null, fee: none };
  if (costs.some((cost) => cost === undefined)) return [{ ...line, amount: undefined }];
  const parts = 10n ** BigInt(FINE_DIGITS - minorDigits(currency));
  const told = lines.reduce((sum, one) => sum + (one.amount?.minor ?? 0n), 0n);
  const sum = costs.reduce<bigint>((total, cost) => total + (cost ?? 0n), 0n);
  const fee = roundedFees((amount.minor - told) * parts, [-sum], parts);
  return fee === 0n ? [] : [{ ...line, amount: Money.of(fee, currency) }];
}

/** Undefined in another currency, or if it cannot be said exactly. */
function fineUnits(
  { value, currency }: z.infer<typeof MollieMoney>,
  expected: string,
): bigint | undefined {
  const read = signedDecimalAmount(value);
  if (!read || currency !== expected || !isCurrency(currency)) return undefined;
  return rescale(read.units, read.digits, FINE_DIGITS);
}
