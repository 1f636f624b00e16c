import { Injectable } from '@nestjs/common';
import { EventMarks } from '../../events/index.js';
import { publicId, uuidOf } from '../../kernel/ids.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type MailedFact, MailFactsRepository } from '../infrastructure/mail-facts.repository.js';
import { EndpointNotices } from './endpoint-notices.js';
import { ScheduleNotices } from './schedule-notices.js';
import { type WantedMessage, WantedMessages } from './wanted-messages.js';

/**
 * Makes messages of what happened. Events are written with their facts, so none is lost; they are
 * read in the transaction that writes their messages, so none has two (decision 132).
 */
@Injectable()
export class MailFacts {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly marks: EventMarks,
    private readonly facts: MailFactsRepository,
    private readonly wanted: WantedMessages,
    private readonly endpoints: EndpointNotices,
    private readonly schedules: ScheduleNotices,
  ) {}

  /** @returns whether there may be more */
  async collect(): Promise<boolean> {
    return this.uow.run(async (tx) => {
      const window = await this.marks.next(tx, 'mail');
      if (!window) return false;
      const facts = await this.facts.facts(tx, window);
      await this.wanted.queue(tx, facts.flatMap(wantedBy));
      await this.endpoints.queue(tx, facts);
      await this.schedules.queue(tx, facts);
      this.marks.finish(tx, window, facts.length > 0);
      return window.hasMore;
    });
  }

  /** A message that an extension asks for, once for its fact. */
  async ask(wanted: WantedMessage): Promise<void> {
    await this.uow.run((tx) => this.wanted.queue(tx, [wanted]));
  }
}

/** Messages that an event asks for. A payment for several documents has one for each. */
function wantedBy({ accountId, eventId, type, documentId, data }: MailedFact): WantedMessage[] {
  const fact = `event:${publicId('evt', eventId)}`;
  if ('payment' in data) {
    const { payment, documents } = data;
    // Credit that is spent was confirmed when it came in.
    if (payment.method === 'credit_balance') return [];
    const parts = documentId
      ? [{ id: documentId, amount: payment.amount }]
      : (documents ?? []).map(({ id, amount }) => ({ id: uuidOf('doc', id) ?? '', amount }));
    return parts.map(({ id, amount }) => ({
      accountId,
      documentId: id,
      kind: 'receipt' as const,
      fact,
      amount: BigInt(amount),
    }));
  }
  if ('period' in data) {
    const { document_id: made } = data.period;
    return [{ accountId, documentId: uuidOf('doc', made ?? '') ?? '', kind: 'document', fact }];
  }
  if (documentId === null || 'webhook_endpoint' in data || 'schedule' in data) return [];
  const kind = type === 'document.issued' || type === 'credit_note.issued' ? 'document' : 'answer';
  const { rejection_reason: note } = data.document;
  return [{ accountId, documentId, kind, fact, ...(kind === 'answer' && note && { note }) }];
}
