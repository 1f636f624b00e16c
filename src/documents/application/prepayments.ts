import { Injectable } from '@nestjs/common';
import type { Actor, By } from '../../kernel/actor.js';
import { assert } from '../../kernel/assert.js';
import type { Tx } from '../../platform/database/tx.js';
import { Document } from '../domain/document.js';
import type { Prepayment } from '../domain/prepayment.js';

/** Records money that came in before an issue as what it is: payments. */
export interface PrepaymentRecorder {
  /** @throws DomainError for what cannot be recorded */
  judge(tx: Tx, document: Document, told: readonly Prepayment[]): Promise<void>;
  /** @param document as the payment before left it */
  record(tx: Tx, document: Document, told: Prepayment, actor: Actor): void;
}

/** Money that came in before an issue, in the transaction of the issue (decision 254). */
@Injectable()
export class Prepayments {
  private recorder: PrepaymentRecorder | null = null;

  /** Payments stand to the right of documents. */
  recordBy(recorder: PrepaymentRecorder): void {
    this.recorder = recorder;
  }

  /**
   * Before the number is taken: what an invoice will say was paid.
   * @throws DomainError `prepayments_need_issue`, `amount_exceeds_due`, `paid_at_in_future`,
   *   `date_too_early`, `insufficient_credit`
   */
  async judge(tx: Tx, document: Document, told: readonly Prepayment[]): Promise<void> {
    if (told.length === 0) return;
    document.prepay(told);
    await this.known().judge(tx, document, told);
  }

  /** After the issued document is written. Each payment is a step of its own in its history. */
  async record(
    tx: Tx,
    document: Document,
    told: readonly Prepayment[] = [],
    { actor }: By,
  ): Promise<void> {
    if (told.length === 0) return;
    // No statement changes a row that it inserts itself.
    await tx.flush();
    for (const one of told) {
      this.known().record(tx, new Document(document.state, document.now), one, actor);
    }
  }

  private known(): PrepaymentRecorder {
    assert(this.recorder, 'somebody records prepayments');
    return this.recorder;
  }
}
