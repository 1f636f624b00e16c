import { Injectable } from '@nestjs/common';
import { type Document, DocumentRepository, DocumentWriter } from '../../../../documents/index.js';
import type { By } from '../../../../kernel/actor.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { Money } from '../../../../kernel/money.js';
import type { CommitGuard, Tx } from '../../../../platform/database/tx.js';
import { UnitOfWork } from '../../../../platform/database/unit-of-work.js';
import { presentRefund } from '../../wire/refund.js';
import type { Refund } from '../../domain/refund.js';
import {
  assertDecidable,
  creditNoteDiffers,
  partsWithoutNote,
  type RefundMeaning,
  type RefundNote,
  isSaidAlready,
  type SaidMeaning,
  undecidedPart,
} from '../../domain/refunds/refund-meaning.js';
import { RefundMeaningRepository } from '../../infrastructure/refunds/refund-meaning.repository.js';
import { RefundMeanings } from './refund-meanings.js';
import { LockedRefunds, type SeenRefund } from './locked-refunds.js';
import { PaymentRefusal } from '../../../port/domain/payment-refusals.js';

/** The words of somebody about a refund that is done. */
export interface LaterMeaning {
  said: NonNullable<SaidMeaning>;
  /** A note that is there already, and was made for it. */
  creditNoteId: Uuid | null;
}

/** Says of a refund that has succeeded what it means, for instance of one of a provider's dashboard. */
@Injectable()
export class RefundDecisions {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly refunds: LockedRefunds,
    private readonly documents: DocumentRepository,
    private readonly writer: DocumentWriter,
    private readonly meanings: RefundMeanings,
    private readonly repository: RefundMeaningRepository,
  ) {}

  /**
   * @throws DomainError `refund_not_found`, `refund_meaning_not_possible`, `refund_meaning_decided`,
   *   `credit_note_differs`, `unknown_document`, and what refuses a credit note
   */
  async decide(
    { accountId, actor }: By,
    clientId: Uuid,
    id: Uuid,
    { said, creditNoteId }: LaterMeaning,
    guard?: CommitGuard<SeenRefund>,
  ): Promise<SeenRefund> {
    const key = await this.refunds.key(accountId, id);
    return this.uow.run(async (tx) => {
      const seen = await this.refunds.lock(tx, key);
      const { refund } = seen;
      assertDecidable(refund, said);
      // The same answer twice changes nothing.
      if (isSaidAlready(refund, said)) return seen;
      const ids = refund.parts.map(({ documentId }) => documentId);
      const documents = await this.documents.findForUpdate(tx, accountId, ids);
      const step = (refund.meaning?.step ?? 0) + 1;
      const meant = { step, saidBy: 'later' as const, problem: null, clientId };
      const meaning: RefundMeaning = { ...meant, ...said, at: tx.now() };
      const named = creditNoteId && (await this.named(tx, refund, creditNoteId));
      if (!named) {
        const missing = partsWithoutNote(refund);
        await this.meanings.assertCreditable(tx, meaning, missing, documents);
      }
      const notes = named ? [...refund.notes, named] : refund.notes;
      const decided: Refund = { ...refund, meaning, notes };
      this.repository.insert(tx, refund, meaning);
      if (named) this.repository.insertNote(tx, refund, named, meaning.at);
      this.tell(tx, refund, decided, documents, actor);
      const after = named
        ? decided
        : await this.meanings.follow(tx, decided, documents, actor, true);
      return { ...seen, refund: after };
    }, guard);
  }

  /** A step in the history of each of its documents. */
  private tell(
    tx: Tx,
    before: Refund,
    decided: Refund,
    documents: readonly Document[],
    actor: By['actor'],
  ): void {
    for (const document of documents) {
      const { id, currency } = document.state;
      const part = before.parts.find(({ documentId }) => documentId === id);
      const amount = part?.amount ?? Money.zero(currency);
      document.refunded.decide(undecidedPart(before, id) ?? Money.zero(currency));
      const data = { refund: presentRefund(decided), amount: amount.toMinorNumber() };
      this.writer.save(tx, document, actor, [{ type: 'refund.meaning_decided', data }]);
    }
  }

  private async named(tx: Tx, refund: Refund, creditNoteId: Uuid): Promise<RefundNote> {
    const { accountId } = refund;
    for (const { documentId, amount } of partsWithoutNote(refund)) {
      const found = await this.repository.freeNote(tx, accountId, documentId, creditNoteId);
      if (!found) continue;
      const total = Money.of(found.total, amount.currency);
      if (total.compare(amount) !== 0) throw creditNoteDiffers(total, amount);
      return { documentId, creditNoteId, number: found.number, isVoid: false };
    }
    throw PaymentRefusal.unknown_document.at(
      '/credit_note_id',
      'The documents of this refund have no such credit note that stands and is of no refund yet.',
    );
  }
}
