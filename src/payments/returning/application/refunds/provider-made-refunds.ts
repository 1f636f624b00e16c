import { Injectable } from '@nestjs/common';
import { believable } from '../../../../kernel/fact-dates.js';
import type { Uuid } from '../../../../kernel/ids.js';
import type { Tx } from '../../../../platform/database/tx.js';
import type { Refund } from '../../domain/refund.js';
import { isMoreThanCame, type NamedRefund, recordedAs } from '../../../port/domain/told-refund.js';
import {
  type OfProvider,
  ProviderRefundRepository,
} from '../../infrastructure/provider-refund.repository.js';
import type { ProviderMoney } from '../../infrastructure/provider-reversal.repository.js';
import { SpentCredit } from '../spent-credits.js';
import { GoneRefundPlanning, type LockedMoney } from './gone-refund-planning.js';
import { RefundMeanings } from './refund-meanings.js';
import { RefundWriter } from './refund-writer.js';

/** The end of a refund that was told. */
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
    private readonly gone: GoneRefundPlanning,
    private readonly meanings: RefundMeanings,
    private readonly writer: RefundWriter,
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
    const place = await this.gone.lock(tx, money);
    const { currency } = place.holding?.payment.amount ?? money.amount;
    const { amount, providerRefundId: name } = told;
    if (currency !== amount.currency) return { is: 'disagreement' };
    const named = await this.known.named(tx, of, { name, amount });
    if (named) return named.isSame ? { is: 'booked', id: named.id } : { is: 'disagreement' };
    if (told.outcome === 'failed') return { is: 'booked', id: null };
    const booked = await this.known.knownOf(tx, of);
    const same = recordedAs(told, booked);
    if (same) {
      const at = tx.now();
      this.known.insertName(tx, of, { providerRefundId: name, refundId: same, amount, at });
      return { is: 'booked', id: same };
    }
    if (isMoreThanCame(told, booked, money.amount)) return { is: 'waiting' };
    return this.write(tx, of, place, told, mayLose);
  }

  private async write(
    tx: Tx,
    { accountId, gateway, providerPaymentId }: OfProvider,
    place: LockedMoney,
    { amount, outcome, providerRefundId, at }: NamedRefund,
    mayLose: boolean,
  ): Promise<MadeRefund | SpentCredit> {
    const given = await this.gone.plan(tx, place, amount, mayLose);
    if (given instanceof SpentCredit) return given;
    if (!given) return { is: 'booked', id: null };
    const { documents, ...plan } = given;
    const now = tx.now();
    const cameAt = place.holding?.payment.paidAt ?? place.receipt?.paidAt ?? at;
    const wentAt = believable(at < cameAt ? cameAt : at, now);
    const isPending = outcome === 'pending';
    const refund: Refund = {
      ...plan,
      id: tx.newId(),
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
      meaning: await this.meanings.meantBy(tx, accountId, plan, null, null),
      notes: [],
    };
    if (isPending) this.writer.setAside(tx, refund);
    else await this.writer.record(tx, refund, documents);
    return { is: 'booked', id: refund.id };
  }
}
