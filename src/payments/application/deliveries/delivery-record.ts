import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Log } from '../../../platform/observability/log.js';
import type { NewDelivery } from '../../domain/gateway-delivery.js';
import { GatewayDeliveryRepository } from '../../infrastructure/gateway-delivery.repository.js';

/** Those that come meanwhile share a statement. */
const GATHER_MS = 20;
const MOST_IN_STATEMENT = 100;
/** Bytes that may wait for the database; more than these are not kept. */
const MOST_WAITING_BYTES = 16_777_216;

/**
 * Keeps verified deliveries, beside the requests: a provider waits for none of it, and is answered
 * the same if it fails. A crash loses the last ones.
 */
@Injectable()
export class DeliveryRecord implements OnModuleDestroy {
  private waiting: NewDelivery[] = [];
  private waitingBytes = 0;
  private dropped = 0;
  private writing?: Promise<void>;

  constructor(
    private readonly deliveries: GatewayDeliveryRepository,
    private readonly log: Log,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await this.written();
  }

  /** The caller waits for nothing. */
  note(delivery: NewDelivery): void {
    const { length } = delivery.delivery.rawBody;
    if (this.waitingBytes + length > MOST_WAITING_BYTES) {
      this.dropped += 1;
      return;
    }
    this.waiting.push(delivery);
    this.waitingBytes += length;
    this.writing ??= this.write().finally(() => (this.writing = undefined));
  }

  /** Until all that was noted is there to read. */
  async written(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      const all = this.waiting;
      this.waiting = [];
      this.waitingBytes = 0;
      for (const part of partsOf(all)) await this.insert(part);
      if (this.dropped === 0) continue;
      this.log.warn({ count: this.dropped }, 'calls of providers came too fast to be kept');
      this.dropped = 0;
    }
  }

  private async insert(part: readonly NewDelivery[]): Promise<void> {
    const [first] = part;
    if (!first) return;
    try {
      await this.deliveries.insert(first.gateway, part, false);
    } catch (error) {
      const of = { error, gateway: first.gateway.name, count: part.length };
      this.log.warn(of, 'calls of a provider could not be kept');
    }
  }
}

/** Of one gateway each. */
function partsOf(all: readonly NewDelivery[]): NewDelivery[][] {
  const parts: NewDelivery[][] = [];
  const open = new Map<string, NewDelivery[]>();
  for (const one of all) {
    let part = open.get(one.gateway.name);
    if (!part || part.length >= MOST_IN_STATEMENT) {
      parts.push((part = []));
      open.set(one.gateway.name, part);
    }
    part.push(one);
  }
  return parts;
}
