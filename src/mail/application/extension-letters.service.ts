import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { ExtensionKind } from '../domain/written-letter.js';
import { LetterKinds } from './letter-kinds.js';
import { MailFacts } from './mail-facts.service.js';

const LONGEST_FACT = 200;

/** Letters that an extension sends by itself, from a job for instance. */
export abstract class ExtensionLetters {
  /**
   * To the customer of a document, once for each fact. It waits while the limits of mail are full.
   * @param kind `ext:<name>:<letter>`
   * @param fact of the extension's own, such as `reached:100`
   */
  abstract send(
    accountId: Uuid,
    documentId: Uuid,
    kind: ExtensionKind,
    told: { fact: string; note?: string },
  ): Promise<void>;
}

/** They go into the queue of the house. */
@Injectable()
export class QueuedLetters extends ExtensionLetters {
  constructor(
    private readonly kinds: LetterKinds,
    private readonly facts: MailFacts,
  ) {
    super();
  }

  async send(
    accountId: Uuid,
    documentId: Uuid,
    kind: ExtensionKind,
    { fact, note }: { fact: string; note?: string },
  ): Promise<void> {
    this.kinds.assertKnown(kind);
    if (fact === '' || fact.length > LONGEST_FACT)
      throw new Error(`a fact has 1 to ${LONGEST_FACT} characters`);
    const wanted = { accountId, documentId, kind, fact: `${kind}:${fact}` };
    await this.facts.ask({ ...wanted, ...(note !== undefined && { note }) });
  }
}
