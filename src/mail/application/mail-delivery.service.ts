import { Injectable } from '@nestjs/common';
import { atTime, Clock } from '../../kernel/clock.js';
import { publicId } from '../../kernel/ids.js';
import { Log } from '../../platform/observability/log.js';
import type { OpenSpan, SpanOptions } from '../../platform/tracing/tracer.js';
import { tracing } from '../../platform/tracing/tracing.js';
import type { Message } from '../domain/message.js';
import { extensionOf } from '../domain/written-letter.js';
import { MessageRepository, type QueueEnd } from '../infrastructure/message.repository.js';
import { MailAttempts } from './mail-attempts.js';
import { MessageOutcomes } from './message-outcomes.js';

/** Longer than printing and sending one may take. */
const LEASE_MS = 180_000;
const ITS_OWN: SpanOptions = { rootFor: () => [] };

/**
 * Sends what waits. A message is marked as sent once the mail server has taken it; whoever dies in
 * between leaves one that is sent again, by the same Message-ID.
 */
@Injectable()
export class MailDelivery {
  constructor(
    private readonly messages: MessageRepository,
    private readonly outcomes: MessageOutcomes,
    private readonly attempts: MailAttempts,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** @returns whether there was one */
  async deliverNext(end: QueueEnd): Promise<boolean> {
    const now = this.clock.serverNow();
    const again = new Date(now.getTime() + LEASE_MS);
    const message = await this.messages.takeDue(now, again, end);
    if (!message) return false;
    // With a test clock it says what was so when it was asked for, however far that has gone since.
    const isOwn = this.clock.timeOf(message.accountId) !== null;
    const attributes = {
      'quittance.message': publicId('msg', message.id),
      'quittance.kind': message.kind,
    };
    await atTime(isOwn ? message.createdAt : null, async () =>
      tracing.span('message', attributes, async (span) => this.deliver(message, span), ITS_OWN),
    );
    return true;
  }

  private async deliver(message: Message, span: OpenSpan): Promise<void> {
    const outcome = await this.attempts.send(message);
    const attempts = message.attempts - (outcome.isHeld ? 1 : 0);
    await this.outcomes.settle({ ...message, attempts }, outcome);
    const { status, reason } = outcome;
    span.set({ 'quittance.status': status });
    const extension = extensionOf(message.kind);
    const about = {
      message: publicId('msg', message.id),
      ...(extension !== undefined && { extension }),
      status,
      reason,
    };
    if (status === 'sent') this.log.info(about, 'message sent');
    else this.log.warn(about, 'message not sent');
  }
}
