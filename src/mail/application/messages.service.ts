import { Injectable } from '@nestjs/common';
import { type Message, queuedMessage, type SendableKind } from '../domain/message.js';
import { AuditedWork } from '../../auth/index.js';
import {
  askedOf,
  customerId,
  Customers,
  Documents,
  type DocumentView,
  DocumentRefusal,
} from '../../documents/index.js';
import type { By } from '../../kernel/actor.js';
import { DomainError } from '../../kernel/domain-error.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { isEmailAddress, mailboxOf } from '../../kernel/mailbox.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { MailSender } from '../domain/mail-sender.js';
import { MailRefusalsRepository } from '../infrastructure/mail-refusals.repository.js';
import { LetterKinds } from './letter-kinds.js';
import { MessageQueue } from './message-queue.js';
import { MailRefusal } from '../domain/refusals.js';

export interface SendRequest {
  kind: SendableKind;
  /** Empty: the customer of the document. */
  to: readonly string[];
  note: string | null;
}

/** Messages that an integrator asks for. */
@Injectable()
export class Messages {
  constructor(
    private readonly audited: AuditedWork,
    private readonly documents: Documents,
    private readonly customers: Customers,
    private readonly queue: MessageQueue,
    private readonly refusals: MailRefusalsRepository,
    private readonly sender: MailSender,
    private readonly kinds: LetterKinds,
  ) {}

  async send(
    by: By,
    documentId: Uuid,
    { kind, to, note }: SendRequest,
    guard?: CommitGuard<Message>,
  ): Promise<Message> {
    const { accountId } = by;
    const view = await this.documents.find(accountId, documentId);
    await this.sender.assertConfigured(accountId);
    this.kinds.assertKnown(kind);
    assertSendable(view, kind);
    const recipients = to.length > 0 ? withoutRepeats(to) : [view.customer.email ?? ''];
    if (!recipients.every(isEmailAddress)) throw recipientRequired();
    if (kind === 'reminder') await this.assertWilling(accountId, recipients);
    return this.audited.run(by, guard, async ({ tx, serverNow, record }) => {
      await this.customers.assertNotErased(tx, accountId, customerId(view.customerId));
      const id = tx.newId();
      const message = queuedMessage({
        id,
        accountId,
        documentId,
        kind,
        fact: `request:${publicId('msg', id)}`,
        recipients,
        note,
        createdAt: tx.now(),
        nextAttemptAt: serverNow(),
      });
      await this.queue.ask(tx, message);
      record({
        action: 'message.requested',
        subject: publicId('msg', id),
        before: null,
        after: { document_id: publicId('doc', documentId), kind, to: recipients },
      });
      return message;
    });
  }

  private async assertWilling(accountId: Uuid, recipients: readonly string[]): Promise<void> {
    const willing = await this.refusals.willing(accountId, recipients);
    const refusing = recipients.filter((one) => !willing.includes(one));
    if (refusing.length === 0) return;
    throw MailRefusal.reminders_refused.of(
      `${refusing.join(', ')} wants no reminders; send it the document, or write yourself.`,
    );
  }
}

/** Whether such a message still has something to say. */
export function assertSendable(view: DocumentView, kind: Message['kind']): void {
  if (view.status === 'draft') {
    throw DocumentRefusal.document_not_issued.with({
      document_status: view.status,
    });
  }
  const reason =
    kind === 'document' && view.status === 'void'
      ? 'A void document asks for nothing any more.'
      : kind === 'reminder' && !(view.amountDue.isPositive() && askedOf(view).isPositive())
        ? whyNotReminded(view)
        : kind === 'receipt' && !isPaidOn(view)
          ? 'Nothing is paid on this document yet, so there is no receipt.'
          : whyQuoteIsNotTold(view, kind);
  if (reason === null) return;
  throw MailRefusal.document_not_sendable.of(reason, { document_status: view.status });
}

function whyQuoteIsNotTold({ status }: DocumentView, kind: Message['kind']): string | null {
  if (kind === 'quote_waiting')
    return status === 'accepted' ? null : 'It does not wait for its invoice any more.';
  const isExpiring = kind === 'quote_expiring' || kind === 'quote_expiring_seller';
  return isExpiring && status !== 'open' ? 'It does not wait for an answer any more.' : null;
}

/** Of an invoice over nothing, all that came before its issue is credit. */
function isPaidOn({ amountPaid, amountPrepaid, total }: DocumentView): boolean {
  return amountPaid.isPositive() || (total.isZero() && amountPrepaid.isPositive());
}

function whyNotReminded({ amountDue }: DocumentView): string {
  return amountDue.isZero()
    ? 'Nothing is due on this document, so nobody is reminded.'
    : 'What is due was refunded, and nobody has said that it is owed again; say so, with POST refunds/{id}/meaning.';
}

function recipientRequired(): DomainError {
  return MailRefusal.recipient_required.at(
    '/to',
    'The customer of this document has no e-mail address that mail goes to; name one in `to`.',
  );
}

/** Two spellings of one mailbox are one letter. */
function withoutRepeats(addresses: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const one of addresses) {
    const name = mailboxOf(one)?.name ?? one;
    if (!byName.has(name)) byName.set(name, one);
  }
  return [...byName.values()];
}
