import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../../kernel/ids.js';
import { type CommitGuard, lookUpOf } from '../../../../platform/database/tx.js';
import { UnitOfWork } from '../../../../platform/database/unit-of-work.js';
import { isSettled } from '../../domain/refund.js';
import { RefundsQuery } from '../../infrastructure/refunds/refunds.query.js';
import { RefundBeginning } from './refund-beginning.js';
import { RefundCalls } from './refund-calls.js';
import type { RequestRefund } from './refund-planning.js';
import type { SeenRefund } from './locked-refunds.js';

/** Money that goes back to who paid it: through the gateway that took it, or by hand. */
@Injectable()
export class Refunds {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly beginning: RefundBeginning,
    private readonly query: RefundsQuery,
    private readonly calls: RefundCalls,
  ) {}

  /**
   * The money is set aside, committed, before the provider hears of it; what the provider says is
   * written in a second transaction. If the process dies in between, the look-up finds the refund.
   * @throws DomainError `payment_not_found`, `receipt_not_found`, `payment_reversed`,
   *   `payment_not_refundable`, `receipt_settled`, `amount_exceeds_refundable`,
   *   `currency_mismatch`, `paid_from_mismatch`, `refund_dated_by_gateway`, `date_in_future`,
   *   `date_too_early`, `idempotency_key_reused`, `refund_meaning_not_possible`,
   *   `credit_note_differs`, and what refuses a credit note
   */
  async request(command: RequestRefund, guard?: CommitGuard<SeenRefund>): Promise<SeenRefund> {
    const begun = await this.uow.run(
      async (tx) => this.beginning.begin(tx, command, guard?.request?.()),
      lookUpOf(guard),
    );
    const { refund, isNew } = begun;
    if (isSettled(refund) && !guard) return begun;
    const isToBeSent = isNew && !isSettled(refund);
    return isToBeSent ? this.calls.send(refund, guard) : this.calls.lookUp(refund, guard);
  }

  /** Asks the provider now. */
  async lookUp(accountId: Uuid, id: Uuid, guard?: CommitGuard<SeenRefund>): Promise<SeenRefund> {
    return this.calls.lookUp(await this.query.get(accountId, id), guard);
  }
}
