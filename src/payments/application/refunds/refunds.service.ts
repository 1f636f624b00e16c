import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { assertHappened } from '../../../kernel/fact-dates.js';
import { IdGenerator, type Uuid } from '../../../kernel/ids.js';
import type { CommitGuard, RequestIdentity, Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { datedByGateway, isSettled, type Refund, withRefund } from '../../domain/refund.js';
import { RefundsQuery } from '../../infrastructure/refunds.query.js';
import { RefundCalls } from './refund-calls.js';
import { RefundKeys } from './refund-keys.js';
import { RefundPlanning, type RequestRefund } from './refund-planning.js';
import type { SeenRefund } from './refund-settlement.js';
import { RefundWriter } from './refund-writer.js';

/** Money that goes back to who paid it: through the gateway that took it, or by hand. */
@Injectable()
export class Refunds {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly planning: RefundPlanning,
    private readonly keys: RefundKeys,
    private readonly query: RefundsQuery,
    private readonly writer: RefundWriter,
    private readonly calls: RefundCalls,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /**
   * The money is set aside, committed, before the provider hears of it; what the provider says is
   * written in a second transaction. If the process dies in between, the look-up finds the refund.
   * @throws DomainError `payment_not_found`, `receipt_not_found`, `payment_reversed`,
   *   `payment_not_refundable`, `receipt_settled`, `amount_exceeds_refundable`,
   *   `currency_mismatch`, `paid_from_mismatch`, `refund_dated_by_gateway`, `date_in_future`,
   *   `date_too_early`, `idempotency_key_reused`
   */
  async request(command: RequestRefund, guard?: CommitGuard<SeenRefund>): Promise<SeenRefund> {
    const first = guard && { lookup: guard.lookup, onFound: guard.onFound.bind(guard) };
    const begun = await this.uow.run(
      async (tx) => this.begin(tx, command, guard?.request?.()),
      first as CommitGuard<SeenRefund & { isNew: boolean }> | undefined,
    );
    const { refund, isNew } = begun;
    if (isSettled(refund) && !guard) return begun;
    const isToBeSent = isNew && !isSettled(refund);
    return isToBeSent ? this.calls.send(refund, guard) : this.calls.lookUp(refund, guard);
  }

  /** Asks the provider now. @throws DomainError `refund_not_found` */
  async lookUp(accountId: Uuid, id: Uuid, guard?: CommitGuard<SeenRefund>): Promise<SeenRefund> {
    return this.calls.lookUp(await this.query.get(accountId, id), guard);
  }

  private async begin(
    tx: Tx,
    command: RequestRefund,
    request: RequestIdentity | undefined,
  ): Promise<SeenRefund & { isNew: boolean }> {
    const { accountId } = command;
    const id = this.ids.next();
    const known = request && (await this.keys.knownBy(tx, accountId, request, id));
    if (known) return { refund: known, holding: null, receipt: null, isNew: false };
    const now = this.clock.now();
    const { plan, documents, holding, receipt } = await this.planning.plan(tx, command);
    const isByHand = plan.gateway === null;
    const { refundedAt } = command;
    if (refundedAt && !isByHand) throw datedByGateway(plan.gateway);
    const cameAt = holding?.payment.paidAt ?? receipt?.paidAt ?? now;
    assertHappened('refunded_at', refundedAt, now, { at: cameAt, name: 'when it was paid' });
    const bookedOn = await this.writer.laterDay(tx, accountId, refundedAt, now);
    const planned: Refund = {
      ...plan,
      id,
      accountId,
      status: isByHand ? 'succeeded' : 'pending',
      providerRefundId: null,
      failure: null,
      reference: command.reference,
      reason: command.reason,
      clientId: command.clientId,
      requestedAt: now,
      settledAt: isByHand ? (refundedAt ?? now) : null,
      bookedOn,
      attempts: 0,
      nextLookAt: null,
      undoing: null,
    };
    const refund = isByHand
      ? this.writer.record(tx, planned, documents)
      : this.writer.setAside(tx, planned);
    return {
      refund,
      holding: holding && withRefund(holding, refund, 1n),
      receipt: receipt && {
        ...receipt,
        settled: receipt.settled.plus(refund.amount),
        refunded: isByHand ? receipt.refunded.plus(refund.amount) : receipt.refunded,
      },
      bookedOn,
      isNew: true,
    };
  }
}
