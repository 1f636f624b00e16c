import { Injectable } from '@nestjs/common';
import type { DocumentView } from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { publicId } from '../../kernel/ids.js';
import { tracing } from '../../platform/tracing/tracing.js';
import type { LetterToSend } from '../domain/letter.js';
import { type FullLimit, heldUntil } from '../domain/mail-limits.js';
import { type Mail, MailRefused, MailSender } from '../domain/mail-sender.js';
import {
  BEING_SENT,
  isRefusable,
  MAY_HAVE_LEFT,
  type Message,
  type MessageOutcome,
  type MessageStatus,
  nextAttempt,
} from '../domain/message.js';
import { MailRefusal } from '../domain/refusals.js';
import { letterHtml, letterText } from '../infrastructure/letter-template.js';
import { MailRefusalsRepository } from '../infrastructure/mail-refusals.repository.js';
import { LetterSources } from './letter-sources.js';
import { Letters } from './letters.service.js';
import { MessageQueue } from './message-queue.js';
import { assertSendable } from './messages.service.js';
import { StatementLetters } from './statements/statement-letters.js';

const LONGEST_REASON = 500;

/** One try of a message: whether it still has to leave and to whom, its letter, and the mail server. */
@Injectable()
export class MailAttempts {
  constructor(
    private readonly refusals: MailRefusalsRepository,
    private readonly letters: Letters,
    private readonly queue: MessageQueue,
    private readonly sources: LetterSources,
    private readonly statements: StatementLetters,
    private readonly sender: MailSender,
    private readonly clock: Clock,
  ) {}

  /** @returns what became of it; it never fails */
  async send(message: Message): Promise<MessageOutcome> {
    try {
      if (!(await this.sender.isFor(message.accountId))) {
        return this.settled('failed', MailRefusal.mail_not_configured.code);
      }
      const view = await this.letters.documentOf(message);
      const to = await this.readersOf(message, view);
      if (typeof to === 'string') return this.canceled(message, to);
      const leaving = { ...message, recipients: to };
      const full = await this.queue.takePlace(leaving);
      if (full) return this.held(message, full);
      const letter = await this.letters.write(leaving, view);
      const late = await this.sources.of(message.kind)?.refusalOf(message);
      if (late) return this.canceled(message, late);
      await tracing.span('mail server', {}, async () => this.sender.send(toMail(leaving, letter)));
      return this.settled('sent', null);
    } catch (error) {
      const reason = reasonOf(error);
      if (error instanceof MailRefused) return this.settled('failed', reason);
      const next = nextAttempt(message.attempts, this.clock.serverNow());
      return next ? { status: 'queued', reason, at: next } : this.settled('failed', reason);
    }
  }

  /** It leaves no more; but the one who sent it before may have died behind the mail server's yes. */
  private canceled({ reason }: Message, why: string): MessageOutcome {
    return this.settled('canceled', reason === BEING_SENT ? MAY_HAVE_LEFT : why);
  }

  private settled(status: MessageStatus, reason: string | null): MessageOutcome {
    return { status, reason, at: this.clock.now() };
  }

  /** Until there is room for it; one that has waited for days has failed. */
  private held(message: Message, full: FullLimit): MessageOutcome {
    if (message.reason !== MailRefusal.too_many_messages.code) this.queue.countHeld(full);
    const until = heldUntil(message, full, this.clock.serverNow());
    if (!until) return this.settled('failed', MailRefusal.too_many_messages.code);
    return {
      status: 'queued',
      reason: MailRefusal.too_many_messages.code,
      at: until,
      isHeld: true,
    };
  }

  /** @returns why nobody has to be written to any more, as a code */
  private async readersOf(message: Message, view: DocumentView | null): Promise<string[] | string> {
    const { accountId, kind, change, recipients } = message;
    try {
      if (view && kind !== 'answer') assertSendable(view, kind);
      if (change && 'month' in change) await this.statements.assertSendable(accountId, change);
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
    const refusal = await this.sources.of(kind)?.refusalOf(message);
    if (refusal) return refusal;
    if (!isRefusable(kind)) return recipients;
    const willing = await this.refusals.willing(accountId, recipients);
    return willing.length > 0 ? willing : MailRefusal.reminders_refused.code;
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
