import { Injectable } from '@nestjs/common';
import type { PastEvent } from '../../events/index.js';
import { Clock } from '../../kernel/clock.js';
import { publicId } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { OutgoingClient } from '../../platform/http/outgoing/outgoing-client.js';
import { isSuccess, retryAfterMs, type TryResult } from '../domain/delivery.js';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.js';
import type { DueQueue } from '../infrastructure/delivery-queue.repository.js';
import { WebhookEndpointRepository } from '../infrastructure/webhook-endpoint.repository.js';
import { presentEvent } from '../wire/event.js';
import { deliveryHeaders } from './delivery-signature.js';
import { type SigningKey, WebhookSecrets } from './webhook-secrets.js';

/** An endpoint with what it takes to call it. */
export interface OpenEndpoint {
  endpoint: WebhookEndpoint;
  isTest: boolean;
  keys: readonly SigningKey[];
}

export interface CallResult {
  result: TryResult;
  answer: string | null;
  ms: number;
}

const BOUNDS = { timeoutMs: 15_000, limitBytes: 65_536 };
const KEPT_BYTES = 4096;

/** Calls of endpoints: signed, bounded, and only to hosts that may be called. */
@Injectable()
export class DeliveryCalls {
  /** Seconds after each try that failed. */
  readonly waits: readonly number[];
  /** Whether this process makes them. */
  readonly areMade: boolean;

  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly secrets: WebhookSecrets,
    private readonly outgoing: OutgoingClient,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.waits = config.deliveryRetrySeconds;
    this.areMade = config.sendsEvents;
  }

  /** Undefined: nothing is sent to it any more. */
  async open({ accountId, endpointId }: DueQueue): Promise<OpenEndpoint | undefined> {
    const found = await this.endpoints.findEnabled(accountId, endpointId);
    return found && { ...found, keys: this.secrets.keysOf(found.endpoint, this.clock.serverNow()) };
  }

  async call({ endpoint, isTest, keys }: OpenEndpoint, event: PastEvent): Promise<CallResult> {
    const none = { code: null, retryAfterMs: null };
    if (keys.length === 0) {
      return { result: { ...none, failure: 'secret_unreadable' }, answer: null, ms: 0 };
    }
    const body = bodyOf(endpoint, event);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Quittance',
      ...deliveryHeaders(publicId('evt', event.id), body, this.clock.serverNow(), keys),
    };
    const call = { url: endpoint.url, headers, body };
    const answer = await this.outgoing.post(call, { plainHttp: isTest }, BOUNDS);
    const ms = answer.durationMs;
    if (answer.failure !== null) {
      return { result: { ...none, failure: answer.failure }, answer: answer.detail || null, ms };
    }
    const { status: code } = answer;
    const failure = isSuccess(code) ? null : ('status' as const);
    const wait = retryAfterMs(answer.headers.retryAfter, this.clock.serverNow());
    return { result: { code, failure, retryAfterMs: wait }, answer: textOf(answer.body), ms };
  }
}

function bodyOf({ scopes, payload }: WebhookEndpoint, event: PastEvent): string {
  const shown = presentEvent(event, scopes.includes('documents:read'));
  if (payload === 'full') return JSON.stringify(shown);
  const { data: _, actor: __, ...thin } = shown;
  return JSON.stringify(thin);
}

/** Any bytes are shown as text, and PostgreSQL keeps no NUL. */
function textOf(body: Buffer): string {
  return body.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}
