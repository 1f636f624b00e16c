import { Injectable } from '@nestjs/common';
import type { Document } from '../../../documents/index.js';
import { Clock } from '../../../kernel/clock.js';
import { believable } from '../../../kernel/fact-dates.js';
import { IdGenerator, type Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import { afterTaken, type Holding } from '../../domain/holding.js';
import type { Refund } from '../../domain/refund.js';
import { isMoreThanCame, type NamedRefund, recordedAs } from '../../domain/told-refund.js';
import type { UnmatchedReceipt } from '../../domain/unmatched-receipt.js';
import { HoldingsRepository } from '../../infrastructure/holdings.repository.js';
import {
  type OfProvider,
  ProviderRefundRepository,
} from '../../infrastructure/provider-refund.repository.js';
import type { ProviderMoney } from '../../infrastructure/provider-reversal.repository.js';
import { UnmatchedReceiptRepository } from '../../infrastructure/unmatched-receipt.repository.js';
import { DisputedDocuments } from '../disputes/disputed-documents.js';
import { PaymentLosses } from '../providers/payment-losses.js';
import { SpentCredit } from '../providers/spent-credits.js';
import { RefundPlanning } from './refund-planning.js';
import { RefundWriter } from './refund-writer.js';

/** The money that a refund is of, locked. */
interface Place {
  holding: Holding | null;
  receipt: UnmatchedReceipt | null;
}

type Given = Pick<Refund, 'of' | 'fromCredit' | 'parts' | 'lost' | 'method'> & {
  documents: readonly Document[];
};

/** What became of a refund that was told. */
type MadeRefund =
  /** Null: it failed before it was told, so there is nothing to book. */
  | { is: 'booked'; id: Uuid | null }
  /** More went back than came, so news is missing. */
  | { is: 'waiting' }
  /** Our money is of another currency, or the refund was told before of another payment or amount. */
  | { is: 'disagreement' };

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
    private readonly losses: PaymentLosses,
    private readonly disputed: DisputedDocuments,
    private readonly writer: RefundWriter,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /**
   * @param money its id at the provider being locked
   * @param mayLose what cannot be had back of spent credit is lost
   */
  async book(
    tx: Tx,
    gateway: string,
    money: ProviderMoney & { accountId: Uuid },
    told: NamedRefund,
    mayLose: boolean,
  ): Promise<MadeRefund | SpentCredit> {
    const { accountId } = money;
    const of = { accountId, gateway, providerPaymentId: told.providerPaymentId };
    // Before it is looked for: nobody records or reverses one by hand meanwhile.
    const place = await this.lock(tx, money);
    const { currency } = place.holding?.payment.amount ?? money.amount;
    const { amount, providerRefundId: name } = told;
    if (currency !== amount.currency) return { is: 'disagreement' };
    const named = await this.known.named(tx, of, { name, amount });
    if (named) return named.isSame ? { is: 'booked', id: named.id } : { is: 'disagreement' };
    if (told.outcome === 'failed') return { is: 'booked', id: null };
    const booked = await this.known.knownOf(tx, of);
    const same = recordedAs(told, booked);
    if (same) {
      const at = this.clock.now();
      this.known.insertName(tx, of, { providerRefundId: name, refundId: same, amount, at });
      return { is: 'booked', id: same };
    }
    if (isMoreThanCame(told, booked, money.amount)) return { is: 'waiting' };
    return this.write(tx, of, place, told, mayLose);
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
    { amount, outcome, providerRefundId, at }: NamedRefund,
    mayLose: boolean,
  ): Promise<MadeRefund | SpentCredit> {
    const given = await this.planned(tx, place, amount, mayLose);
    if (given instanceof SpentCredit) return given;
    if (!given) return { is: 'booked', id: null };
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
    return { is: 'booked', id: refund.id };
  }

  /** Of the payment, as long as that has all of it or the receipt has less. */
  private async planned(
    tx: Tx,
    { holding: seen, receipt }: Place,
    amount: Money,
    mayLose: boolean,
  ): Promise<Given | SpentCredit | null> {
    const open = receipt?.amount.minus(receipt.settled) ?? Money.zero(amount.currency);
    const left = seen?.payment.amount.minus(seen.returned);
    if (seen && left && (left.compare(amount) >= 0 || left.compare(open) >= 0)) {
      const holding = await this.losses.makeRoom(tx, seen, amount);
      const lifted = await this.disputed.lift(tx, holding);
      const planned = await this.planning.planGone(tx, lifted.holding, amount);
      const { spent, spendable, newestFirst, locked, ...plan } = planned;
      if (spent.isPositive() && !mayLose) return new SpentCredit(holding, spent, spendable);
      const saved = plan.documents.map(({ state }) => state.id);
      const after = afterTaken(lifted.holding, plan);
      this.disputed.place(tx, lifted, after, newestFirst, { locked, saved });
      const { id: paymentId, customerId, method } = holding.payment;
      return { ...plan, of: { type: 'payment', paymentId, customerId }, method };
    }
    if (!receipt) return null;
    const lost = amount.minus(amount.min(open));
    const of = { type: 'receipt' as const, receiptId: receipt.id };
    const none = Money.zero(amount.currency);
    return { of, fromCredit: none, parts: [], lost, method: 'other', documents: [] };
  }
}
