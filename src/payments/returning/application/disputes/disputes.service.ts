import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../../kernel/ids.js';
import { Money } from '../../../../kernel/money.js';
import type { Tx } from '../../../../platform/database/tx.js';
import { type Dispute, type DisputeStep, nextStep, stepByReversal } from '../../domain/dispute.js';
import { type ToldDispute } from '../../../port/domain/told-dispute.js';
import type { Gateway } from '../../../port/domain/gateway.js';
import type { DisputeReport } from '../../../port/domain/provider-report.js';
import { looseReversal } from '../../domain/provider-reversal.js';
import { type ProviderFailure } from '../../../port/domain/early-report.js';
import { itemOf, subjectOf } from '../../../recording/domain/unmatched-item.js';
import type { WebhookOutcome } from '../../../port/domain/webhook-outcome.js';
import { DisputeRepository } from '../../infrastructure/dispute.repository.js';
import { ProviderReportRepository } from '../../../port/infrastructure/provider-report.repository.js';
import {
  type ProviderMoney,
  ProviderReversalRepository,
} from '../../infrastructure/provider-reversal.repository.js';
import {
  closeItem,
  keepUnmatchedItem,
} from '../../../recording/infrastructure/unmatched-item.repository.js';
import { type SpentCredit, SpentCredits } from '../spent-credits.js';
import { DisputeSteps } from './dispute-steps.js';

type OwnMoney = ProviderMoney & { accountId: Uuid };

/**
 * Takes what providers tell of disputes. They tell it late, twice and in any order: a dispute of a
 * payment that was not reported yet waits for it. Nothing is refused: the money has moved.
 */
@Injectable()
export class Disputes {
  constructor(
    private readonly reports: ProviderReportRepository,
    private readonly reversals: ProviderReversalRepository,
    private readonly disputes: DisputeRepository,
    private readonly steps: DisputeSteps,
    private readonly spent: SpentCredits,
  ) {}

  /** @throws InvalidSignature when the event id came with another body */
  async receive(gateway: Gateway, report: DisputeReport): Promise<WebhookOutcome> {
    return this.spent.untilBack(gateway.name, async (tx, mayLose) => {
      await this.reports.lock(tx, gateway.name, report.providerPaymentId);
      const known = await this.reports.outcomeOf(tx, gateway.name, report);
      if (known) return known;
      const done = await this.apply(tx, gateway, report, mayLose);
      if (typeof done !== 'string') return done;
      this.reports.insertEvent(tx, gateway.name, report, done, tx.now());
      return done;
    });
  }

  /** Applies a dispute that was told before its payment. */
  async meet(gateway: string, told: ToldDispute): Promise<void> {
    await this.spent.untilBack(gateway, async (tx, mayLose) => {
      await this.reports.lock(tx, gateway, told.providerPaymentId);
      const money = await this.reversals.findMoney(tx, gateway, told.providerPaymentId);
      const own = await this.bookable(tx, gateway, money, told);
      return own ? ((await this.take(tx, gateway, own, told, mayLose)) ?? 'ok') : 'ignored';
    });
  }

  /**
   * A reversal that is the money of a dispute is booked as that.
   * @returns whether it is one, or the credit that has to come back first
   */
  async takeReversal(
    tx: Tx,
    gateway: string,
    money: OwnMoney,
    reversal: ProviderFailure & { providerPaymentId: string },
    mayLose: boolean,
  ): Promise<boolean | SpentCredit> {
    const { kind, reference, at, amount } = reversal;
    if (kind !== 'unpaid_again' || (amount && !isInCurrency(money, { amount }))) return false;
    const all = await this.disputes.ofMoney(tx, gateway, reversal.providerPaymentId);
    const known = [money, ...all].flatMap(({ references }) => references);
    if (reference !== null && known.includes(reference)) return true;
    const left = leftOf(money, all);
    for (const before of all) {
      // Without an amount it is all that is left, which a lost dispute has not taken.
      if (amount === null && before.status === 'lost') continue;
      const told = { amount: amount ?? before.withdrawn.plus(left), reference, at };
      const step = stepByReversal(before, told);
      if (!step) continue;
      const of = { id: before.id, gateway, money, before, step, mayLose };
      return (await this.steps.take(tx, of)) ?? true;
    }
    return false;
  }

  /** The part of a payment that open disputes hold: nothing else can take it. */
  async held(tx: Tx, gateway: string, money: ProviderMoney, id: string): Promise<Money> {
    const all = await this.disputes.ofMoney(tx, gateway, id);
    return heldBy(all, money.amount.currency);
  }

  /** The outcome, or the credit that has to come back first. */
  private async apply(
    tx: Tx,
    gateway: Gateway,
    report: DisputeReport,
    mayLose: boolean,
  ): Promise<WebhookOutcome | SpentCredit> {
    const money = await this.reversals.findMoney(tx, gateway.name, report.providerPaymentId);
    const own = await this.bookable(tx, gateway.name, money, report);
    if (!own) {
      const now = tx.now();
      // One of converted money waits for no payment, but for a person.
      if (!money?.isConverted) this.reports.keepDispute(tx, gateway.name, report, now);
      const item = itemOf(
        money ? { ...report, review: whyNotBooked(money) } : report,
        'ignored',
        false,
      );
      if (item) keepUnmatchedItem(tx, gateway, item, now);
      return 'ignored';
    }
    return (await this.take(tx, gateway.name, own, report, mayLose)) ?? 'ok';
  }

  /** The money, unless a person has to see what is taken back of it. */
  private async bookable(
    tx: Tx,
    gateway: string,
    money: ProviderMoney | undefined,
    told: ToldDispute,
  ): Promise<OwnMoney | null> {
    if (!money || !isBookable(money, told)) return null;
    return (await this.disputes.isOfAnother(tx, money.accountId, gateway, told)) ? null : money;
  }

  private async take(
    tx: Tx,
    gateway: string,
    money: OwnMoney,
    told: ToldDispute,
    mayLose: boolean,
  ): Promise<SpentCredit | null> {
    const all = await this.disputes.ofMoney(tx, gateway, told.providerPaymentId);
    const before = all.find((one) => one.providerDisputeId === told.disputeId) ?? null;
    const reversals = await this.reversals.withoutDispute(tx, gateway, told.providerPaymentId);
    const { amount: reversed, lost, reference: name } = looseReversal(reversals, all, money.amount);
    const step = nextStep(before, told, { reversed, lost });
    if (step) {
      const reference = step.adopted.isPositive() ? name : null;
      const next: DisputeStep = { ...step, reference };
      const id = before?.id ?? tx.newId();
      const given = { id, gateway, money, before, told, step: next, mayLose };
      const spent = await this.steps.take(tx, given);
      if (spent) return spent;
    }
    const { providerPaymentId, disputeId } = told;
    const item = { providerPaymentId, subject: subjectOf.dispute(disputeId) };
    const reason = 'The payment was told later; its dispute is in the books.';
    closeItem(tx, gateway, item, reason, tx.now());
    return null;
  }
}

/** Of an account, and in one currency. */
function isBookable(money: ProviderMoney, told: { amount: Money }): money is OwnMoney {
  return money.accountId !== null && !money.isConverted && isInCurrency(money, told);
}

/** It is in the books, but a person has to say what the dispute is worth there. */
function whyNotBooked({ accountId, isConverted, amount }: ProviderMoney): string {
  if (accountId === null) return 'A payment is disputed that names no payment link of an account.';
  return isConverted
    ? 'A payment is disputed that counts in another currency. If it is lost, reverse the payment and refund its receipt by hand.'
    : `A payment in ${amount.currency} is disputed in another currency, or under the name of another dispute.`;
}

function isInCurrency(money: ProviderMoney, { amount }: { amount: Money }): boolean {
  return money.amount.currency === amount.currency;
}

function heldBy(disputes: readonly Dispute[], currency: string): Money {
  return Money.sum(
    disputes.map(({ withdrawn, taken }) => withdrawn.minus(taken)),
    currency,
  );
}

/** The part that nothing has taken back, and no dispute holds. */
function leftOf({ amount, takenBack }: ProviderMoney, all: readonly Dispute[]): Money {
  return amount.minus(takenBack).minus(heldBy(all, amount.currency)).atLeastZero();
}
