import { Injectable } from '@nestjs/common';
import { takenOff } from '../../../../books/index.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { Money } from '../../../../kernel/money.js';
import type { Tx } from '../../../../platform/database/tx.js';
import { type Dispute, type DisputeStep, type NamedDispute } from '../../domain/dispute.js';
import { type ToldDispute } from '../../../port/domain/told-dispute.js';
import { afterTaken, type Holding } from '../../../recording/domain/holding.js';
import type { Payment } from '../../../recording/domain/payment.js';
import type { PaymentLink } from '../../../collecting/domain/payment-link.js';
import { DisputeRepository } from '../../infrastructure/dispute.repository.js';
import { PaymentLinkRepository } from '../../../collecting/infrastructure/payment-link.repository.js';
import type { ProviderMoney } from '../../infrastructure/provider-reversal.repository.js';
import { ReversalPlanning } from '../reversal-planning.js';
import { SpentCredit } from '../spent-credits.js';
import { DisputeWriter } from './dispute-writer.js';
import { DisputedDocuments, placesOf } from './disputed-documents.js';
import { afterGivenBack, backToReceipt, givenBack } from './given-back.js';

/** A step before it is taken. */
export interface StepOfMoney {
  /** Of the dispute. */
  id: Uuid;
  gateway: string;
  money: ProviderMoney & { accountId: Uuid };
  before: Dispute | null;
  /** The word of the provider that opens it; a reversal only goes on with one. */
  told?: ToldDispute;
  step: DisputeStep;
  mayLose: boolean;
}

interface StepOfPayment {
  /** Has to come back first; null when it is done. */
  spent: SpentCredit | null;
  /** The payment before it, if money of it came back. */
  back: Holding | null;
}

/** Finds out what a step of a dispute means for a payment, its documents and its link. */
@Injectable()
export class PaymentDisputeSteps {
  constructor(
    private readonly planning: ReversalPlanning,
    private readonly disputes: DisputeRepository,
    private readonly links: PaymentLinkRepository,
    private readonly writer: DisputeWriter,
    private readonly documents: DisputedDocuments,
  ) {}

  async take(
    tx: Tx,
    { money, before, step, mayLose }: StepOfMoney,
    dispute: NamedDispute,
    paymentId: Uuid,
  ): Promise<StepOfPayment> {
    const { accountId } = money;
    const link = money.paymentLinkId
      ? ((await this.links.findById(tx, money.paymentLinkId)) ?? null)
      : null;
    const found = await this.planning.lock(tx, accountId, paymentId, link ? [link.documentId] : []);
    const { payment } = found.holding;
    const none = Money.zero(step.amount.currency);
    const lifted = await this.documents.lift(tx, found.holding);
    const { holding } = lifted;
    const plan = step.taken.isPositive() ? this.planning.plan(found, holding, step.taken) : null;
    if (plan?.spent.isPositive() && !mayLose) {
      const spent = new SpentCredit(found.holding, plan.spent, found.spendable);
      return { spent, back: null };
    }
    const isBack = step.taken.isNegative();
    const factIds = [dispute.id, ...(before?.adopted.isPositive() ? [paymentId] : [])];
    const gave = isBack ? await takenOff(tx, payment, factIds) : [];
    const taken = before?.taken ?? none;
    const ofReceipt =
      isBack && before && money.receiptId !== null
        ? await this.disputes.takenFromReceipt(tx, before)
        : { amount: none, lost: none };
    const toReceipt = backToReceipt(money.receiptId ?? '', {
      back: step.taken.negated(),
      taken,
      gave: ofReceipt,
    });
    // More may be taken than came: then a part that comes back pays nothing yet.
    const isGone = money.takenBack.plus(step.taken).compare(money.amount) >= 0;
    const back = givenBack({
      from: 'disputed_funds',
      back: isBack ? step.taken.negated().minus(toReceipt.amount) : none,
      taken: taken.minus(ofReceipt.amount),
      documents: found.documents,
      gave,
      lost: found.holding.lost,
    });
    const after = afterTaken(
      afterGivenBack(holding, back),
      plan ?? { parts: [], fromCredit: none },
    );
    // Money that is here again may be disputed still.
    const places = back.parts.map(({ document }) => document.state.id).toReversed();
    const newestFirst = [...new Set([...places, ...found.newestFirst])];
    const disputed = (before?.disputed ?? none).plus(step.disputed);
    const { own, others } = placesOf(lifted, after, newestFirst, { id: dispute.id, disputed });
    const follows = isGone ? plan !== null : isBack;
    const failed = follows ? await this.linkAfter(tx, link, payment, isBack) : null;
    this.documents.write(tx, others, {
      locked: found.documents,
      saved: [
        ...own.map(({ documentId }) => documentId),
        ...(plan?.parts ?? []).map(({ documentId }) => documentId),
        ...places,
        ...(failed ? [failed.documentId] : []),
      ],
    });
    await this.writer.ofPayment(tx, dispute, before, step, {
      payment,
      documents: found.documents,
      parts: own,
      plan,
      back: back.amount.isPositive() ? back : null,
      toReceipt: toReceipt.amount.isPositive() ? toReceipt : null,
      link: failed,
    });
    return { spent: null, back: isBack ? found.holding : null };
  }

  /** The link that has to follow, if its money is gone, or is here again. */
  private async linkAfter(
    tx: Tx,
    link: PaymentLink | null,
    payment: Payment,
    isBack: boolean,
  ): Promise<PaymentLink | null> {
    if (!link) return null;
    // Of a receipt that was assigned, nothing has paid the link.
    if (isBack) return payment.source.by === 'gateway' ? link : null;
    return (await this.links.isPaidOtherwise(tx, link, payment.id)) ? null : link;
  }
}
