import { Injectable } from '@nestjs/common';
import { AuditedWork, newSecretText, sha256 } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { Clock, daysAfter } from '../../kernel/clock.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { CustomerRepository } from '../infrastructure/customer.repository.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import {
  findPortalToken,
  findPortalTokens,
  revokePortalTokens,
  type StoredPortalToken,
} from '../infrastructure/portal-token.repository.js';
import { assertNotErased } from '../domain/parties/customer.js';
import { DocumentRefusal } from '../domain/refusals.js';

/** A new token: its text is shown this once, its digest is stored. */
export interface IssuedPortalToken {
  id: string;
  token: string;
  url: string;
  expiresAt: Date;
}

/** The document that a token opens, with the token as the one who acts. */
export type OpenedByToken = By & {
  documentId: Uuid;
  /** When a person first opened its page with this token, and last. */
  firstViewedAt: Date | null;
  lastViewedAt: Date | null;
};

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The keys with which clients reach one document each, without an account. */
@Injectable()
export class PortalTokens {
  constructor(
    private readonly database: Database,
    private readonly audited: AuditedWork,
    private readonly documents: DocumentRepository,
    private readonly customers: CustomerRepository,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @throws DomainError `document_not_found`; `document_not_issued` for a draft; `customer_erased` */
  async create(
    by: By,
    documentId: Uuid,
    expiresInDays?: number,
    guard?: CommitGuard<IssuedPortalToken>,
  ): Promise<IssuedPortalToken> {
    return this.audited.run(by, guard, async ({ tx, record }) => {
      const document = await this.documents.getForUpdate(tx, by.accountId, documentId);
      if (document.state.lifecycle === 'draft') {
        throw DocumentRefusal.document_not_issued.with({
          document_status: document.status,
        });
      }
      const { customerId } = document.state;
      assertNotErased(await this.customers.find(tx, by.accountId, customerId));
      const id = tx.newId();
      const token = newSecretText();
      const now = tx.now();
      const expiresAt = daysAfter(now, expiresInDays ?? this.config.portalTokenDays);
      tx.insert('portal_tokens', {
        token_sha256: sha256(token),
        portal_token_id: id,
        account_id: by.accountId,
        document_id: documentId,
        created_at: now,
        expires_at: expiresAt,
      });
      record({
        action: 'portal_token.created',
        subject: publicId('ptok', id),
        before: null,
        after: { document_id: publicId('doc', documentId), expires_at: expiresAt },
      });
      const url = `${this.config.baseUrl}/v1/portal/${token}`;
      return { id: publicId('ptok', id), token, url, expiresAt };
    });
  }

  async list(accountId: Uuid, documentId: Uuid): Promise<StoredPortalToken[]> {
    return findPortalTokens(this.database, accountId, documentId);
  }

  /** Revokes one token, or all of the document. */
  async revoke(by: By, documentId: Uuid, portalTokenId?: Uuid): Promise<void> {
    const { accountId } = by;
    const which = { accountId, documentId, ...(portalTokenId && { portalTokenId }) };
    if (portalTokenId) {
      const tokens = await this.list(accountId, documentId);
      if (!tokens.some((token) => token.portalTokenId === portalTokenId)) {
        throw DocumentRefusal.portal_token_not_found.of();
      }
    }
    await this.audited.run(by, undefined, async ({ tx, record }) => {
      const revoked = await revokePortalTokens(tx, which, tx.now());
      if (revoked.length === 0) return;
      record({
        action: 'portal_token.revoked',
        subject: portalTokenId ? publicId('ptok', portalTokenId) : publicId('doc', documentId),
        before: null,
        after: { portal_token_ids: revoked.map((id) => publicId('ptok', id)) },
      });
    });
  }

  /** The document a token opens. Unknown, expired and revoked are the same to a stranger. */
  async resolve(token: string): Promise<OpenedByToken> {
    const row = TOKEN.test(token) ? await findPortalToken(this.database, sha256(token)) : undefined;
    if (row) this.clock.enter(row.accountId);
    if (!row || row.revokedAt || row.expiresAt <= this.clock.now()) {
      throw DocumentRefusal.portal_link_not_found.of();
    }
    const { accountId, documentId, portalTokenId, firstViewedAt, lastViewedAt } = row;
    const actor = { type: 'portal' as const, id: publicId('ptok', portalTokenId) };
    return { accountId, documentId, actor, origin: null, firstViewedAt, lastViewedAt };
  }
}
