import { Injectable } from '@nestjs/common';
import { type Document, DocumentWriter } from '../../../../documents/index.js';
import type { Actor } from '../../../../kernel/actor.js';
import { addDays, type IsoDate } from '../../../../kernel/clock.js';
import type { Money } from '../../../../kernel/money.js';
import type { Tx } from '../../../../platform/database/tx.js';
import type { Mandate } from '../../domain/mandates/mandate.js';
import { openedLink, type PaymentLink } from '../../domain/payment-link.js';
import { presentPaymentLink } from '../../wire/payment-link.js';
import { CollectionRepository } from '../../infrastructure/mandates/collection.repository.js';
import { PaymentLinkRepository } from '../../infrastructure/payment-link.repository.js';
import { PlannedLookUps } from '../planned-look-ups.js';

/** Holidays and weekends, and what a bank may take: then a debit that was not sent is given up. */
const DAYS_TO_SUBMIT = 15;
/** Longer than the calls that send it. */
const SENT_WITHIN_MS = 120_000;

interface NewCollection {
  mandate: Mandate;
  amount: Money;
  chargeOn: IsoDate;
  isAutomatic: boolean;
  /** Number of the try that it is; null: none was planned. */
  retry: number | null;
  actor: Actor;
}

/** Writes links that are collected by a mandate, before their provider hears of it. */
@Injectable()
export class CollectionOpening {
  constructor(
    private readonly documents: DocumentWriter,
    private readonly links: PaymentLinkRepository,
    private readonly collections: CollectionRepository,
    private readonly lookUps: PlannedLookUps,
  ) {}

  /** Wants the document locked. If this process dies, a look-up sends the debit. */
  open(tx: Tx, document: Document, wish: NewCollection): PaymentLink {
    const { mandate, amount, chargeOn, isAutomatic, retry, actor } = wish;
    const now = tx.now();
    const collection = { mandateId: mandate.id, chargeOn };
    const link = openedLink({
      id: tx.newId(),
      accountId: document.state.accountId,
      documentId: document.state.id,
      gateway: mandate.gateway,
      amount,
      createdAt: now,
      expiresAt: new Date(`${addDays(chargeOn, DAYS_TO_SUBMIT)}T00:00:00Z`),
      collection,
    });
    this.links.insert(tx, link);
    this.collections.insert(tx, link, collection, { isAutomatic, retry });
    this.lookUps.first(tx, link, SENT_WITHIN_MS);
    const data = { payment_link: presentPaymentLink(link, now) };
    this.documents.save(tx, document, actor, [{ type: 'payment_link.created', data }]);
    return link;
  }
}
