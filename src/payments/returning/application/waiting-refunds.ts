import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import type { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Gateway } from '../../port/domain/gateway.js';
import type { EarlyReport } from '../../port/domain/early-report.js';
import {
  hasFailed,
  type ReturnedReport,
  type ToldRefund,
  waitingOf,
} from '../../port/domain/told-refund.js';
import { ProviderRefundRepository } from '../infrastructure/provider-refund.repository.js';
import { ProviderReportRepository } from '../../port/infrastructure/provider-report.repository.js';
import {
  type ProviderMoney,
  ProviderReversalRepository,
} from '../infrastructure/provider-reversal.repository.js';
import type { TakenReturn } from './refunds/told-outcomes.js';
import { tellWaiting } from '../../recording/infrastructure/unmatched-item.repository.js';

/**
 * Keeps what was told of refunds and cannot be booked yet: of a payment that nobody knows, over more than
 * came, or by a sum alone. Items tell of just as much as went back and is in no books.
 */
@Injectable()
export class WaitingRefunds {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reports: ProviderReportRepository,
    private readonly known: ProviderRefundRepository,
    private readonly reversals: ProviderReversalRepository,
  ) {}

  /** Locks the provider's payment. */
  async lock(
    tx: Tx,
    gateway: string,
    { providerPaymentId }: Pick<ToldRefund, 'providerPaymentId'>,
  ): Promise<readonly ToldRefund[]> {
    const early = await this.reports.lockEarly(tx, gateway, providerPaymentId);
    return early.filter((one) => one.kind === 'refund');
  }

  /**
   * The money that went back, its id at the provider being locked; or what becomes of the report.
   * @throws InvalidSignature when the event id came with another body
   */
  async moneyOf(
    tx: Tx,
    gateway: Gateway,
    told: ToldRefund,
    early: readonly ToldRefund[],
    report: ReturnedReport | null,
  ): Promise<(ProviderMoney & { accountId: Uuid }) | TakenReturn> {
    const known = report && (await this.reports.outcomeOf(tx, gateway.name, report));
    if (known) return known === 'ok' ? 'booked' : 'kept';
    const money = await this.reversals.findMoney(tx, gateway.name, told.providerPaymentId);
    const accountId = money?.accountId;
    if (!money || !accountId) {
      if (report) await this.keep(tx, gateway, report, told, early, null);
      return 'kept';
    }
    // A person has to say what of it is due again in the other currency.
    return money.isConverted ? 'disagrees' : { ...money, accountId };
  }

  /** All that is kept of what was told of a payment's refunds. */
  async told(
    gateway: string,
    { providerPaymentId }: Pick<ToldRefund, 'providerPaymentId'>,
  ): Promise<readonly EarlyReport[]> {
    return this.uow.run((tx) => this.reports.failuresOf(tx, gateway, providerPaymentId));
  }

  /** Money that went back and is in no books. @param accountId null: nobody knows the payment */
  async missing(
    tx: Tx,
    gateway: string,
    accountId: Uuid | null,
    told: readonly ToldRefund[],
  ): Promise<Money> {
    const [{ providerPaymentId, amount }] = told as [ToldRefund];
    const of = { accountId: accountId ?? '', gateway, providerPaymentId };
    const booked = accountId === null ? [] : await this.known.knownOf(tx, of);
    return waitingOf(told, booked, amount.currency);
  }

  /** With its event, and an item where more went back than items tell. @param early those of before */
  async keep(
    tx: Tx,
    gateway: Gateway,
    report: ReturnedReport,
    told: ToldRefund,
    early: readonly ToldRefund[],
    accountId: Uuid | null,
  ): Promise<void> {
    this.reports.keepRefund(tx, gateway.name, report.eventId, told, tx.now());
    await this.tell(tx, gateway, report, accountId, [told, ...early]);
  }

  /** Each once, however often its event comes. */
  keepSum(
    tx: Tx,
    gateway: Gateway,
    { eventId }: ReturnedReport,
    told: ToldRefund,
    early: readonly ToldRefund[],
  ): void {
    const isKept = early.some(
      ({ providerRefundId, amount, at }) =>
        providerRefundId === null &&
        amount.toString() === told.amount.toString() &&
        at.getTime() === told.at.getTime(),
    );
    if (!isKept) this.reports.keepRefund(tx, gateway.name, eventId, told, tx.now());
  }

  /** A sum that is kept, and that nobody explains, with its event and an item. */
  async tellSum(
    gateway: Gateway,
    report: ReturnedReport,
    told: ToldRefund,
    accountId: Uuid,
  ): Promise<void> {
    await this.uow.run(async (tx) => {
      const early = await this.lock(tx, gateway.name, told);
      if (await this.reports.outcomeOf(tx, gateway.name, report)) return;
      await this.tell(tx, gateway, report, accountId, early);
    });
  }

  /** One that failed: what is told of it later, and was said earlier at its provider, is old. */
  keepFailure(
    tx: Tx,
    gateway: Gateway,
    { eventId }: ReturnedReport,
    told: ToldRefund,
    early: readonly ToldRefund[],
  ): void {
    if (hasFailed(told, early)) return;
    this.reports.keepRefund(tx, gateway.name, eventId, told, tx.now());
  }

  /** The same of a refund of ours. */
  async noteFailure(gateway: Gateway, report: ReturnedReport, told: ToldRefund): Promise<void> {
    await this.uow.run(async (tx) => {
      this.keepFailure(tx, gateway, report, told, await this.lock(tx, gateway.name, told));
    });
  }

  /** Some of what waited is in the books now, or has come back. */
  async review(gateway: Gateway, told: ToldRefund): Promise<void> {
    const { providerPaymentId } = told;
    await this.uow.run(async (tx) => {
      const early = await this.lock(tx, gateway.name, told);
      const money = await this.reversals.findMoney(tx, gateway.name, providerPaymentId);
      if (early.length === 0 || !money?.accountId || money.isConverted) return;
      const amount = await this.missing(tx, gateway.name, money.accountId, early);
      const of = { providerPaymentId, amount, toldBy: null };
      await tellWaiting(tx, gateway, of, tx.now());
    });
  }

  /** A person has to know, as nothing is booked. @param kept all that is kept of the payment */
  private async tell(
    tx: Tx,
    gateway: Gateway,
    report: ReturnedReport,
    accountId: Uuid | null,
    kept: readonly ToldRefund[],
  ): Promise<void> {
    const now = tx.now();
    const { eventId, eventType, providerPaymentId, review } = report;
    this.reports.insertEvent(tx, gateway.name, report, 'ignored', now);
    const amount = await this.missing(tx, gateway.name, accountId, kept);
    const toldBy = { told: review, eventId, eventType };
    await tellWaiting(tx, gateway, { providerPaymentId, amount, toldBy }, now);
  }
}
