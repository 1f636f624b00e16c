import { Injectable } from '@nestjs/common';
import { AuditedWork } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { DomainError } from '../../kernel/domain-error.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { MailSender } from '../domain/mail-sender.js';
import type { Message } from '../domain/message.js';
import { MessageRepository } from '../infrastructure/message.repository.js';
import { MessageQueue } from './message-queue.js';
import { MailRefusal } from '../domain/refusals.js';

/** Messages that somebody wants sent after all. */
@Injectable()
export class MessageRetries {
  constructor(
    private readonly audited: AuditedWork,
    private readonly messages: MessageRepository,
    private readonly queue: MessageQueue,
    private readonly sender: MailSender,
  ) {}

  /** One that failed or was canceled. */
  async retry(by: By, id: Uuid, guard?: CommitGuard<Message>): Promise<Message> {
    await this.sender.assertConfigured(by.accountId);
    return this.audited.run(by, guard, async ({ tx, serverNow, record }) => {
      const message = await this.messages.getForUpdate(tx, by.accountId, id);
      const { status, recipients } = message;
      if (status === 'queued' || status === 'sent' || recipients.length === 0)
        throw notFailed(message);
      const at = serverNow();
      await this.queue.askAgain(tx, message, at);
      record({
        action: 'message.retried',
        subject: publicId('msg', id),
        before: { status },
        after: { status: 'queued' },
      });
      const fresh = { reason: null, attempts: 0, nextAttemptAt: at, settledAt: null };
      return { ...message, ...fresh, status: 'queued' as const };
    });
  }
}

function notFailed({ status }: Message): DomainError {
  return MailRefusal.message_not_failed.of(
    `Only a message that failed or was canceled, and has an address, is sent again; this one is ${status}.`,
  );
}
