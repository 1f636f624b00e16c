import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import {
  findFirstView,
  insertFirstView,
  updateLastView,
  waitBriefly,
} from '../infrastructure/portal-token.repository.js';
import { DocumentWriter } from './document-writer.js';
import type { OpenedByToken } from './portal-tokens.service.js';

const HOUR_MS = 3600 * 1000;

/** When clients opened the pages of their documents. */
@Injectable()
export class PortalViews {
  constructor(
    private readonly database: Database,
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly writer: DocumentWriter,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Keeps when a person opened the page. It is no reason to refuse the page: where the document is
   * busy, or the database takes no changes, the next view counts.
   */
  async note({ accountId, documentId, actor, ...seen }: OpenedByToken): Promise<void> {
    const portalTokenId = uuidOf('ptok', actor.id ?? '');
    if (!portalTokenId || this.config.readOnly) return;
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
  async firstOf(accountId: Uuid, documentId: Uuid): Promise<Date | null> {
    return findFirstView(this.database, accountId, documentId);
  }
}
