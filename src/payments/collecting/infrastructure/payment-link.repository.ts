import { Injectable } from '@nestjs/common';
import { type Uuid, uuidOf } from '../../../kernel/ids.js';
import { Database } from '../../../platform/database/database.js';
import type { RowShape } from '../../../platform/database/sql-statement.js';
import type { Tx } from '../../../platform/database/tx.js';
import { earliestPageEnd, type PaymentLink } from '../domain/payment-link.js';
import { type PaymentLinkColumns, SELECT_LINKS, toPaymentLink } from './payment-link-columns.js';

const FIND_BY_ID = `${SELECT_LINKS} WHERE l.payment_link_id = $1`;

/**
 * Payment links, and when their pages are looked up. Every change holds the lock of the link's document;
 * links have no lock of their own.
 */
@Injectable()
export class PaymentLinkRepository {
  constructor(private readonly database: Database) {}

  /** By id alone: a provider knows no account. */
  async findById(tx: Tx, id: Uuid): Promise<PaymentLink | undefined> {
    const [row] = await tx.load<PaymentLinkColumns>({
      text: FIND_BY_ID,
      types: ['uuid'],
      values: [id],
      claims: `link ${id}`,
    });
    return row && toPaymentLink(row);
  }

  /** The same without a transaction, for whoever holds the link's id: a payer, a provider. */
  async findAny(id: Uuid): Promise<PaymentLink | undefined> {
    const [row] = await this.database.query<PaymentLinkColumns>(FIND_BY_ID, [id]);
    return row && toPaymentLink(row);
  }

  /** Leads to the document of a link. A provider knows no account: the link's id alone has to do. */
  documentOf(id: Uuid) {
    const text = 'SELECT account_id, document_id FROM payment_links WHERE payment_link_id = $1';
    return { text, values: [id] };
  }

  /** The link that a provider names: by our id, which it was given, else by the object it made. */
  async idNamedBy(
    gateway: string,
    { linkId, providerObjectId }: { linkId: string | null; providerObjectId: string | null },
  ): Promise<Uuid | undefined> {
    if (linkId !== null) return uuidOf('plink', linkId);
    return providerObjectId === null
      ? undefined
      : this.idOfProviderObject(gateway, providerObjectId);
  }

  private async idOfProviderObject(
    gateway: string,
    providerObjectId: string,
  ): Promise<Uuid | undefined> {
    const [row] = await this.database.query<{ payment_link_id: Uuid }>(
      `SELECT payment_link_id FROM payment_links
       WHERE gateway = $1 AND provider_object_id = $2 LIMIT 1`,
      [gateway, providerObjectId],
    );
    return row?.payment_link_id;
  }

  async find(accountId: Uuid, id: Uuid): Promise<PaymentLink | undefined> {
    const [row] = await this.database.query<PaymentLinkColumns>(
      `${SELECT_LINKS} WHERE l.account_id = $1 AND l.payment_link_id = $2`,
      [accountId, id],
    );
    return row && toPaymentLink(row);
  }

  async ofDocument(accountId: Uuid, documentId: Uuid, tx: Tx | null): Promise<PaymentLink[]> {
    const rows = await this.database.queryIn<PaymentLinkColumns>(
      tx,
      `${SELECT_LINKS} WHERE l.account_id = $1 AND l.document_id = $2
       ORDER BY l.payment_link_id`,
      [accountId, documentId],
    );
    return rows.map(toPaymentLink);
  }

  insert(tx: Tx, link: PaymentLink): void {
    tx.insert('payment_links', {
      account_id: link.accountId,
      payment_link_id: link.id,
      document_id: link.documentId,
      gateway: link.gateway,
      amount: link.amount.minor,
      currency: link.amount.currency,
      status: link.status,
      created_at: link.createdAt,
      expires_at: link.expiresAt,
    });
  }

  /** The page to which the payer goes, once the provider has told. */
  setCheckout(tx: Tx, link: PaymentLink): void {
    tx.update(
      'payment_links',
      { account_id: link.accountId, payment_link_id: link.id },
      {
        url: link.url,
        provider_object_id: link.providerObjectId,
        page_expires_at: link.pageExpiresAt,
      },
    );
  }

  markPaid(tx: Tx, link: PaymentLink, paidAt: Date): void {
    tx.update(
      'payment_links',
      { account_id: link.accountId, payment_link_id: link.id },
      { status: 'paid', paid_at: paidAt, canceled_at: null },
    );
  }

  /** Its state and times, as the provider tells of its money. */
  setProgress(tx: Tx, link: PaymentLink): void {
    tx.update(
      'payment_links',
      { account_id: link.accountId, payment_link_id: link.id },
      {
        status: link.status,
        processing_at: link.processingAt,
        paid_at: link.paidAt,
        failed_at: link.failedAt,
        failure: link.failure,
        canceled_at: link.canceledAt,
      },
    );
  }

  /** Whether another payment came through the link, and was not taken back. */
  async isPaidOtherwise(tx: Tx, link: PaymentLink, paymentId: Uuid): Promise<boolean> {
    const rows = await tx.read(
      `SELECT 1 FROM payments p
       WHERE p.account_id = $1 AND p.document_id = $2 AND p.payment_link_id = $3
         AND p.payment_id <> $4 AND p.amount > (
           SELECT coalesce(sum(v.amount), 0) FROM provider_reversals v
           WHERE (v.account_id, v.payment_id) = (p.account_id, p.payment_id)) LIMIT 1`,
      [link.accountId, link.documentId, link.id, paymentId],
    );
    return rows.length > 0;
  }

  /**
   * The newest open link for just this amount: with a page that lasts, or so young that its maker is
   * still asking for one.
   */
  async findOpen(
    tx: Tx,
    wanted: Pick<PaymentLink, 'accountId' | 'documentId' | 'gateway' | 'amount'>,
    now: Date,
    pendingSince: Date,
  ): Promise<PaymentLink | undefined> {
    const [row] = await tx.read<PaymentLinkColumns>(
      `${SELECT_LINKS}
       WHERE l.account_id = $1 AND l.document_id = $2 AND l.gateway = $3 AND l.amount = $4
         AND l.status = 'open' AND l.expires_at > $5 AND (l.url IS NOT NULL OR l.created_at > $6)
         AND (l.page_expires_at IS NULL OR l.page_expires_at > $7) AND c.mandate_id IS NULL
       ORDER BY l.payment_link_id DESC LIMIT 1`,
      [
        wanted.accountId,
        wanted.documentId,
        wanted.gateway,
        wanted.amount.minor,
        now,
        pendingSince,
        earliestPageEnd(now),
      ],
    );
    return row && toPaymentLink(row);
  }

  /** Open links at a gateway whose page has ended, or does before an instant. */
  async findEnding(
    { accountId, documentId, gateway }: Pick<PaymentLink, 'accountId' | 'documentId' | 'gateway'>,
    before: Date,
  ): Promise<PaymentLink[]> {
    const rows = await this.database.query<PaymentLinkColumns>(
      `${SELECT_LINKS}
       WHERE l.account_id = $1 AND l.document_id = $2 AND l.gateway = $3 AND l.status = 'open'
         AND l.page_expires_at <= $4 ORDER BY l.payment_link_id`,
      [accountId, documentId, gateway, before],
    );
    return rows.map(toPaymentLink);
  }

  async countSince(tx: Tx, accountId: Uuid, documentId: Uuid, since: Date): Promise<number> {
    const [row] = await tx.read<{ links: number }>(
      `SELECT count(*)::int AS links FROM payment_links
       WHERE account_id = $1 AND document_id = $2 AND created_at > $3`,
      [accountId, documentId, since],
    );
    return row?.links ?? 0;
  }

  cancel(tx: Tx, { accountId, id }: PaymentLink, now: Date): void {
    cancelOpen(tx, BY_LINK, [accountId, id, now]);
  }

  /** A document that takes no money any more has no open links. */
  cancelOpenOf(tx: Tx, accountId: Uuid, documentId: Uuid, now: Date): void {
    cancelOpen(tx, BY_DOCUMENT, [accountId, documentId, now]);
  }

  /** Its page is looked up then, in case its events do not come. */
  insertLookUp(tx: Tx, link: PaymentLink, at: Date): void {
    tx.insert('checkout_look_ups', {
      account_id: link.accountId,
      payment_link_id: link.id,
      next_look_at: at,
    });
  }

  /** A page that is looked up already is looked up then instead. The link's document is locked. */
  lookUpAgain(tx: Tx, link: PaymentLink, at: Date): void {
    tx.write(
      `INSERT INTO checkout_look_ups (account_id, payment_link_id, next_look_at)
       VALUES ($1, $2, $3)
       ON CONFLICT (account_id, payment_link_id) DO UPDATE SET next_look_at = $3`,
      [link.accountId, link.id, at],
    );
  }

  /** Takes a page whose time has come. Others pass it over until `again`, should we die. */
  async takeDueLookUp(now: Date, again: Date): Promise<Uuid | undefined> {
    const [row] = await this.database.query<{ payment_link_id: Uuid }>(
      `UPDATE checkout_look_ups l SET next_look_at = $2
       FROM (SELECT account_id, payment_link_id FROM checkout_look_ups WHERE next_look_at <= $1
             ORDER BY next_look_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
       WHERE (l.account_id, l.payment_link_id) = (due.account_id, due.payment_link_id)
       RETURNING l.payment_link_id`,
      [now, again],
    );
    return row?.payment_link_id;
  }

  /** @param at null: it is asked about no more */
  async planLookUp(link: PaymentLink, at: Date | null): Promise<void> {
    const key = [link.accountId, link.id];
    await (at === null
      ? this.database.query(
          'DELETE FROM checkout_look_ups WHERE account_id = $1 AND payment_link_id = $2',
          key,
        )
      : this.database.query(
          `UPDATE checkout_look_ups SET next_look_at = $3
           WHERE account_id = $1 AND payment_link_id = $2`,
          [...key, at],
        ));
  }
}

const BY_LINK = canceling('payment_link_id');
const BY_DOCUMENT = canceling('document_id');

/** Open links, and their pages: those are looked up at once, and so closed. */
function canceling(key: 'payment_link_id' | 'document_id'): [links: RowShape, pages: RowShape] {
  const types = ['uuid', 'uuid', 'timestamptz'];
  const tail = `AS v (account_id, ${key}, at)
    WHERE l.account_id = v.account_id AND l.${key} = v.${key}`;
  return [
    {
      head: "UPDATE payment_links l SET status = 'canceled', canceled_at = v.at FROM",
      tail: `${tail} AND l.status = 'open'`,
      types,
    },
    {
      head: 'UPDATE checkout_look_ups c SET next_look_at = least(v.at, now()) FROM payment_links l,',
      // It sees the links before or after that.
      tail: `${tail} AND l.status IN ('open', 'canceled')
        AND (c.account_id, c.payment_link_id) = (l.account_id, l.payment_link_id)`,
      types,
    },
  ];
}

function cancelOpen(tx: Tx, shapes: readonly RowShape[], row: [Uuid, Uuid, Date]): void {
  for (const shape of shapes) tx.writeFrom(shape, row);
}
