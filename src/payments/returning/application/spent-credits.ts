import { Injectable } from '@nestjs/common';
import type { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Holding } from '../../recording/domain/holding.js';
import { getHoldingForUpdate } from '../../recording/infrastructure/holdings.repository.js';
import { PaymentRepository } from '../../recording/infrastructure/payment.repository.js';
import {
  type CreditPart,
  ProviderReversalRepository,
} from '../infrastructure/provider-reversal.repository.js';
import { Allocations } from '../../recording/application/allocations.service.js';
import { PaymentRefusal } from '../../port/domain/payment-refusals.js';

/** How often credit is given back that somebody else spends in the same moment. */
const MOST_TRIES = 10;
const MOST_CREDIT_PARTS = 100;

/** Credit of a customer that is spent, and has to come back before a payment can be reversed. */
export class SpentCredit {
  constructor(
    /** The payment before any credit comes back. */
    readonly holding: Holding,
    readonly amount: Money,
    /** The credit that the customer still has; `amount` has to be added to it. */
    readonly spendable: Money,
  ) {}
}

/** Brings spent credit back, where a provider takes the money behind it. */
@Injectable()
export class SpentCredits {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reversals: ProviderReversalRepository,
    private readonly payments: PaymentRepository,
    private readonly allocations: Allocations,
  ) {}

  /**
   * Runs the work until no spent credit is in its way. That comes back in transactions of its own,
   * each move a fact.
   * @param work its `mayLose` allows that spent credit which cannot come back is lost
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
  private async release(gateway: string, spent: SpentCredit): Promise<boolean> {
    const { payment } = spent.holding;
    const parts = await this.reversals.spentCredit(payment, MOST_CREDIT_PARTS);
    let isBack = false;
    for (const part of parts) {
      try {
        const moved = await this.uow.run((tx) => this.releasePart(tx, gateway, spent, part));
        if (!moved) return true;
        isBack = true;
      } catch (error) {
        if (!hasGone(error)) throw error;
      }
    }
    return isBack;
  }

  /** @returns false where nothing is missing any more, as a copy of the report was faster */
  private async releasePart(
    tx: Tx,
    gateway: string,
    { holding: seen, amount, spendable }: SpentCredit,
    { paymentId, documentId: from, amount: most }: CreditPart,
  ): Promise<boolean> {
    const { payment } = seen;
    // Its copies, which lock it too, come after this one.
    const holding = await getHoldingForUpdate(tx, payment.accountId, payment.id);
    if (hasChanged(holding, seen)) return false;
    const there = await this.payments.spendableCredit(tx, payment);
    const missing = spendable.plus(amount).minus(there);
    if (!missing.isPositive()) return false;
    const actor = { type: 'gateway' as const, id: gateway };
    const by = { accountId: payment.accountId, actor, origin: null };
    const amountMinor = most.min(missing).minor;
    await this.allocations.moveWithin(tx, by, {
      paymentId,
      from,
      to: 'credit',
      amountMinor,
      movedAt: null,
    });
    return true;
  }
}

function hasChanged(holding: Holding, seen: Holding): boolean {
  return (
    holding.isReversed !== seen.isReversed ||
    holding.returned.compare(seen.returned) !== 0 ||
    holding.disputed.compare(seen.disputed) !== 0
  );
}

/** Somebody else has moved or reversed it in the same moment. */
function hasGone(error: unknown): boolean {
  const { amount_exceeds_allocated: moved, payment_reversed: reversed } = PaymentRefusal;
  return moved.is(error) || reversed.is(error);
}
