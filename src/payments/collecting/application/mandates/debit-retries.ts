import { Injectable } from '@nestjs/common';
import {
  type Document,
  DocumentRepository,
  DocumentWriter,
  type LeadingEvent,
} from '../../../../documents/index.js';
import { assert } from '../../../../kernel/assert.js';
import { OPERATOR } from '../../../../kernel/actor.js';
import type { Money } from '../../../../kernel/money.js';
import type { Tx } from '../../../../platform/database/tx.js';
import {
  afterDebitFailure,
  type DebitRetry,
  type GivenUpReason,
  whyNotTried,
} from '../../domain/mandates/debit-retry.js';
import type { PaymentLink } from '../../domain/payment-link.js';
import { presentPaymentLink } from '../../wire/payment-link.js';
import { DebitRetryRepository } from '../../infrastructure/mandates/debit-retry.repository.js';
import { MandateRepository } from '../../infrastructure/mandates/mandate.repository.js';
import { PaymentLinkRepository } from '../../infrastructure/payment-link.repository.js';
import { CollectionOpening } from './collection-opening.js';

/** Plans another debit where one has failed, and begins it on its day. Wants documents locked. */
@Injectable()
export class DebitRetries {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly writer: DocumentWriter,
    private readonly retries: DebitRetryRepository,
    private readonly mandates: MandateRepository,
    private readonly links: PaymentLinkRepository,
    private readonly opening: CollectionOpening,
  ) {}

  /**
   * A link has failed: if it was a debit of what is still owed, the next try is planned with that.
   * @returns word that there is none, to be told behind the failure
   */
  async afterFailure(
    tx: Tx,
    document: Document,
    failed: PaymentLink,
    isOwed = owedOf(document).isPositive(),
  ): Promise<LeadingEvent[]> {
    if (failed.collection === null || !isOwed) return [];
    const { accountId, documentId, collection } = failed;
    const { mandateId } = collection;
    const standing = await this.retries.standing(tx, failed, mandateId, failed.id);
    if (standing.isUnderWay) return [];
    const planned = await this.retries.planned(tx, failed);
    const { today, made } = standing;
    const before = planned ? planned.number - 1 : made;
    const next = afterDebitFailure({ reason: failed.failure, today }, before, {
      ...standing,
      collectionMethod: document.state.collectionMethod,
    });
    if (next === null) return [];
    if ('givenUp' in next) {
      if (planned) this.retries.settle(tx, planned, 'dropped');
      return [givenUp(tx, failed, next.givenUp, before)];
    }
    const { number, tryOn } = next;
    if (planned) this.retries.move(tx, planned, tryOn);
    else {
      const retry = { accountId, documentId, number, failedLinkId: failed.id, mandateId, tryOn };
      this.retries.insert(tx, retry);
    }
    return [];
  }

  /** Begins the try whose day has come. Undefined where it waits, or is never made. */
  async begin(
    tx: Tx,
    of: Pick<DebitRetry, 'accountId' | 'documentId'>,
  ): Promise<PaymentLink | undefined> {
    const document = await this.documents.getForUpdate(tx, of.accountId, of.documentId);
    const retry = await this.retries.planned(tx, of);
    if (!retry) return undefined;
    const mandate = await this.mandates.getForUpdate(tx, of.accountId, retry.mandateId);
    const standing = await this.retries.standing(tx, of, mandate.id, null);
    const { collectionMethod, amountProcessing } = document.state;
    const amount = owedOf(document);
    const isDue = retry.tryOn <= standing.today;
    const isOwed = amount.isPositive();
    const reason = whyNotTried(retry.number, { ...standing, collectionMethod });
    const isNever = retry.number > standing.days.length || mandate.endedAt !== null;
    if (!isDue && !isNever) return undefined;
    if (!isOwed || reason !== null) {
      this.retries.settle(tx, retry, 'dropped');
      if (isOwed && reason !== null) await this.tellGivenUp(tx, document, retry, reason);
      return undefined;
    }
    if (standing.isUnderWay || !amountProcessing.isZero()) return undefined;
    this.retries.settle(tx, retry, 'begun');
    return this.opening.open(tx, document, {
      mandate,
      amount,
      chargeOn: standing.today,
      isAutomatic: false,
      retry: retry.number,
      actor: OPERATOR,
    });
  }

  /** A debit that somebody asks for takes the place of the try that is planned. @returns its number */
  async takePlace(tx: Tx, { state }: Document): Promise<number | null> {
    const { accountId, id: documentId } = state;
    const retry = await this.retries.planned(tx, { accountId, documentId });
    if (!retry) return null;
    this.retries.settle(tx, retry, 'begun');
    return retry.number;
  }

  private async tellGivenUp(
    tx: Tx,
    document: Document,
    retry: DebitRetry,
    reason: GivenUpReason,
  ): Promise<void> {
    const link = await this.links.findById(tx, retry.failedLinkId);
    assert(link !== undefined, 'a try has the debit that failed before it');
    this.writer.save(tx, document, OPERATOR, [givenUp(tx, link, reason, retry.number - 1)]);
  }
}

/** As the first debit has it: not what went back, as long as nobody says that it is owed. */
function owedOf({ amountDue, refunded }: Document): Money {
  return amountDue.minus(refunded.undecided);
}

function givenUp(tx: Tx, link: PaymentLink, reason: GivenUpReason, retries: number): LeadingEvent {
  const data = { payment_link: presentPaymentLink(link, tx.now()), reason, retries };
  return { type: 'collection.given_up', data };
}
