import { Injectable } from '@nestjs/common';
import type { DocumentView, Locale } from '../../documents/index.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Message, MessageKind, MessageOutcome } from '../domain/message.js';
import type { SaidInLetter } from './letter-facts.js';

/** A letter that is to be written now. */
export interface WantedLetter {
  message: Pick<Message, 'accountId' | 'fact'>;
  /** The document that it is about, or the first of several. */
  view: DocumentView;
  locale: Locale;
  /** The page of that. */
  url: string;
  /** False: what is attached has a name only, and nothing is printed. */
  withFiles: boolean;
}

/** Letters that a module to the right decides on: what they say, and whether they still have to. */
export interface LetterSource {
  /** Why it has nothing to say any more, as a code; null: it has. Asked again just before it leaves. */
  refusalOf(message: Pick<Message, 'accountId' | 'fact'>): Promise<string | null>;
  write(wanted: WantedLetter): Promise<SaidInLetter>;
  /** Hears of the end of it, in its transaction. */
  settled(tx: Tx, message: Message, outcome: MessageOutcome): Promise<void>;
}

/** The sources of letters, by their kind. */
@Injectable()
export class LetterSources {
  private readonly byKind = new Map<MessageKind, LetterSource>();

  add(kind: MessageKind, source: LetterSource): void {
    this.byKind.set(kind, source);
  }

  of(kind: MessageKind): LetterSource | undefined {
    return this.byKind.get(kind);
  }
}
