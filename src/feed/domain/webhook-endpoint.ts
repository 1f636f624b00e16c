import type { Uuid } from '../../kernel/ids.js';

/** `full`: the event as `/v1/events/{id}` has it; `thin`: without its data and its actor. */
export const PAYLOADS = ['full', 'thin'] as const;
export type Payload = (typeof PAYLOADS)[number];

/** Standard Webhooks: a secret that both know, or a key pair of which they know one half. */
export const SIGNINGS = ['hmac', 'ed25519'] as const;
export type Signing = (typeof SIGNINGS)[number];

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** `asked`: by a call of ours; `gone`: it answered 410; `failing`: for days it did nothing else. */
export const DISABLED_REASONS = ['asked', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** An address that an account wants its events at. */
export interface WebhookEndpoint {
  accountId: Uuid;
  id: Uuid;
  url: string;
  /** Types, and `document.*` for all of a subject; null: all that the scopes read. */
  types: readonly string[] | null;
  /** Those of the client that made it, as far as they read something. */
  scopes: readonly string[];
  description: string | null;
  metadata: Readonly<Record<string, string>>;
  payload: Payload;
  signing: Signing;
  /** Of ed25519; null: of hmac. */
  publicKey: string | null;
  sealedSecret: Buffer;
  previousSealedSecret: Buffer | null;
  previousSecretEndsAt: Date | null;
  status: EndpointStatus;
  disabledReason: DisabledReason | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Its owner may change these, beside the secret. */
export type EndpointWish = Pick<
  WebhookEndpoint,
  'url' | 'types' | 'description' | 'metadata' | 'payload'
>;

export const MOST_ENDPOINTS = 50;
export const SECRET_OVERLAP_HOURS = 24;

/** One step further. */
export function changedEndpoint(
  before: WebhookEndpoint,
  wish: Partial<WebhookEndpoint>,
  now: Date,
): WebhookEndpoint {
  return { ...before, ...wish, version: before.version + 1, updatedAt: now };
}
