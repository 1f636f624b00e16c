import { Injectable } from '@nestjs/common';
import { DocumentRepository } from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { IdGenerator, type Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { Config } from '../../platform/config/config.js';
import {
  type CommitGuard,
  type RequestIdentity,
  type Tx,
  UnitOfWork,
} from '../../platform/database/unit-of-work.js';
import { ClockWatch } from '../../platform/observability/clock-watch.js';
import { Gateways } from '../domain/gateways.js';
import type { Holding } from '../domain/holding.js';
import { isFromCredit } from '../domain/payment.js';
import type { PaymentMethod } from '../domain/payment-method.js';
import { paymentNotFound, paymentReversed } from '../domain/payment-refusals.js';
import {
  exceedsRefundable,
  firstLook,
  isSettled,
  planRefund,
  type Refund,
  type RefundFrom,
  type RefundOf,
  refundNotFound,
  withRefund,
} from '../domain/refund.js';
import { openAmount } from '../domain/unmatched-receipt.js';
import { HoldingsQuery } from '../infrastructure/holdings.query.js';
import { HoldingsRepository } from '../infrastructure/holdings.repository.js';
import { PaymentRepository } from '../infrastructure/payment.repository.js';
import { RefundRepository } from '../infrastructure/refund.repository.js';
import { RefundsQuery } from '../infrastructure/refunds.query.js';
import { UnmatchedReceiptRepository } from '../infrastructure/unmatched-receipt.repository.js';
import { RefundSettlement, type SeenRefund } from './refund-settlement.js';
import { RefundWriter } from './refund-writer.js';

export interface RequestRefund {
  accountId: Uuid;
  clientId: Uuid;
  of: { paymentId: Uuid } | { receiptId: Uuid };
  /** All that can be refunded when absent. */
  amountMinor: bigint | null;
  currency: string | null;
  from: RefundFrom;
  /** `gateway`, or how it was given back by hand; the way that it came when absent. */
  method: PaymentMethod | 'gateway' | null;
  reference: string | null;
  reason: string | null;
}

/** What a refund will be, before anything was asked or written. */
type Plan = Pick<Refund, 'of' | 'amount' | 'fromCredit' | 'parts' | 'providerPaymentId'> & {
  gateway: string | null;
  method: PaymentMethod;
};

/** Money that goes back to who paid it: through the gateway that took it, or by hand. */
@Injectable()
export class Refunds {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly holdings: HoldingsRepository,
    private readonly holdingsQuery: HoldingsQuery,
    private readonly payments: PaymentRepository,
    private readonly receipts: UnmatchedReceiptRepository,
    private readonly refunds: RefundRepository,
    private readonly query: RefundsQuery,
    private readonly writer: RefundWriter,
    private readonly settlement: RefundSettlement,
    private readonly gateways: Gateways,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
    private readonly watch: ClockWatch,
    private readonly config: Config,
  ) {}

  /**
   * The money is set aside, committed, before the provider hears of it; what the provider says is
   * written in a second transaction. Dies the process between the two, the look-up finds it.
   * @throws DomainError `payment_not_found`, `receipt_not_found`, `payment_reversed`,
   *   `payment_not_refundable`, `receipt_settled`, `amount_exceeds_refundable`,
   *   `currency_mismatch`, `idempotency_key_reused`
   */
  async request(command: RequestRefund, guard?: CommitGuard<SeenRefund>): Promise<SeenRefund> {
    const first = guard && { lookup: guard.lookup, onFound: guard.onFound.bind(guard) };
    const begun = await this.uow.run(
      async (tx) => this.begin(tx, command, guard?.request?.()),
      first as CommitGuard<SeenRefund & { isNew: boolean }> | undefined,
    );
    const { refund, isNew } = begun;
    if (isSettled(refund)) return guard ? this.answer(refund, guard) : begun;
    return isNew ? this.settlement.send(refund, guard) : this.settlement.lookUp(refund, guard);
  }

  /** @throws DomainError `refund_not_found` */
  async find(accountId: Uuid, id: Uuid): Promise<Refund> {
    const refund = await this.query.find(accountId, id);
    if (!refund) throw refundNotFound();
    return refund;
  }

  /** @throws DomainError `payment_not_found` */
  async ofPayment(accountId: Uuid, paymentId: Uuid): Promise<Refund[]> {
    if (!(await this.holdingsQuery.find(accountId, paymentId))) throw paymentNotFound();
    return this.query.ofPayment(accountId, paymentId);
  }

  /** Asks the provider now. @throws DomainError `refund_not_found` */
  async lookUp(accountId: Uuid, id: Uuid, guard?: CommitGuard<SeenRefund>): Promise<SeenRefund> {
    const refund = await this.find(accountId, id);
    return isSettled(refund) ? this.answer(refund, guard) : this.settlement.lookUp(refund, guard);
  }

  /** A refund that is settled, as the answer to a request. */
  private async answer(refund: Refund, guard?: CommitGuard<SeenRefund>): Promise<SeenRefund> {
    return this.settlement.settle(refund, { status: 'unknown' }, guard);
  }

  private async begin(
    tx: Tx,
    command: RequestRefund,
    request: RequestIdentity | undefined,
  ): Promise<SeenRefund & { isNew: boolean }> {
    const { accountId, of } = command;
    const id = this.ids.next();
    const known = request && (await this.knownBy(tx, command, request, id));
    if (known) return { refund: known, holding: null, receipt: null, isNew: false };
    const now = this.clock.now();
    const { plan, documents, holding, receipt } =
      'paymentId' in of
        ? await this.planOfPayment(tx, command, of.paymentId)
        : await this.planOfReceipt(tx, command, of.receiptId);
    const isByHand = plan.gateway === null;
    const refund: Refund = {
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
      settledAt: isByHand ? now : null,
      attempts: 0,
      nextLookAt: isByHand ? null : firstLook(now, this.config.refundLookUpSeconds),
    };
    if (isByHand) this.writer.giveByHand(tx, refund, documents);
    else this.writer.setAside(tx, refund);
    return {
      refund,
      holding: holding && withRefund(holding, refund, 1n),
      receipt: receipt && {
        ...receipt,
        settled: receipt.settled.plus(refund.amount),
        refunded: isByHand ? receipt.refunded.plus(refund.amount) : receipt.refunded,
      },
      isNew: true,
    };
  }

  /** The refund of an earlier try with the same key, which got no answer. */
  private async knownBy(
    tx: Tx,
    { accountId }: RequestRefund,
    request: RequestIdentity,
    id: Uuid,
  ): Promise<Refund | undefined> {
    const now = this.clock.now();
    const forgotten = this.watch.longAgo(this.config.idempotencyHours * 3_600_000);
    const earlier = await this.refunds.takeKey(tx, accountId, request, id, now, forgotten);
    if (!earlier) return undefined;
    if (!earlier.sha256.equals(request.sha256)) {
      throw new DomainError(
        'invalid',
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request; use a new key.',
      );
    }
    return this.refunds.find(tx, accountId, earlier.refundId);
  }

  private async planOfPayment(tx: Tx, command: RequestRefund, paymentId: Uuid) {
    const { accountId, from } = command;
    const holding = await this.holdings.getForUpdate(tx, accountId, paymentId);
    const { payment, allocations } = holding;
    assertRefundable(holding);
    const way = this.wayOf(command, payment.method, payment.source);
    const newestFirst =
      allocations.length > 1
        ? await this.refunds.newestFirst(tx, payment)
        : allocations.map(({ documentId }) => documentId);
    // Documents before the credit: the order in which everybody locks.
    const toLock = way.gateway === null ? newestFirst : [];
    const locked = await this.documents.findForUpdate(tx, accountId, toLock);
    const { customerId, amount } = payment;
    const isCreditWanted = from === 'credit' || (from === null && holding.rest.isPositive());
    const spendable = isCreditWanted
      ? await this.payments.lockCredit(tx, accountId, customerId, amount.currency)
      : Money.zero(amount.currency);
    const asked = { amount: askedFor(command, amount), from };
    const planned = planRefund({ holding, newestFirst, spendable }, asked);
    const of: RefundOf = { type: 'payment', paymentId, customerId };
    // Only those that give something back: a shortfall that was let pass stays so on the others.
    const documents = locked.filter(({ state }) =>
      planned.parts.some(({ documentId }) => documentId === state.id),
    );
    return { plan: { ...way, ...planned, of }, documents, holding, receipt: null };
  }

  private async planOfReceipt(tx: Tx, command: RequestRefund, receiptId: Uuid) {
    const receipt = await this.receipts.getForUpdate(tx, command.accountId, receiptId);
    const open = openAmount(receipt);
    const amount = askedFor(command, open) ?? open;
    if (amount.compare(open) > 0) throw exceedsRefundable(open);
    const way = this.wayOf(command, 'other', receipt);
    const of: RefundOf = { type: 'receipt', receiptId };
    const plan: Plan = { ...way, of, amount, fromCredit: Money.zero(open.currency), parts: [] };
    return { plan, documents: [], holding: null, receipt };
  }

  /** Through the gateway that took the money, or by hand. @throws `payment_not_refundable` */
  private wayOf(
    { accountId, method }: RequestRefund,
    cameBy: PaymentMethod,
    source: object,
  ): Pick<Plan, 'gateway' | 'method' | 'providerPaymentId'> {
    const taken = source as { gateway?: string; providerPaymentId?: string };
    const { gateway = null, providerPaymentId = null } = taken;
    const wanted = method ?? (gateway === null ? cameBy : 'gateway');
    if (wanted !== 'gateway') return { gateway: null, method: wanted, providerPaymentId };
    if (gateway !== null && this.canRefund(accountId, gateway)) {
      return { gateway, method: cameBy, providerPaymentId };
    }
    throw DomainError.conflict(
      'payment_not_refundable',
      gateway === null
        ? 'No gateway took this money; give it back by hand, and send the method that you used.'
        : `${gateway} has no API key to refund with, or is not this account's; give it back by ` +
            'hand and send the method, or let the operator configure it.',
    );
  }

  private canRefund(accountId: Uuid, name: string): boolean {
    return this.gateways
      .all()
      .some((each) => each.name === name && each.canRefund && each.isOf(accountId, true));
  }
}

/** @throws DomainError `payment_reversed`, `payment_not_refundable` */
function assertRefundable({ payment, isReversed }: Holding): void {
  if (isReversed) throw paymentReversed();
  if (!isFromCredit(payment)) return;
  throw DomainError.conflict(
    'payment_not_refundable',
    'Credit was spent here, and no money came; reverse the payment to have the credit back.',
  );
}

/** @throws DomainError `currency_mismatch` */
function askedFor({ amountMinor, currency }: RequestRefund, of: Money): Money | null {
  if (currency !== null && currency !== of.currency) {
    throw DomainError.invalid(
      'currency_mismatch',
      '/currency',
      `The money came in ${of.currency}; refund it in ${of.currency}.`,
      { currency: of.currency },
    );
  }
  return amountMinor === null ? null : Money.of(amountMinor, of.currency);
}
