import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { isToSeller, type Message, type MessageKind, messageTo } from '../domain/message.js';
import {
  type MailAddresses,
  MailFactsRepository,
} from '../infrastructure/mail-facts.repository.js';
import { MessageOutcomes } from './message-outcomes.js';

/** A message that a fact asks for, before it is known where it goes. */
export interface WantedMessage {
  accountId: Uuid;
  documentId: Uuid;
  kind: MessageKind;
  fact: string;
  amount?: bigint;
  note?: string;
}

/** Queues messages about documents, to those whom the documents name. */
@Injectable()
export class WantedMessages {
  constructor(
    private readonly facts: MailFactsRepository,
    private readonly messages: MessageOutcomes,
    private readonly clock: Clock,
  ) {}

  async queue(tx: Tx, wanted: readonly WantedMessage[]): Promise<void> {
    if (wanted.length === 0) return;
    const addresses = await this.facts.addresses(tx, wanted);
    for (const one of wanted) {
      const begin = () => this.messages.begin(tx, this.message(tx, one, addresses));
      await this.clock.inTimeOf(one.accountId, begin);
    }
  }

  private message(
    tx: Tx,
    { accountId, documentId, kind, fact, amount, note }: WantedMessage,
    addresses: ReadonlyMap<Uuid, MailAddresses>,
  ): Message {
    const { customer = null, seller = null } = addresses.get(documentId) ?? {};
    return messageTo(isToSeller(kind) ? seller : customer, {
      id: tx.newId(),
      accountId,
      documentId,
      kind,
      fact,
      note: note ?? null,
      amount: amount ?? null,
      createdAt: tx.now(),
      nextAttemptAt: this.clock.serverNow(),
    });
  }
}
