import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Payment } from '../../domain/payment.js';
import { ProviderReversalRepository } from '../../infrastructure/provider-reversal.repository.js';
import { Allocations } from '../allocations.service.js';

/** How often credit is given back that somebody else spends in the same moment. */
const MOST_TRIES = 10;
const MOST_CREDIT_PARTS = 100;

/** Credit of a customer that is spent, and has to come back before a payment can be reversed. */
export class SpentCredit {
  constructor(
    readonly payment: Payment,
    readonly amount: Money,
  ) {}
}

/** Has spent credit back where a provider takes the money that it came of. */
@Injectable()
export class SpentCredits {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reversals: ProviderReversalRepository,
    private readonly allocations: Allocations,
  ) {}

  /**
   * Runs the work until no spent credit is in its way. That comes back in transactions of its own,
   * each move a fact.
   * @param work its `mayLose` says that what cannot be had back of spent credit is lost
   */
  async untilBack<Done>(
    gateway: string,
    work: (tx: Tx, mayLose: boolean) => Promise<Done | SpentCredit>,
  ): Promise<Done> {
    let mayLose = false;
    for (let tries = 1; ; tries += 1) {
      const isLast: boolean = mayLose || tries > MOST_TRIES;
      const done: Done | SpentCredit = await this.uow.run((tx) => work(tx, isLast));
      if (!(done instanceof SpentCredit)) return done;
      mayLose = !(await this.release(gateway, done));
    }
  }

  /**
   * Gives spent credit back to the customer, off what it paid last: those documents are due again.
   * @returns false where there is none that it paid
   */
  private async release(gateway: string, { payment, amount }: SpentCredit): Promise<boolean> {
    const by = {
      accountId: payment.accountId,
      actor: { type: 'gateway' as const, id: gateway },
      origin: null,
    };
    let missing = amount;
    for (const part of await this.reversals.spentCredit(payment, MOST_CREDIT_PARTS)) {
      if (!missing.isPositive()) break;
      const moved = part.amount.min(missing);
      const { paymentId, documentId: from } = part;
      try {
        await this.allocations.move(by, {
          paymentId,
          from,
          to: 'credit',
          amountMinor: moved.minor,
          movedAt: null,
        });
        missing = missing.minus(moved);
      } catch (error) {
        if (!hasGone(error)) throw error;
      }
    }
    return missing.compare(amount) < 0;
  }
}

/** Somebody else has moved or reversed it in the same moment. */
function hasGone(error: unknown): boolean {
  const codes = ['amount_exceeds_allocated', 'payment_reversed'];
  return error instanceof DomainError && codes.includes(error.code);
}
