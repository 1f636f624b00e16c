import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../../kernel/ids.js';
import { Database } from '../../../../platform/database/database.js';
import type { Tx } from '../../../../platform/database/tx.js';
import { type Mandate } from '../../domain/mandates/mandate.js';
import { type MandateColumns, toMandate } from './mandate-columns.js';
import { PaymentRefusal } from '../../../port/domain/payment-refusals.js';

/** Mandates. Each has its own lock, which is taken after that of a document. */
@Injectable()
export class MandateRepository {
  constructor(private readonly database: Database) {}

  /** The customer, who then stays as it is until the transaction ends: neither deleted nor erased. */
  async holdCustomer(
    tx: Tx,
    accountId: Uuid,
    customerId: Uuid,
  ): Promise<{ erasedAt: Date | null } | undefined> {
    const [found] = await tx.read<{ erasedAt: Date | null }>(
      `SELECT erased_at AS "erasedAt" FROM customers
       WHERE account_id = $1 AND customer_id = $2 FOR KEY SHARE`,
      [accountId, customerId],
    );
    return found;
  }

  insert(tx: Tx, mandate: Mandate): void {
    tx.insert('mandates', {
      account_id: mandate.accountId,
      mandate_id: mandate.id,
      customer_id: mandate.customerId,
      gateway: mandate.gateway,
      currency: mandate.currency,
      created_at: mandate.createdAt,
      ...changing(mandate),
    });
  }

  /** It must be locked. */
  save(tx: Tx, mandate: Mandate): void {
    const { accountId: account_id, id: mandate_id } = mandate;
    tx.update('mandates', { account_id, mandate_id }, changing(mandate));
  }

  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<Mandate> {
    const [row] = await tx.read<MandateColumns>(
      'SELECT * FROM mandates WHERE account_id = $1 AND mandate_id = $2 FOR NO KEY UPDATE',
      [accountId, id],
    );
    if (!row) throw PaymentRefusal.mandate_not_found.of();
    return toMandate(row);
  }

  /** By its id alone: a provider knows no account. */
  async findAnyForUpdate(tx: Tx, id: Uuid): Promise<Mandate | undefined> {
    const [row] = await tx.read<MandateColumns>(
      'SELECT * FROM mandates WHERE mandate_id = $1 FOR NO KEY UPDATE',
      [id],
    );
    return row && toMandate(row);
  }

  /** The one of a customer that is best to collect a currency by; another currency comes last. */
  async ofCustomer(
    tx: Tx,
    accountId: Uuid,
    customerId: Uuid,
    currency: string,
  ): Promise<Mandate | undefined> {
    const [row] = await tx.read<MandateColumns>(
      `SELECT * FROM mandates WHERE account_id = $1 AND customer_id = $2
       ORDER BY status <> 'active', currency <> $3, automatic_since IS NULL, mandate_id DESC LIMIT 1`,
      [accountId, customerId, currency],
    );
    return row && toMandate(row);
  }

  /** Takes one whose provider is to be asked now. Others pass it over until `again`. */
  async takeDue(now: Date, again: Date): Promise<Mandate | undefined> {
    const [row] = await this.database.query<MandateColumns>(
      `UPDATE mandates m SET next_look_at = $2
       FROM (SELECT account_id, mandate_id FROM mandates WHERE next_look_at <= $1
             ORDER BY next_look_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
       WHERE (m.account_id, m.mandate_id) = (due.account_id, due.mandate_id)
       RETURNING m.*`,
      [now, again],
    );
    return row && toMandate(row);
  }

  /** @param at null: it is asked about no more */
  async plan({ accountId, id }: Mandate, at: Date | null): Promise<void> {
    await this.database.query(
      'UPDATE mandates SET next_look_at = $3 WHERE account_id = $1 AND mandate_id = $2',
      [accountId, id, at],
    );
  }
}

function changing(mandate: Mandate) {
  return {
    status: mandate.status,
    url: mandate.url,
    provider_request_id: mandate.providerRequestId,
    provider_mandate_id: mandate.providerMandateId,
    scheme: mandate.scheme,
    reference: mandate.reference,
    account_ending: mandate.accountEnding,
    automatic_since: mandate.automaticSince,
    failure: mandate.failure,
    version: mandate.version,
    asked_at: mandate.askedAt,
    activated_at: mandate.activatedAt,
    ended_at: mandate.endedAt,
    next_look_at: mandate.nextLookAt,
  };
}
