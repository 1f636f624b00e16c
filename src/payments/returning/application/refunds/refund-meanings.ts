import { Injectable } from '@nestjs/common';
import { invalidFields } from '../../../../kernel/field-refusals.js';
import { Accounts } from '../../../../auth/index.js';
import {
  CreditNotes,
  type Document,
  Documents,
  DocumentWriter,
  type NewCreditNote,
} from '../../../../documents/index.js';
import type { Actor } from '../../../../kernel/actor.js';
import { assert } from '../../../../kernel/assert.js';
import { DomainError, type FieldError } from '../../../../kernel/domain-error.js';
import type { Uuid } from '../../../../kernel/ids.js';
import type { Tx } from '../../../../platform/database/tx.js';
import { presentRefund } from '../../wire/refund.js';
import type { Refund, RefundPart } from '../../domain/refund.js';
import {
  creditNoteDiffers,
  isLowering,
  partsWithoutNote,
  type RefundMeaning,
  type RefundNote,
  type SaidMeaning,
} from '../../domain/refunds/refund-meaning.js';
import { PaymentSettingsRepository } from '../../../recording/infrastructure/payment-settings.repository.js';
import { RefundMeaningRepository } from '../../infrastructure/refunds/refund-meaning.repository.js';
import { CommonRefusal } from '../../../../kernel/common-refusals.js';

/** A note over what goes back, with nothing else said. */
const WHOLE_PART: NewCreditNote = {
  lines: null,
  amountMinor: null,
  issueDate: null,
  notes: null,
  metadata: {},
  externalId: null,
};

/**
 * Finds what a refund means for its documents, and makes the credit notes that lower them. A note is
 * made in the transaction that books the refund: so there is none of a refund that fails.
 */
@Injectable()
export class RefundMeanings {
  constructor(
    private readonly settings: PaymentSettingsRepository,
    private readonly creditNotes: CreditNotes,
    private readonly documents: Documents,
    private readonly writer: DocumentWriter,
    private readonly accounts: Accounts,
    private readonly repository: RefundMeaningRepository,
  ) {}

  /**
   * The meaning that the call says, else the account's setting; null where no document gives
   * anything.
   */
  async meantBy(
    tx: Tx,
    accountId: Uuid,
    { parts }: Pick<Refund, 'parts'>,
    said: SaidMeaning,
    clientId: Uuid | null,
  ): Promise<RefundMeaning | null> {
    if (parts.length === 0) return null;
    const meant = { step: 1, problem: null, clientId, at: tx.now() };
    if (said) return { ...meant, ...said, saidBy: 'call' };
    const name = await this.settings.refundMeaning(tx, accountId);
    return {
      ...meant,
      name: name ?? 'owed_again',
      saidBy: name ? 'setting' : 'default',
      note: null,
    };
  }

  /**
   * Whether the notes can be made, before any money goes.
   * @param documents those of the parts, locked
   * @throws DomainError with every wrong field; `document_not_creditable`
   */
  async assertCreditable(
    tx: Tx,
    meaning: RefundMeaning | null,
    parts: readonly RefundPart[],
    documents: readonly Document[],
  ): Promise<void> {
    if (meaning?.name !== 'lowers_document') return;
    const errors: FieldError[] = [];
    for (const part of parts) {
      try {
        await this.assertSame(tx, meaning, part, documentOf(part, documents));
      } catch (error) {
        if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error;
        errors.push(...inNote(error, meaning));
      }
    }
    if (errors.length > 0) throw invalidFields(errors);
  }

  /**
   * Makes the notes of a refund that is being booked. Money that a provider has given back is gone: if
   * a note is refused then, what went back waits for a person, and nobody is asked for it.
   * @param documents those of its parts, locked, with the refund in them
   * @param isStrict no money has gone by a provider, or it went before
   * @throws DomainError where it is strict, as `assertCreditable`
   */
  async follow(
    tx: Tx,
    refund: Refund,
    documents: readonly Document[],
    actor: Actor,
    isStrict = refund.gateway === null,
  ): Promise<Refund> {
    const { meaning } = refund;
    if (!meaning || !isLowering(refund)) return refund;
    const notes: RefundNote[] = [...refund.notes];
    const refused: { part: RefundPart; code: string }[] = [];
    for (const part of partsWithoutNote(refund)) {
      const document = documentOf(part, documents);
      const { version } = document.state;
      try {
        notes.push(await this.makeNote(tx, refund, meaning, part, document, actor));
      } catch (error) {
        const isRefused = error instanceof DomainError && document.state.version === version;
        if (!isRefused || isStrict || isPassing(error)) {
          throw error instanceof DomainError ? inBody(error, meaning) : error;
        }
        refused.push({ part, code: error.code });
      }
    }
    const [first] = refused;
    if (!first) return { ...refund, notes };
    const at = tx.now();
    const left = { ...meaning, step: meaning.step + 1, problem: first.code, clientId: null, at };
    this.repository.insert(tx, refund, left);
    const after = { ...refund, meaning: left, notes };
    for (const { part } of refused)
      this.leaveOpen(tx, after, part, documentOf(part, documents), actor);
    return after;
  }

  private leaveOpen(
    tx: Tx,
    refund: Refund,
    { amount }: RefundPart,
    document: Document,
    actor: Actor,
  ): void {
    document.refunded.leave(amount);
    const data = { refund: presentRefund(refund), amount: amount.toMinorNumber() };
    this.writer.save(tx, document, actor, [{ type: 'refund.undecided', data }]);
  }

  private async makeNote(
    tx: Tx,
    refund: Refund,
    meaning: RefundMeaning,
    part: RefundPart,
    document: Document,
    actor: Actor,
  ): Promise<RefundNote> {
    const { accountId } = refund;
    const { documentId } = part;
    const content = await this.assertSame(tx, meaning, part, document);
    const account = await this.accounts.findWithin(tx, accountId);
    const invoice = { invoice: document, content };
    const wish = wishOf(meaning, part);
    const made = await this.creditNotes.createIn(tx, actor, account, invoice, wish);
    const { id, number } = made.document.state;
    const note = { documentId, creditNoteId: id, number: number ?? '', isVoid: false };
    this.repository.insertNote(tx, refund, note, tx.now());
    return note;
  }

  /** @returns what is beside the state of the document */
  private async assertSame(tx: Tx, meaning: RefundMeaning, part: RefundPart, invoice: Document) {
    const { accountId, id } = invoice.state;
    const content = await this.documents.contentOf(tx, accountId, id);
    const wish = wishOf(meaning, part);
    const total = await this.creditNotes.totalOf(tx, { invoice, content }, wish);
    if (total.compare(part.amount) !== 0) throw creditNoteDiffers(total, part.amount);
    return content;
  }
}

/** By lines or an amount as it was asked for; else over the part. */
function wishOf({ note }: RefundMeaning, { amount }: RefundPart): NewCreditNote {
  const wish = note ?? WHOLE_PART;
  return (wish.lines ?? wish.amountMinor) === null ? { ...wish, amountMinor: amount.minor } : wish;
}

function documentOf({ documentId }: RefundPart, documents: readonly Document[]): Document {
  const document = documents.find(({ state }) => state.id === documentId);
  assert(document !== undefined, 'the documents of a refund are locked');
  return document;
}

/** It is tried again, and may be done then. */
function isPassing({ kind, code }: DomainError): boolean {
  return kind === 'unavailable' || code === CommonRefusal.document_busy.code;
}

/** Fields of the note are a part of the body. An amount that nobody named is that of the refund. */
function inNote({ errors }: DomainError, { note }: RefundMeaning): FieldError[] {
  const isNamed = note !== null && (note.lines ?? note.amountMinor) !== null;
  return errors.map((one) => {
    if (one.pointer === '/amount' && !isNamed) return one;
    if (one.pointer.startsWith('/credit_note')) return one;
    return { ...one, pointer: `/credit_note${one.pointer}` };
  });
}

function inBody(error: DomainError, meaning: RefundMeaning): DomainError {
  const { kind, code, detail, context } = error;
  return new DomainError(kind, code, detail, context, inNote(error, meaning));
}
