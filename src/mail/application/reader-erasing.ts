import { Injectable } from '@nestjs/common';
import { spellingsOf } from '../../kernel/mailbox.js';
import type { Tx } from '../../platform/database/tx.js';
import {
  ErasedReadersRepository,
  type Reader,
} from '../infrastructure/erased-readers.repository.js';
import { MessageOutcomes } from './message-outcomes.js';

/** The part of mail in the erasure of a person, within its transaction. */
@Injectable()
export class ReaderErasing {
  constructor(
    private readonly readers: ErasedReadersRepository,
    private readonly outcomes: MessageOutcomes,
  ) {}

  /** @param email the address that the customer had */
  async erase(tx: Tx, reader: Reader, email: string | null): Promise<void> {
    const outcome = { status: 'canceled', reason: 'customer_erased', at: tx.now() } as const;
    for (const message of await this.readers.waiting(tx, reader)) {
      await this.outcomes.settleIn(tx, message, outcome);
    }
    const addresses = [...(await this.readers.addresses(tx, reader)), email ?? ''];
    await this.readers.erase(tx, reader, addresses.flatMap(spellingsOf));
  }
}
