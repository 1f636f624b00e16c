import { Injectable } from '@nestjs/common';
import { DueWork } from '../../clocks/index.js';
import { Clock } from '../../kernel/clock.js';
import { EventMarks } from '../../events/index.js';
import { IdGenerator, publicId, type Uuid, uuidOf } from '../../kernel/ids.js';
import { isEmailAddress } from '../../kernel/mailbox.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { MailSender } from '../domain/mail-sender.js';
import { type Message, type MessageKind, queuedMessage } from '../domain/message.js';
import {
  type MailAddresses,
  type MailedFact,
  MailFactsRepository,
} from '../infrastructure/mail-facts.repository.js';
import { MessageOutcomes } from './message-outcomes.js';

/** Each reads once: an hour, and time to make up for what a stop has missed. */
const REMIND_EVERY_MS = 600_000;
const LATE_DAYS = 3;
const MOST_REMINDERS = 1000;

/** A message that a fact asks for, before it is known where it goes. */
interface Wanted {
  accountId: Uuid;
  documentId: Uuid;
  kind: MessageKind;
  fact: string;
  amount?: bigint;
  note?: string;
}

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
    private readonly messages: MessageOutcomes,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
    private readonly dueWork: DueWork,
    sender: MailSender,
  ) {
    dueWork.add('reminders', async (accountId) =>
      sender.isConfigured ? this.remindOf(accountId) : 0,
    );
  }

  /** @returns whether there may be more */
  async collect(): Promise<boolean> {
    return this.uow.run(async (tx) => {
      const window = await this.marks.next(tx, 'mail');
      if (!window) return false;
      const wanted = (await this.facts.facts(tx, window)).flatMap(wantedBy);
      await this.queue(tx, wanted);
      this.marks.finish(tx, window, wanted.length > 0);
      return window.hasMore;
    });
  }

  /** A message that an extension asks for, once for its fact. */
  async ask(wanted: Wanted): Promise<void> {
    await this.uow.run(async (tx) => this.queue(tx, [wanted]));
  }

  /** Looks for customers to remind, if it is time. @returns how many messages that made */
  async remind(): Promise<number> {
    const now = this.clock.serverNow();
    const before = new Date(now.getTime() - REMIND_EVERY_MS);
    const isTime = await this.uow.run((tx) => this.facts.beginReminding(tx, now, before));
    return isTime ? this.dueWork.ofAll('reminders') : 0;
  }

  private async remindOf(accountId: Uuid | null): Promise<number> {
    return this.uow.run(async (tx) => {
      const due = await this.facts.dueReminders(tx, accountId, this.clock.now(), {
        lateDays: LATE_DAYS,
        most: MOST_REMINDERS,
      });
      // Of several days that were missed, one message is enough: the list has the last day first.
      const newest = new Map(due.toReversed().map((one) => [one.documentId, one]));
      const wanted = [...newest.values()].map((one) => ({
        accountId: one.accountId,
        documentId: one.documentId,
        kind: 'reminder' as const,
        fact: `reminder:${one.day}`,
      }));
      await this.queue(tx, wanted);
      return wanted.length;
    });
  }

  private async queue(tx: Tx, wanted: readonly Wanted[]): Promise<void> {
    if (wanted.length === 0) return;
    const addresses = await this.facts.addresses(tx, wanted);
    for (const one of wanted) {
      const begin = () => this.messages.begin(tx, this.message(one, addresses));
      await this.clock.inTimeOf(one.accountId, begin);
    }
  }

  /** A fact without an address has a message, too: its seller sees why nothing was sent. */
  private message(
    { accountId, documentId, kind, fact, amount, note }: Wanted,
    addresses: ReadonlyMap<Uuid, MailAddresses>,
  ): Message {
    const { customer = null, seller = null } = addresses.get(documentId) ?? {};
    const stored = kind === 'answer' ? seller : customer;
    const address = stored && isEmailAddress(stored) ? stored : null;
    const id = this.ids.next();
    const words = { note: note ?? null, amount: amount ?? null };
    const recipients = address ? [address] : [];
    const message = queuedMessage(
      { id, accountId, documentId, kind, fact, recipients, ...words },
      this.clock,
    );
    if (address) return message;
    const reason = stored ? 'invalid_address' : 'no_address';
    return {
      ...message,
      status: 'failed',
      reason,
      nextAttemptAt: null,
      settledAt: message.createdAt,
    };
  }
}

/** Messages that an event asks for. A payment for several documents has one for each. */
function wantedBy({ accountId, eventId, type, documentId, data }: MailedFact): Wanted[] {
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
  if (documentId === null) return [];
  const kind = type === 'document.issued' || type === 'credit_note.issued' ? 'document' : 'answer';
  const { rejection_reason: note } = data.document;
  return [{ accountId, documentId, kind, fact, ...(kind === 'answer' && note && { note }) }];
}
