import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { AuditLog, newSecretText, sha256 } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { Clock, daysAfter } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { IdGenerator, publicId, type Uuid, uuidOf } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { Keyring } from '../../platform/keyring.js';
import { Database } from '../../platform/database/database.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import { DocumentWriter } from './document-writer.js';
import {
  findFirstView,
  findPortalToken,
  findPortalTokens,
  insertFirstView,
  insertPortalToken,
  revokePortalTokens,
  type StoredPortalToken,
  updateLastView,
  waitBriefly,
} from '../infrastructure/portal-token.repository.js';
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

const HOUR_MS = 3600 * 1000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The keys with which clients reach one document each, without an account. */
@Injectable()
export class PortalTokens {
  private readonly keys: Keyring;

  constructor(
    private readonly database: Database,
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly writer: DocumentWriter,
    private readonly audit: AuditLog,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.keys = Keyring.derived(config.secrets, 'portal links of messages');
  }

  /** @throws DomainError `document_not_found`; `document_not_issued` for a draft */
  async create(
    by: By,
    documentId: Uuid,
    expiresInDays?: number,
    guard?: CommitGuard<IssuedPortalToken>,
  ): Promise<IssuedPortalToken> {
    return this.uow.run(async (tx) => {
      const document = await this.documents.getForUpdate(tx, by.accountId, documentId);
      if (document.state.lifecycle === 'draft') {
        throw DocumentRefusal.document_not_issued.with({
          document_status: document.status,
        });
      }
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
      this.audit.record(tx, by, {
        action: 'portal_token.created',
        subject: publicId('ptok', id),
        before: null,
        after: { document_id: publicId('doc', documentId), expires_at: expiresAt },
      });
      const url = `${this.config.baseUrl}/v1/portal/${token}`;
      return { id: publicId('ptok', id), token, url, expiresAt };
    }, guard);
  }

  /**
   * The link for one purpose, such as a message: whoever asks again gets the same one, as long as
   * the secret is the same. Nothing stored can tell it.
   */
  async linkFor(accountId: Uuid, documentId: Uuid, purpose: string): Promise<string> {
    const token = createHmac('sha256', this.keys.newest.key).update(purpose).digest('base64url');
    const now = this.clock.now();
    await insertPortalToken(this.database, {
      sha256: sha256(token),
      portalTokenId: this.ids.next(),
      accountId,
      documentId,
      createdAt: now,
      expiresAt: daysAfter(now, this.config.portalTokenDays),
    });
    return `${this.config.baseUrl}/v1/portal/${token}`;
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
    const now = this.clock.now();
    await this.uow.run(async (tx) => {
      const revoked = await revokePortalTokens(tx, which, now);
      if (revoked.length === 0) return;
      this.audit.record(tx, by, {
        action: 'portal_token.revoked',
        subject: portalTokenId ? publicId('ptok', portalTokenId) : publicId('doc', documentId),
        before: null,
        after: { portal_token_ids: revoked.map((id) => publicId('ptok', id)) },
      });
    });
  }

  /**
   * Keeps when a person opened the page. It is no reason to refuse the page: where the document is
   * busy, or the database takes no changes, the next view counts.
   */
  async noteView({ accountId, documentId, actor, ...seen }: OpenedByToken): Promise<void> {
    const portalTokenId = uuidOf('ptok', actor.id ?? '');
    if (!portalTokenId) return;
    const now = this.clock.now();
    const { firstViewedAt, lastViewedAt } = seen;
    if (lastViewedAt && now.getTime() - lastViewedAt.getTime() < HOUR_MS) return;
    try {
      await this.uow.run(async (tx) => {
        if (firstViewedAt) return updateLastView(tx, accountId, portalTokenId, now);
        // Nobody waits for a page because somebody else holds the document.
        await waitBriefly(tx);
        const document = await this.documents.getForUpdate(tx, accountId, documentId);
        const which = { accountId, documentId, portalTokenId };
        if (!(await insertFirstView(tx, which, now))) return;
        this.writer.save(tx, document, actor, [{ type: 'document.viewed', data: {} }]);
      });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }

  /** When a person first opened a page of the document; null: nobody has. */
  async firstViewOf(accountId: Uuid, documentId: Uuid): Promise<Date | null> {
    return findFirstView(this.database, accountId, documentId);
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
