import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { isToSeller, type MessageKind } from '../domain/message.js';
import { MailFactsRepository } from '../infrastructure/mail-facts.repository.js';
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
  ) {}

  async queue(tx: Tx, wanted: readonly WantedMessage[]): Promise<void> {
    if (wanted.length === 0) return;
    const addresses = await this.facts.addresses(tx, wanted);
    for (const { documentId, ...said } of wanted) {
      const { customer = null, seller = null } = addresses.get(documentId) ?? {};
      const address = isToSeller(said.kind) ? seller : customer;
      await this.messages.begin(tx, address, { documentId, ...said });
    }
  }
}
