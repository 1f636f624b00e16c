import { Injectable } from '@nestjs/common';
import { Money } from '../../../../kernel/money.js';
import type { Tx } from '../../../../platform/database/tx.js';
import type { Payment } from '../../../recording/domain/payment.js';
import { ExcessMoves } from '../../../recording/application/excess-moves.js';
import { type NewReversal, ProviderReversalWriter } from '../provider-reversal-writer.js';
import type { GivenBack } from './given-back.js';

/** Writes what documents and credit have again, beside the ledger and the documents themselves. */
@Injectable()
export class GivenBackWriter {
  constructor(
    private readonly reversals: ProviderReversalWriter,
    private readonly moves: ExcessMoves,
  ) {}

  /** The part that documents do not take again is moved to credit, by a fact of its own. */
  write(tx: Tx, payment: Payment, reversal: NewReversal, back: GivenBack): void {
    const excess = Money.sum(
      back.parts.map((one) => one.excess),
      payment.amount.currency,
    );
    const parts = back.parts.map(({ document, amount }) => ({
      documentId: document.state.id,
      amount: amount.negated(),
    }));
    const fromCredit = back.credit.plus(excess).negated();
    this.reversals.take(tx, payment, reversal, { parts, fromCredit });
    const at = tx.now();
    this.moves.write(tx, payment, back.parts, { effective: at, recordedAt: at });
  }
}
