import type { Money } from '../../kernel/money.js';

/**
 * The end of a request for a refund. `lost`: done, but the connection breaks before the answer.
 * `broken`: not done, no answer. `failing`: not done, 500. `garbled`: done, but the answer cannot
 * be read. `busy`: not done, as while the same key still runs.
 */
export const REFUND_FAULTS = ['lost', 'broken', 'failing', 'garbled', 'busy'] as const;
export type RefundFault = (typeof REFUND_FAULTS)[number];

/** The provider's API as far as it refunds: a server on the loopback, or a `fetch` that answers. */
export interface RefundStandIn {
  /** All settings of the gateway, with its key, and the stand-in's address if there is one. */
  settings: Readonly<Record<string, string>>;
  /** Answers for the provider. Default: the process's own, which really calls. */
  fetch?: typeof globalThis.fetch;
  /** How many refunds it has made. */
  made: () => number;
  /** How many calls it has got, if it counts them. */
  calls?: () => number;
  /** Has the next request for a refund end so. Absent: the contract breaks `fetch` itself. */
  fail?: (fault: RefundFault) => void;
  /** Has the next request for a refund refused. */
  refuse?: () => void;
  /** Has the next refund wait until `giveUp`. */
  hold?: () => void;
  /** Has all refunds that wait fail. */
  giveUp?: () => void;
  /** Has the next look-ups answer with this status. Absent: the contract breaks `fetch` itself. */
  failLookUps?: (status: number) => void;
  close?: () => Promise<void>;
}

export interface RefundTrial {
  /** Opens a stand-in without any refund: each check has its own. */
  open: () => Promise<RefundStandIn>;
  /** False where the gateway remembers refunds by itself, and calls nobody. Default: true. */
  hasApi?: boolean;
  /** How a good refund is answered. Default: `succeeded`. */
  first?: 'succeeded' | 'pending';
  /** The payment, and how much of it goes back. Default: 5.00 EUR of `paymentId('0001')`. */
  of?: { providerPaymentId?: string; amount?: Money };
  /** Which call makes a refund. Default: a POST. */
  isRefund?: (url: string, method: string) => boolean;
  /** An amount that the provider does not have. Default: it has all. */
  unsayable?: Money;
  /** The reason that is told when `refuse` was called. Default: any word. */
  refusal?: string;
  /** The reason that is told after `giveUp`. Default: `failed`. */
  failure?: string;
}
