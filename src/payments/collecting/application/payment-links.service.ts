import { Injectable } from '@nestjs/common';
import { askableAmount, DocumentRepository, DocumentWriter } from '../../../documents/index.js';
import type { Actor, By } from '../../../kernel/actor.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { ExpectedVersions } from '../../../kernel/versions.js';
import { type CommitGuard, lookUpOf, type Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Gateway } from '../../port/domain/gateway.js';
import { assertReturnUrl } from '../../port/domain/checkout.js';
import { Gateways } from '../../port/domain/gateways.js';
import { assertCancelable, openedLink, type PaymentLink } from '../domain/payment-link.js';
import { presentPaymentLink } from '../wire/payment-link.js';
import { payableAccount } from '../../port/infrastructure/gateway-accounts.query.js';
import { PaymentLinkRepository } from '../infrastructure/payment-link.repository.js';
import { Checkouts } from './checkouts.service.js';
import { CommonRefusal } from '../../../kernel/common-refusals.js';
import { PaymentRefusal } from '../../port/domain/payment-refusals.js';

export interface NewPaymentLink {
  accountId: Uuid;
  actor: Actor;
  documentId: Uuid;
  /** A configured name, or the id or name of an own one. */
  gateway: string;
  /** The amount due that is not on its way when absent. */
  amountMinor: bigint | null;
  /** Of the document. */
  expected: ExpectedVersions;
  expiresInDays: number | null;
  returnUrl: string | null;
  /** Also where money for the document is on its way already. */
  despiteProcessing: boolean;
  /** An open link of this gateway for the same amount does as well. */
  mayReuse?: boolean;
}

interface OpenedPaymentLink {
  link: PaymentLink;
  /** It was there already, and its checkout is somebody else's. */
  isReused: boolean;
  gateway: Gateway;
}

const MOST_LINKS_AN_HOUR = 10;
/** A link without an address is being made; after this time its maker has died. */
const PENDING_SECONDS = 60;

/** Places at a provider where a client can pay (decision 3). */
@Injectable()
export class PaymentLinks {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentWriter,
    private readonly documentRepository: DocumentRepository,
    private readonly links: PaymentLinkRepository,
    private readonly gateways: Gateways,
    private readonly checkouts: Checkouts,
  ) {}

  /**
   * The link exists, committed, before the provider hears of it: money paid there always finds it.
   * One that is used again may still wait for its address.
   */
  async create(request: NewPaymentLink, guard?: CommitGuard<PaymentLink>): Promise<PaymentLink> {
    const { link, isReused, gateway } = await this.uow.run(
      (tx) => this.open(tx, request),
      lookUpOf(guard),
    );
    if (isReused) return link;
    try {
      const checkout = await this.checkouts.make(link, gateway, request.returnUrl);
      return await this.uow.run(async (tx) => {
        const ready = { ...link, ...checkout, pageExpiresAt: checkout.pageExpiresAt ?? null };
        this.checkouts.open(tx, ready, gateway);
        return ready;
      }, guard);
    } catch (error) {
      // The provider said no, or the same request made its link first; unless we cannot know.
      const unknown = CommonRefusal.database_unavailable.is(error);
      if (!unknown) await this.uow.run(async (tx) => this.links.cancel(tx, link, tx.now()));
      throw error;
    }
  }

  async find(accountId: Uuid, id: Uuid): Promise<PaymentLink> {
    const link = await this.links.find(accountId, id);
    if (!link) throw PaymentRefusal.payment_link_not_found.of();
    return link;
  }

  /** By id alone, for a payer: whoever holds the link's id may see its pay page. */
  async findAny(id: Uuid): Promise<PaymentLink | undefined> {
    return this.links.findAny(id);
  }

  async ofDocument(
    accountId: Uuid,
    documentId: Uuid,
    tx: Tx | null = null,
  ): Promise<PaymentLink[]> {
    return this.links.ofDocument(accountId, documentId, tx);
  }

  async cancel(
    { accountId, actor }: Pick<By, 'accountId' | 'actor'>,
    id: Uuid,
    guard?: CommitGuard<PaymentLink>,
  ): Promise<PaymentLink> {
    return this.uow.run(async (tx) => {
      const [document, link] = await Promise.all([
        this.documentRepository.findForUpdateBy(tx, this.links.documentOf(id)),
        this.links.findById(tx, id),
      ]);
      if (!document || !link || link.accountId !== accountId)
        throw PaymentRefusal.payment_link_not_found.of();
      const now = tx.now();
      assertCancelable(link, now);
      const canceled: PaymentLink = { ...link, status: 'canceled', canceledAt: now };
      this.links.cancel(tx, link, now);
      this.documents.save(tx, document, actor, [
        {
          type: 'payment_link.canceled',
          data: { payment_link: presentPaymentLink(canceled, now) },
        },
      ]);
      return canceled;
    }, guard);
  }

  private async open(tx: Tx, request: NewPaymentLink): Promise<OpenedPaymentLink> {
    const { accountId, documentId } = request;
    const [document, wish] = await Promise.all([
      this.documentRepository.getForUpdate(tx, accountId, documentId),
      payableAccount(tx, accountId),
    ]);
    document.assertVersion(request.expected);
    assertReturnUrl(request.returnUrl, wish);
    const gateway = await this.gateways.getToCollect(request.gateway, wish);
    const amount = askableAmount(document, request.amountMinor, request.despiteProcessing);
    const now = tx.now();
    if (request.mayReuse) {
      const wanted = { accountId, documentId, gateway: gateway.name, amount };
      const found = await this.links.findOpen(tx, wanted, now, secondsBefore(now, PENDING_SECONDS));
      if (found) return { link: found, isReused: true, gateway };
      await this.assertFew(tx, accountId, documentId, now);
    }
    const link = openedLink({
      id: tx.newId(),
      accountId,
      documentId,
      gateway: gateway.name,
      amount,
      createdAt: now,
      expiresAt: this.checkouts.expiry(now, request.expiresInDays),
      collection: null,
    });
    this.links.insert(tx, link);
    this.documents.save(tx, document, request.actor, [
      { type: 'payment_link.created', data: { payment_link: presentPaymentLink(link, now) } },
    ]);
    return { link, isReused: false, gateway };
  }

  /** Anybody with a portal link may ask for a pay page, and each is a call to the provider. */
  private async assertFew(tx: Tx, accountId: Uuid, documentId: Uuid, now: Date): Promise<void> {
    const since = secondsBefore(now, 3600);
    if ((await this.links.countSince(tx, accountId, documentId, since)) < MOST_LINKS_AN_HOUR)
      return;
    throw PaymentRefusal.too_many_payment_links.of(
      `A document gets at most ${MOST_LINKS_AN_HOUR} pay pages an hour from its clients; use one ` +
        'of them, or try again later.',
    );
  }
}

function secondsBefore(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1000);
}
