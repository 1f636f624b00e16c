import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../auth/index.js';
import { askedOf, Documents, type DocumentView } from '../../documents/index.js';
import type { By } from '../../kernel/actor.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { IdGenerator, publicId, type Uuid } from '../../kernel/ids.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { MailSender } from '../domain/mail-sender.js';
import type { Message } from '../domain/message.js';
import { MailRefusalsRepository } from '../infrastructure/mail-refusals.repository.js';
import { MessageRepository } from '../infrastructure/message.repository.js';

/** The kinds that somebody may ask for. */
export const SENDABLE_KINDS = ['document', 'receipt', 'reminder'] as const;
export type SendableKind = (typeof SENDABLE_KINDS)[number];

export interface SendRequest {
  kind: SendableKind;
  /** Empty: the customer of the document. */
  to: readonly string[];
  note: string | null;
}

/** Stolen credentials should not be a way to flood strangers. */
const MOST_IN_A_DAY = 20;
const DAY_MS = 24 * 3600 * 1000;

/** Messages that an integrator asks for. */
@Injectable()
export class Messages {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: Documents,
    private readonly messages: MessageRepository,
    private readonly refusals: MailRefusalsRepository,
    private readonly sender: MailSender,
    private readonly audit: AuditLog,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws DomainError `document_not_found`, `mail_not_configured`, `document_not_issued`,
   *   `document_not_sendable`, `recipient_required`, `reminders_refused`, `too_many_messages`
   */
  async send(
    by: By,
    documentId: Uuid,
    { kind, to, note }: SendRequest,
    guard?: CommitGuard<Message>,
  ): Promise<Message> {
    const { accountId } = by;
    const view = await this.documents.find(accountId, documentId);
    await this.assertConfigured(accountId);
    assertSendable(view, kind);
    const recipients = to.length > 0 ? [...new Set(to)] : [view.customer.email ?? ''];
    if (recipients.includes('')) throw recipientRequired();
    if (kind === 'reminder') await this.assertWilling(accountId, recipients);
    const now = this.clock.now();
    const id = this.ids.next();
    const message: Message = {
      id,
      accountId,
      documentId,
      kind,
      fact: `request:${publicId('msg', id)}`,
      recipients,
      note,
      amount: null,
      status: 'queued',
      reason: null,
      attempts: 0,
      nextAttemptAt: now,
      createdAt: now,
      settledAt: null,
    };
    return this.uow.run(async (tx) => {
      const since = new Date(now.getTime() - DAY_MS);
      const sent = await this.messages.countSince(tx, accountId, documentId, since);
      if (sent >= MOST_IN_A_DAY) throw tooMany();
      this.messages.insert(tx, message);
      this.audit.record(tx, by, {
        action: 'message.requested',
        subject: publicId('msg', id),
        before: null,
        after: { document_id: publicId('doc', documentId), kind, to: recipients },
      });
      return message;
    }, guard);
  }

  /** One that failed or was canceled. @throws DomainError `message_not_found`, `message_not_failed` */
  async retry(by: By, id: Uuid, guard?: CommitGuard<Message>): Promise<Message> {
    await this.assertConfigured(by.accountId);
    return this.uow.run(async (tx) => {
      const message = await this.messages.getForUpdate(tx, by.accountId, id);
      if (
        message.status === 'queued' ||
        message.status === 'sent' ||
        message.recipients.length === 0
      )
        throw notFailed(message);
      const now = this.clock.now();
      this.messages.queueAgain(tx, message, now);
      this.audit.record(tx, by, {
        action: 'message.retried',
        subject: publicId('msg', id),
        before: { status: message.status },
        after: { status: 'queued' },
      });
      const fresh = { reason: null, attempts: 0, nextAttemptAt: now, settledAt: null };
      return { ...message, ...fresh, status: 'queued' as const };
    }, guard);
  }

  private async assertConfigured(accountId: Uuid): Promise<void> {
    if (await this.sender.isFor(accountId)) return;
    throw DomainError.conflict(
      'mail_not_configured',
      'This installation sends no mail; the operator sets QUITTANCE_SMTP_URL and QUITTANCE_MAIL_FROM.',
    );
  }

  private async assertWilling(accountId: Uuid, recipients: readonly string[]): Promise<void> {
    const willing = await this.refusals.willing(accountId, recipients);
    const refusing = recipients.filter((one) => !willing.includes(one));
    if (refusing.length === 0) return;
    throw DomainError.conflict(
      'reminders_refused',
      `${refusing.join(', ')} wants no reminders; send it the document, or write yourself.`,
    );
  }
}

/**
 * Whether such a message still has something to say.
 * @throws DomainError `document_not_issued`, `document_not_sendable`
 */
export function assertSendable(view: DocumentView, kind: Message['kind']): void {
  if (view.status === 'draft') {
    throw DomainError.conflict(
      'document_not_issued',
      'A client sees a document only once it is issued; issue it first.',
      { document_status: view.status },
    );
  }
  const reason =
    kind === 'document' && view.status === 'void'
      ? 'A void document asks for nothing any more.'
      : kind === 'reminder' && !(view.amountDue.isPositive() && askedOf(view).isPositive())
        ? whyNotReminded(view)
        : kind === 'receipt' && !view.amountPaid.isPositive()
          ? 'Nothing is paid on this document yet, so there is no receipt.'
          : null;
  if (reason === null) return;
  throw DomainError.conflict('document_not_sendable', reason, { document_status: view.status });
}

function whyNotReminded({ amountDue }: DocumentView): string {
  return amountDue.isZero()
    ? 'Nothing is due on this document, so nobody is reminded.'
    : 'What is due was refunded, and nobody has said that it is owed again; say so, with POST refunds/{id}/meaning.';
}

function recipientRequired(): DomainError {
  return DomainError.invalid(
    'recipient_required',
    '/to',
    'The customer of this document has no e-mail address; name one in `to`.',
  );
}

function tooMany(): DomainError {
  return DomainError.conflict(
    'too_many_messages',
    `No more than ${MOST_IN_A_DAY} messages are sent of a document within a day; try again tomorrow.`,
  );
}

function notFailed({ status }: Message): DomainError {
  return DomainError.conflict(
    'message_not_failed',
    `Only a message that failed or was canceled, and has an address, is sent again; this one is ${status}.`,
  );
}
