import { Injectable } from '@nestjs/common';
import {
  askableAmount,
  assertNothingOnItsWay,
  type Document,
  DocumentRepository,
} from '../../../../documents/index.js';
import { type By, OPERATOR } from '../../../../kernel/actor.js';
import { addDays, type IsoDate } from '../../../../kernel/clock.js';
import type { Uuid } from '../../../../kernel/ids.js';
import type { ExpectedVersions } from '../../../../kernel/versions.js';
import type { Tx } from '../../../../platform/database/tx.js';
import {
  collectsByItself,
  type Mandate,
  mandateCurrencyMismatch,
  mandateNotActive,
} from '../../domain/mandates/mandate.js';
import { collectionUnderWay, type PaymentLink } from '../../domain/payment-link.js';
import {
  CollectionRepository,
  type DueCollection,
} from '../../infrastructure/mandates/collection.repository.js';
import { MandateRepository } from '../../infrastructure/mandates/mandate.repository.js';
import { CollectionOpening } from './collection-opening.js';
import { DebitRetries } from './debit-retries.js';
import { PaymentRefusal } from '../../../port/domain/payment-refusals.js';

export interface NewCollectionRequest extends By {
  documentId: Uuid;
  /** The due date when null. */
  chargeOn: IsoDate | null;
  /** Of the document. */
  expected: ExpectedVersions;
}

/** Providers take no date that is further ahead, or not much. */
const MOST_DAYS_AHEAD = 90;

/** Decides whether a document is collected, by which mandate, and when. */
@Injectable()
export class CollectionBeginning {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly collections: CollectionRepository,
    private readonly mandates: MandateRepository,
    private readonly opening: CollectionOpening,
    private readonly retries: DebitRetries,
  ) {}

  async begin(tx: Tx, request: NewCollectionRequest, today: IsoDate): Promise<PaymentLink> {
    const { accountId, documentId, actor } = request;
    const document = await this.documents.getForUpdate(tx, accountId, documentId);
    document.assertVersion(request.expected);
    const amount = askableAmount(document, null, true);
    const underWay = await this.collections.idUnderWay(tx, accountId, documentId);
    if (underWay) throw collectionUnderWay(underWay);
    assertNothingOnItsWay(document);
    const mandate = await this.mandateFor(tx, document);
    const chargeOn = request.chargeOn ?? chargeDate(document, today);
    assertNear(chargeOn, today);
    const retry = await this.retries.takePlace(tx, document);
    return this.opening.open(tx, document, {
      mandate,
      amount,
      chargeOn,
      isAutomatic: false,
      retry,
      actor,
    });
  }

  async beginAutomatic(
    tx: Tx,
    { accountId, documentId, mandateId }: DueCollection,
    today: IsoDate,
  ): Promise<PaymentLink | undefined> {
    const document = await this.documents.getForUpdate(tx, accountId, documentId);
    const mandate = await this.mandates.getForUpdate(tx, accountId, mandateId);
    const asked = document.amountDue.minus(document.refunded.undecided);
    const isWanted =
      mandate.status === 'active' &&
      collectsByItself(mandate, document.state) &&
      asked.isPositive() &&
      document.state.amountProcessing.isZero() &&
      !(await this.collections.hasStanding(tx, accountId, documentId));
    if (!isWanted) return undefined;
    return this.opening.open(tx, document, {
      mandate,
      amount: asked,
      chargeOn: chargeDate(document, today),
      isAutomatic: true,
      retry: null,
      actor: OPERATOR,
    });
  }

  private async mandateFor(tx: Tx, { state }: Document): Promise<Mandate> {
    const { accountId, customerId, currency } = state;
    const mandate = await this.mandates.ofCustomer(tx, accountId, customerId, currency);
    if (mandate?.status !== 'active') throw mandateNotActive(mandate?.status ?? null, currency);
    if (mandate.currency !== currency) throw mandateCurrencyMismatch(mandate, currency);
    return mandate;
  }
}

/** The due date, or today if that is over. */
function chargeDate({ state: { dueDate } }: Document, today: IsoDate): IsoDate {
  return dueDate !== null && dueDate > today ? dueDate : today;
}

function assertNear(chargeOn: IsoDate, today: IsoDate): void {
  if (chargeOn >= today && chargeOn <= addDays(today, MOST_DAYS_AHEAD)) return;
  throw PaymentRefusal.charge_date_out_of_range.at(
    '/charge_date',
    `A debit is on a day from today to ${MOST_DAYS_AHEAD} days ahead; that is, from ${today} on.`,
  );
}
