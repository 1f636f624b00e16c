import type { EventBody } from '../../src/feed/wire/event.js';

export type Shown = Readonly<Record<string, unknown>>;
/** The things of an account as somebody knows them, by their ids. */
export type Things = ReadonlyMap<string, Shown>;

/** One kind of things: events show it, and the API lists it. */
interface Kind {
  /** Its name in `data`. */
  name: string;
  /** The field that names it. */
  id: string;
  lists: readonly string[];
  /** Fields that both have, and that say the same. */
  fields?: readonly string[];
  /** Events that it begins with; the list has others too, of which nothing was told yet. */
  isTold?: (listed: Shown) => boolean;
}

const SUMS =
  'amount_refunded amount_undecided amount_waived amount_processing amount_credited amount_applied'.split(
    ' ',
  );
const OF_DOCUMENT =
  'id kind number status currency customer_id total version amount_paid amount_due';
const RECEIPT_STATUSES = ['open', 'assigned', 'refunded', 'closed'];

export const KINDS: readonly Kind[] = [
  {
    name: 'document',
    id: 'id',
    lists: ['/v1/finance/documents'],
    fields: [...OF_DOCUMENT.split(' '), ...SUMS],
  },
  {
    name: 'customer',
    id: 'id',
    lists: ['/v1/finance/customers?archived=all'],
    fields: ['id', 'version', 'archived_at'],
  },
  { name: 'item', id: 'id', lists: ['/v1/finance/items?archived=all'] },
  {
    name: 'gateway',
    id: 'id',
    lists: ['/v1/finance/gateways'],
    fields: ['id', 'name', 'provider', 'status', 'version'],
    // Those of the operator are not the account's own.
    isTold: ({ id }) => String(id).startsWith('gw_'),
  },
  { name: 'payment', id: 'id', lists: ['/v1/finance/payments'] },
  { name: 'refund', id: 'id', lists: ['/v1/finance/refunds'] },
  { name: 'dispute', id: 'id', lists: ['/v1/finance/disputes'] },
  { name: 'payment_link', id: 'id', lists: ['/v1/finance/payment-links'] },
  { name: 'mandate', id: 'id', lists: ['/v1/finance/mandates'] },
  {
    name: 'receipt',
    id: 'receipt_id',
    lists: RECEIPT_STATUSES.map((status) => `/v1/finance/unmatched-receipts?status=${status}`),
    fields: ['reason', 'gateway', 'provider_payment_id', 'amount', 'currency', 'fee'],
  },
  {
    name: 'bank_entry',
    id: 'id',
    lists: ['/v1/finance/bank-entries'],
    // A file that was taken back takes its entries with it.
    isTold: ({ status }) => status !== 'unmatched' && status !== 'withdrawn',
  },
  {
    name: 'bank_statement',
    id: 'id',
    lists: ['/v1/finance/bank-statements'],
    fields: ['id', 'format', 'sha256', 'imported_at', 'withdrawn_at'],
  },
  { name: 'payout', id: 'id', lists: ['/v1/finance/payouts'] },
  {
    name: 'message',
    id: 'id',
    lists: ['/v1/finance/messages'],
    fields: ['id', 'document_id', 'kind', 'status', 'attempts'],
    isTold: ({ status }) => status !== 'queued',
  },
];

/**
 * An account as a program knows it that reads nothing but events. Two events of a thing may come in
 * any order, and twice: that of a document has its place, others their version or their time.
 */
export class EventCopy {
  readonly types = new Set<string>();
  private readonly things = new Map<string, { shown: Shown | null; place: [number, string] }>();

  take(event: EventBody): void {
    this.types.add(event.type);
    const data = event.data as Record<string, Shown>;
    for (const kind of KINDS) {
      // The data of an event of a receipt are the receipt.
      const shown = kind.id in data ? data : data[kind.name];
      if (typeof shown === 'object') this.keep(event, kind, shown);
    }
  }

  /** Those that are there still. */
  of({ name }: Kind): Things {
    const own = [...this.things].filter(
      ([key, { shown }]) =>
        key.startsWith(`${name} `) && !this.isWithdrawn(shown?.['statement_id']),
    );
    return new Map(
      own.flatMap(([key, { shown }]) => (shown ? [[key.slice(name.length + 1), shown]] : [])),
    );
  }

  private isWithdrawn(statement: unknown): boolean {
    const known = this.things.get(`bank_statement ${String(statement)}`);
    return Boolean(known?.shown?.['withdrawn_at']);
  }

  private keep(event: EventBody, kind: Kind, shown: Shown): void {
    const key = `${kind.name} ${String(shown[kind.id])}`;
    const before = this.things.get(key);
    const place = placeOf(event, kind, shown);
    if (before && !isBehind(place, before.place)) return;
    const isGone = event.type.endsWith('.deleted');
    this.things.set(key, { shown: isGone ? null : shown, place });
  }
}

function placeOf(event: EventBody, { name }: Kind, shown: Shown): [number, string] {
  const version = name === 'document' ? event.sequence : shown['version'];
  const isDeleted = event.type.endsWith('.deleted');
  if (isDeleted) return [Infinity, event.id];
  return [typeof version === 'number' ? version : Date.parse(event.occurred_at), event.id];
}

const isBehind = (one: [number, string], other: [number, string]) =>
  one[0] > other[0] || (one[0] === other[0] && one[1] > other[1]);

/** @returns what differs between a copy and the lists, in words; none: they are the same */
export function copyDifferences(kind: Kind, copy: Things, listed: Things): string[] {
  const wanted = [...listed].filter(([, shown]) => kind.isTold?.(shown) ?? true);
  const missing = wanted.filter(([id]) => !copy.has(id)).map(([id]) => `${id} was never told`);
  const gone = [...copy.keys()].filter((id) => !listed.has(id)).map((id) => `${id} is not there`);
  const others = [...copy].flatMap(([id, shown]) => {
    const real = listed.get(id);
    return real ? differingFields(kind, shown, real).map((field) => `${id} ${field}`) : [];
  });
  return [...missing, ...gone, ...others].map((text) => `${kind.name} ${text}`);
}

function differingFields({ fields }: Kind, told: Shown, real: Shown): string[] {
  return (fields ?? Object.keys(told)).flatMap((field) => {
    const [one, other] = [told[field] ?? (SUMS.includes(field) ? 0 : null), real[field] ?? null];
    const isSame =
      JSON.stringify(one) === JSON.stringify(other ?? (SUMS.includes(field) ? 0 : null));
    return isSame ? [] : [`${field}: ${JSON.stringify(one)} told, ${JSON.stringify(other)} listed`];
  });
}
