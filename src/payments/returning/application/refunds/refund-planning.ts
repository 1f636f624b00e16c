import { Injectable } from '@nestjs/common';
import type { Document } from '../../../../documents/index.js';
import type { Currency } from '../../../../kernel/currency.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { Money } from '../../../../kernel/money.js';
import type { Tx } from '../../../../platform/database/tx.js';
import type { Conversion, ForeignMoney } from '../../../recording/domain/conversion.js';
import { Gateways, payeeOf } from '../../../port/domain/gateways.js';
import { paymentDisputed } from '../../../port/domain/payment-refusals.js';
import type { Holding } from '../../../recording/domain/holding.js';
import { isFromCredit } from '../../../recording/domain/payment.js';
import type { PaymentMethod } from '../../../../kernel/payment-method.js';
import { paymentReversed, PaymentRefusal } from '../../../port/domain/payment-refusals.js';
import {
  assertPayable,
  exceedsRefundable,
  paidByHand,
  paidFromMismatch,
  type Refund,
  type RefundAccount,
  type RefundOf,
  type RefundPart,
} from '../../domain/refund.js';
import {
  creditedByNotes,
  type CreditedByNotes,
  creditedDocuments,
  type GonePlan,
  planGone,
  planRefund,
  type RefundFrom,
} from '../../domain/refunds/refund-plan.js';
import type { SaidMeaning } from '../../domain/refunds/refund-meaning.js';
import { openAmount, type UnmatchedReceipt } from '../../../recording/domain/unmatched-receipt.js';
import {
  getHoldingForUpdate,
  holdingsOfDocuments,
} from '../../../recording/infrastructure/holdings.repository.js';
import { PaymentRepository } from '../../../recording/infrastructure/payment.repository.js';
import { RefundRepository } from '../../infrastructure/refund.repository.js';
import { UnmatchedReceiptRepository } from '../../../recording/infrastructure/unmatched-receipt.repository.js';
import { Conversions } from '../../../recording/application/conversions.js';
import { NotedDocuments } from '../../../recording/application/noted-documents.js';

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
  /** Of a refund by hand; the method says it when absent. */
  paidFrom: RefundAccount | null;
  /** The money that leaves, if it is in another currency than the payment. */
  paidOut: ForeignMoney | null;
  /** The time at which it went back by hand; null is now. */
  refundedAt: Date | null;
  reference: string | null;
  reason: string | null;
  /** Its meaning for the documents that give it; null: as the account's setting says. */
  meaning: SaidMeaning;
}

/** A planned refund, before anything was asked or written. */
type Plan = Pick<
  Refund,
  | 'of'
  | 'amount'
  | 'conversion'
  | 'fromCredit'
  | 'parts'
  | 'creditKept'
  | 'lost'
  | 'providerPaymentId'
  | 'gateway'
  | 'method'
  | 'paidFrom'
>;

interface WithDocuments {
  /** Those that give something, locked. */
  documents: readonly Document[];
}

/** A plan, with the money that it is of, locked. */
export interface Planned {
  plan: Plan;
  /** Those that give something back by hand. */
  documents: readonly Document[];
  holding: Holding | null;
  receipt: UnmatchedReceipt | null;
}

/** Decides what a refund takes, from where, and how it goes back; it writes nothing. */
@Injectable()
export class RefundPlanning {
  constructor(
    private readonly documents: NotedDocuments,
    private readonly payments: PaymentRepository,
    private readonly receipts: UnmatchedReceiptRepository,
    private readonly refunds: RefundRepository,
    private readonly gateways: Gateways,
    private readonly conversions: Conversions,
  ) {}

  /**
   * Locks the money, and what gives it back.
   * @throws DomainError `payment_not_found`, `receipt_not_found`, `payment_reversed`,
   *   `payment_not_refundable`, `receipt_settled`, `amount_exceeds_refundable`, `currency_mismatch`,
   *   `paid_from_mismatch`, `gateway_unreadable`, and as `Conversions.convert`
   */
  async plan(tx: Tx, command: RequestRefund): Promise<Planned> {
    const { of } = command;
    return 'paymentId' in of
      ? this.ofPayment(tx, command, of.paymentId)
      : this.ofReceipt(tx, command, of.receiptId);
  }

  private async ofPayment(tx: Tx, command: RequestRefund, paymentId: Uuid): Promise<Planned> {
    const { accountId, from } = command;
    const holding = await getHoldingForUpdate(tx, accountId, paymentId);
    const { payment, allocations } = holding;
    assertRefundable(holding);
    const way = await this.wayOf(tx, command, payment.method, payment.source);
    assertPayable(way, command.paidOut, payment);
    const newestFirst =
      allocations.length > 1
        ? await this.refunds.newestFirst(tx, payment)
        : allocations.map(({ documentId }) => documentId);
    // Documents before the credit: the order in which everybody locks.
    // A refund that only sets money of a document aside, which is named, waits for no document.
    const isNamed = from !== null && from !== 'credit';
    const toLock = way.gateway === null || !isNamed ? newestFirst : [];
    const locked = await this.documents.findForUpdate(tx, accountId, toLock);
    const { customerId, amount } = payment;
    const noted = isNamed ? [] : await this.creditedOf(tx, holding, locked);
    const isCreditWanted = from === 'credit' || (from === null && holding.rest.isPositive());
    const spendable =
      isCreditWanted || noted.length > 0
        ? await this.payments.lockCredit(tx, accountId, customerId, amount.currency)
        : Money.zero(amount.currency);
    const asked = { amount: askedFor(command, amount), from };
    const planned = planRefund({ holding, newestFirst, spendable, noted }, asked);
    const of: RefundOf = { type: 'payment', paymentId, customerId };
    const documents = givingOf(planned.parts, locked);
    const conversion = await this.convert(tx, command, amount.currency);
    const plan = { ...way, ...planned, conversion, of, lost: Money.zero(amount.currency) };
    return { plan, documents, holding, receipt: null };
  }

  private async convert(
    tx: Tx,
    { accountId, paidOut, refundedAt }: RequestRefund,
    into: Currency,
  ): Promise<Conversion | null> {
    return (
      paidOut && this.conversions.convert(tx, accountId, paidOut, into, refundedAt ?? tx.now())
    );
  }

  /** Of money that has gone already: nothing is refused. @param holding locked */
  async planGone(
    tx: Tx,
    holding: Holding,
    amount: Money,
  ): Promise<
    GonePlan &
      WithDocuments & { spendable: Money; newestFirst: Uuid[]; locked: readonly Document[] }
  > {
    const { payment } = holding;
    const newestFirst = await this.refunds.newestFirst(tx, payment);
    const locked = await this.documents.findForUpdate(tx, payment.accountId, newestFirst);
    const noted = await this.creditedOf(tx, holding, locked);
    const { accountId, customerId } = payment;
    const spendable = await this.payments.lockCredit(tx, accountId, customerId, amount.currency);
    const plan = planGone({ holding, newestFirst, spendable, noted }, amount);
    return { ...plan, spendable, newestFirst, locked, documents: givingOf(plan.parts, locked) };
  }

  /** The documents whose credit notes turned money of the payment into credit. */
  private async creditedOf(
    tx: Tx,
    holding: Holding,
    locked: readonly Document[],
  ): Promise<CreditedByNotes[]> {
    const states = locked.map(({ state }) => state);
    const noted = creditedDocuments(holding, states);
    if (noted.length === 0) return [];
    const ids = noted.map(({ id }) => id);
    const onThem = await holdingsOfDocuments(tx, holding.payment.accountId, ids);
    return creditedByNotes(noted, onThem);
  }

  private async ofReceipt(tx: Tx, command: RequestRefund, receiptId: Uuid): Promise<Planned> {
    const receipt = await this.receipts.getForUpdate(tx, command.accountId, receiptId);
    const open = openAmount(receipt);
    const amount = askedFor(command, open) ?? open;
    if (amount.compare(open) > 0) {
      const isDisputed = amount.compare(open.plus(receipt.disputed)) <= 0;
      throw isDisputed ? paymentDisputed(open) : exceedsRefundable(open);
    }
    const way = await this.wayOf(tx, command, 'other', receipt);
    const of: RefundOf = { type: 'receipt', receiptId };
    const none = Money.zero(open.currency);
    const taken = { amount, conversion: null, fromCredit: none, parts: [] };
    const plan: Plan = { ...way, of, ...taken, creditKept: none, lost: none };
    return { plan, documents: [], holding: null, receipt };
  }

  /** Through the gateway that took the money, or by hand. */
  private async wayOf(
    tx: Tx,
    { accountId, method, paidFrom: asked }: RequestRefund,
    cameBy: PaymentMethod,
    source: object,
  ): Promise<Pick<Plan, 'gateway' | 'method' | 'paidFrom' | 'providerPaymentId'>> {
    const taken = source as { gateway?: string; providerPaymentId?: string };
    const { gateway = null, providerPaymentId = null } = taken;
    const wanted = method ?? (gateway === null ? cameBy : 'gateway');
    if (wanted !== 'gateway') {
      const paidFrom = paidByHand(wanted, gateway !== null, asked);
      return { gateway: null, method: wanted, paidFrom, providerPaymentId };
    }
    if (gateway !== null && (await this.canRefund(tx, accountId, gateway))) {
      if (asked === 'cash') {
        throw paidFromMismatch('The provider pays out of gateway_clearing; leave paid_from out.');
      }
      return { gateway, method: cameBy, paidFrom: 'gateway_clearing', providerPaymentId };
    }
    throw PaymentRefusal.payment_not_refundable.of(
      gateway === null
        ? 'No gateway took this money; give it back by hand, and send the method that you used.'
        : `${gateway} has no API key to refund with, or is not this account's; give it back by ` +
            'hand and send the method, or let the operator configure it.',
    );
  }

  private async canRefund(tx: Tx, accountId: Uuid, key: string): Promise<boolean> {
    return (await this.gateways.findFor(key, payeeOf(accountId, tx)))?.canRefund ?? false;
  }
}

/** Only those that give something back: a shortfall that was let pass stays so on the others. */
function givingOf(parts: readonly RefundPart[], locked: readonly Document[]): Document[] {
  return locked.filter(({ state }) => parts.some(({ documentId }) => documentId === state.id));
}

function assertRefundable({ payment, isReversed }: Holding): void {
  if (isReversed) throw paymentReversed();
  if (!isFromCredit(payment)) return;
  throw PaymentRefusal.payment_not_refundable.of(
    'This payment spent credit, and no money came in; reverse it to have the credit back.',
  );
}

function askedFor({ amountMinor, currency }: RequestRefund, of: Money): Money | null {
  if (currency !== null && currency !== of.currency) {
    throw PaymentRefusal.currency_mismatch.at(
      '/currency',
      `The money came in ${of.currency}; refund it in ${of.currency}.`,
      { currency: of.currency },
    );
  }
  return amountMinor === null ? null : Money.of(amountMinor, of.currency);
}
