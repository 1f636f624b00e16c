import { Injectable } from '@nestjs/common';
import { type AccountRow } from '../../auth/index.js';
import type { DocumentView } from '../../documents/index.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { publicId } from '../../kernel/ids.js';
import { MailRefused } from '../domain/mail-sender.js';
import {
  type ExtensionKind,
  isExtensionKind,
  judgedLetter,
  type LetterWriter,
  type WrittenLetter,
} from '../domain/written-letter.js';

/** The kinds of letters that extensions bring. */
@Injectable()
export class LetterKinds {
  private readonly writers = new Map<ExtensionKind, LetterWriter>();

  add(kind: ExtensionKind, writer: LetterWriter): void {
    this.writers.set(kind, writer);
  }

  /** @throws DomainError for a kind of an extension that is not here */
  assertKnown(kind: string): void {
    if (!isExtensionKind(kind) || this.writers.has(kind)) return;
    const known = [...this.writers.keys()].join(', ') || 'none';
    throw FieldRefusal.not_in_list.at('/kind', `kind must be one of ours, or of ${known}.`);
  }

  /** @throws MailRefused for a letter that is none; and what its extension throws */
  async write(
    kind: ExtensionKind,
    view: DocumentView,
    account: AccountRow,
  ): Promise<WrittenLetter & { withPdf: boolean }> {
    const writer = this.writers.get(kind);
    if (!writer) throw new MailRefused(`no extension has the letter ${kind}`);
    const { accountId, name, mode, language, timeZone } = account;
    const told = { id: publicId('acc', accountId), name, mode, language, timeZone };
    try {
      const letter = judgedLetter(kind, await writer.write(view, told));
      return { ...letter, withPdf: writer.withPdf ?? false };
    } catch (error) {
      if (error instanceof MailRefused || !(error instanceof Error)) throw error;
      throw new Error(`${kind}: ${error.message}`, { cause: error });
    }
  }
}
