import { Injectable } from '@nestjs/common';
import type { Document } from '../../../documents/index.js';
import { Clock } from '../../../kernel/clock.js';
import { believable } from '../../../kernel/fact-dates.js';
import { IdGenerator, type Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Holding } from '../../domain/holding.js';
import type { Refund } from '../../domain/refund.js';
import { missingOf, recordedAs, type ToldRefund } from '../../domain/told-refund.js';
import type { UnmatchedReceipt } from '../../domain/unmatched-receipt.js';
import { HoldingsRepository } from '../../infrastructure/holdings.repository.js';
import {
  type OfProvider,
  ProviderRefundRepository,
} from '../../infrastructure/provider-refund.repository.js';
import type { ProviderMoney } from '../../infrastructure/provider-reversal.repository.js';
import { UnmatchedReceiptRepository } from '../../infrastructure/unmatched-receipt.repository.js';
import { SpentCredit } from '../providers/spent-credits.js';
import { RefundPlanning } from './refund-planning.js';
import { RefundWriter } from './refund-writer.js';

/** The money that a refund is of, locked. */
interface Place {
  holding: Holding | null;
  receipt: UnmatchedReceipt | null;
}

type Given = Pick<Refund, 'of' | 'fromCredit' | 'parts' | 'creditKept' | 'lost' | 'method'> & {
  documents: readonly Document[];
};

/**
 * Books refunds that a provider made without us: in its dashboard, or by itself. The money has gone,
 * so nothing is refused, and each is booked once, by whatever reports it is told.
 */
@Injectable()
export class ProviderMadeRefunds {
  constructor(
    private readonly known: ProviderRefundRepository,
    private readonly holdings: HoldingsRepository,
    private readonly receipts: UnmatchedReceiptRepository,
    private readonly planning: RefundPlanning,
    private readonly writer: RefundWriter,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /**
   * @param money its id at the provider being locked
   * @param mayLose what cannot be had back of spent credit is lost
   * @returns the id of the refund that it is here, or the credit that has to come back first. It is
   *   null where there is nothing to book, and undefined where our money is of another currency, or
   *   the refund was told before of another payment or amount.
   */
  async book(
    tx: Tx,
    gateway: string,
    money: ProviderMoney & { accountId: Uuid },
    told: ToldRefund,
    mayLose: boolean,
  ): Promise<Uuid | SpentCredit | null | undefined> {
    const { accountId } = money;
    const of = { accountId, gateway, providerPaymentId: told.providerPaymentId };
    const { providerRefundId: name } = told;
    // Before it is looked for: nobody records or reverses one by hand meanwhile.
    const place = await this.lock(tx, money);
    const { currency } = place.holding?.payment.amount ?? money.amount;
    if (currency !== told.amount.currency) return undefined;
    const { amount: whole } = told;
    const named =
      name === null ? undefined : await this.known.named(tx, of, { name, amount: whole });
    if (named) return named.isSame ? named.id : undefined;
    if (told.outcome === 'failed') return null;
    const known = await this.known.knownOf(tx, of);
    if (name === null) {
      const amount = missingOf(told, known);
      return amount.isPositive() ? this.write(tx, of, place, { ...told, amount }, mayLose) : null;
    }
    const same = recordedAs(told, known);
    if (!same) return this.write(tx, of, place, told, mayLose);
    const at = this.clock.now();
    const { amount } = told;
    this.known.insertName(tx, of, { providerRefundId: name, refundId: same, amount, at });
    return same;
  }

  private async lock(tx: Tx, money: ProviderMoney & { accountId: Uuid }): Promise<Place> {
    const { accountId, receiptId } = money;
    const receipt = receiptId ? await this.receipts.getForUpdate(tx, accountId, receiptId) : null;
    const paymentId = money.paymentId ?? receipt?.paymentId ?? null;
    const holding = paymentId ? await this.holdings.getForUpdate(tx, accountId, paymentId) : null;
    return { holding, receipt };
  }

  private async write(
    tx: Tx,
    { accountId, gateway, providerPaymentId }: OfProvider,
    place: Place,
    { amount, outcome, providerRefundId, at }: ToldRefund,
    mayLose: boolean,
  ): Promise<Uuid | SpentCredit | null> {
    const given = await this.planned(tx, place, amount, mayLose);
    if (!given || given instanceof SpentCredit) return given;
    const { documents, ...plan } = given;
    const now = this.clock.now();
    const cameAt = place.holding?.payment.paidAt ?? place.receipt?.paidAt ?? at;
    const wentAt = believable(at < cameAt ? cameAt : at, now);
    const isPending = outcome === 'pending';
    const refund: Refund = {
      ...plan,
      id: this.ids.next(),
      accountId,
      amount,
      conversion: null,
      gateway,
      paidFrom: 'gateway_clearing',
      providerPaymentId,
      status: isPending ? 'pending' : 'succeeded',
      providerRefundId,
      failure: null,
      reference: null,
      reason: null,
      clientId: null,
      requestedAt: now,
      settledAt: isPending ? null : wentAt,
      // The row gets it where it is closed.
      bookedOn: null,
      attempts: 0,
      nextLookAt: null,
      undoing: null,
    };
    if (isPending) this.writer.setAside(tx, refund);
    else this.writer.record(tx, refund, documents);
    return refund.id;
  }

  /** Of the payment, as long as that has all of it or the receipt has less. */
  private async planned(
    tx: Tx,
    { holding, receipt }: Place,
    amount: Money,
    mayLose: boolean,
  ): Promise<Given | SpentCredit | null> {
    const open = receipt?.amount.minus(receipt.settled) ?? Money.zero(amount.currency);
    const left = holding?.payment.amount.minus(holding.returned);
    if (holding && left && (left.compare(amount) >= 0 || left.compare(open) >= 0)) {
      const { payment } = holding;
      const { spent, spendable, ...plan } = await this.planning.planGone(tx, holding, amount);
      if (spent.isPositive() && !mayLose) return new SpentCredit(holding, spent, spendable);
      const { id: paymentId, customerId, method } = payment;
      return { ...plan, of: { type: 'payment', paymentId, customerId }, method };
    }
    if (!receipt) return null;
    const lost = amount.minus(amount.min(open));
    const of = { type: 'receipt' as const, receiptId: receipt.id };
    const none = Money.zero(amount.currency);
    const parts = { parts: [], creditKept: none };
    return { of, fromCredit: none, ...parts, lost, method: 'other', documents: [] };
  }
}
