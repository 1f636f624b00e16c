import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { publicId } from '../../kernel/ids.js';
import { Log } from '../../platform/observability/log.js';
import type { LetterToSend } from '../domain/letter.js';
import { type Mail, MailRefused, MailSender } from '../domain/mail-sender.js';
import { type Message, type MessageStatus, nextAttempt } from '../domain/message.js';
import { letterHtml, letterText } from '../infrastructure/letter-template.js';
import { MailRefusalsRepository } from '../infrastructure/mail-refusals.repository.js';
import { MessageRepository } from '../infrastructure/message.repository.js';
import { Letters } from './letters.service.js';
import { assertSendable } from './messages.service.js';

/** Longer than printing and sending one may take. */
const LEASE_MS = 180_000;
const LONGEST_REASON = 500;

interface Outcome {
  status: MessageStatus;
  reason: string | null;
  at: Date;
}

/**
 * Sends what waits. A message is marked as sent once the mail server has taken it; whoever dies in
 * between leaves one that is sent again, by the same Message-ID.
 */
@Injectable()
export class MailDelivery {
  constructor(
    private readonly messages: MessageRepository,
    private readonly refusals: MailRefusalsRepository,
    private readonly letters: Letters,
    private readonly sender: MailSender,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** @returns whether there was one */
  async deliverNext(): Promise<boolean> {
    if (!this.sender.isConfigured) return false;
    const now = this.clock.now();
    const again = new Date(now.getTime() + LEASE_MS);
    const message = await this.messages.takeDue(now, again);
    if (!message) return false;
    const outcome = await this.attempt(message);
    await this.messages.settle(message, outcome);
    const { status, reason } = outcome;
    const about = { message: publicId('msg', message.id), status, reason };
    if (status === 'sent') this.log.info(about, 'message sent');
    else this.log.warn(about, 'message not sent');
    return true;
  }

  private async attempt(message: Message): Promise<Outcome> {
    try {
      if (!(await this.sender.isFor(message.accountId))) {
        return this.settled('failed', 'mail_not_configured');
      }
      const mail = await this.mailOf(message);
      if (typeof mail === 'string') return this.settled('canceled', mail);
      await this.sender.send(mail);
      return this.settled('sent', null);
    } catch (error) {
      const reason = reasonOf(error);
      if (error instanceof MailRefused) return this.settled('failed', reason);
      const next = nextAttempt(message.attempts, this.clock.now());
      return next ? { status: 'queued', reason, at: next } : this.settled('failed', reason);
    }
  }

  private settled(status: MessageStatus, reason: string | null): Outcome {
    return { status, reason, at: this.clock.now() };
  }

  /** @returns why nobody has to be written to any more, as a code */
  private async mailOf(message: Message): Promise<Mail | string> {
    const view = await this.letters.documentOf(message);
    try {
      if (message.kind !== 'answer') assertSendable(view, message.kind);
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
    const to =
      message.kind === 'reminder'
        ? await this.refusals.willing(message.accountId, message.recipients)
        : message.recipients;
    if (to.length === 0) return 'reminders_refused';
    return toMail({ ...message, recipients: to }, await this.letters.write(message, view));
  }
}

function toMail(message: Message, letter: LetterToSend): Mail {
  return {
    id: publicId('msg', message.id),
    at: message.createdAt,
    fromName: letter.sellerName,
    replyTo: letter.replyTo,
    to: message.recipients,
    subject: letter.subject,
    html: letterHtml(letter),
    text: letterText(letter),
    attachments: letter.attachments,
    refuseUrl: letter.refusal?.url ?? null,
  };
}

/** One line, of a length that a person reads. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, ' ').slice(0, LONGEST_REASON);
}
