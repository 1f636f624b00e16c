import { Injectable } from '@nestjs/common';
import { type AccountRow, Accounts } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type DocumentView, documentView } from '../domain/document-view.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import { assertCalculableAlone } from './catalogue/catalogue.service.js';
import { DocumentWriter } from './document-writer.js';
import { assertNumbered, Documents, type NewDocument } from './documents.service.js';
import { Drafts, issuedContent } from './drafts.service.js';
import { notThere } from './external-ids.js';
import { Issuing } from './issuing.service.js';
import { DocumentRefusal } from '../domain/refusals.js';

/** A document that is known by the caller's own id. */
export type NamedDocument = NewDocument & { externalId: string };

export interface PutDocument {
  view: DocumentView;
  isNew: boolean;
}

/** One call that makes a document or replaces its draft, so that it may be sent any number of times. */
@Injectable()
export class DocumentPuts {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: DocumentRepository,
    private readonly accounts: Accounts,
    private readonly documents: Documents,
    private readonly drafts: Drafts,
    private readonly issuing: Issuing,
    private readonly writer: DocumentWriter,
  ) {}

  /**
   * Of two calls at once that make the same document, one fails on its external id, looks again and
   * replaces the draft of the other.
   * @throws DomainError as `Documents.create`, `document_not_draft`, `kind_differs`, `version_mismatch`
   */
  async put(
    by: By,
    request: NamedDocument,
    expected: ExpectedVersions,
    guard?: CommitGuard<PutDocument>,
  ): Promise<PutDocument> {
    assertNumbered(request);
    const account = await this.accounts.find(by.accountId);
    assertCalculableAlone(request, account);
    return this.uow.run(async (tx) => {
      const id = await this.repository.findByExternalIdForUpdate(
        tx,
        by.accountId,
        request.externalId,
      );
      if (id) {
        const view = await this.replace(tx, by, account, id, request, expected);
        return { view, isNew: false };
      }
      if (expected) throw notThere('document');
      return { view: await this.documents.createIn(tx, by, account, request), isNew: true };
    }, guard);
  }

  private async replace(
    tx: Tx,
    by: By,
    account: AccountRow,
    id: Uuid,
    request: NamedDocument,
    expected: ExpectedVersions,
  ): Promise<DocumentView> {
    const { document, origin, content, relations } = await this.documents.load(
      tx,
      by.accountId,
      id,
    );
    document.assertVersion(expected);
    const refusal = document.refusalOf('edit');
    if (refusal) {
      throw DocumentRefusal.document_not_draft.of(
        `The document with this external_id is ${document.status}: only a draft can be replaced.`,
        { document_id: publicId('doc', id), document_status: document.status },
      );
    }
    if (document.state.kind !== request.kind) {
      throw DocumentRefusal.kind_differs.of(
        `The document with this external_id is of kind ${document.state.kind}; send that kind.`,
        { document_id: publicId('doc', id) },
      );
    }
    const replaced = await this.drafts.replace(tx, account, document, content, request);
    await this.repository.replaceLines(tx, document, replaced);
    const drafted = { document, content: replaced };
    if (request.issue) await this.issuing.issue(tx, drafted, origin, account, request.number);
    const written = issuedContent(drafted);
    if (origin && request.issue) this.writer.save(tx, origin, by.actor);
    this.writer.saveDraft(tx, document, written, by.actor);
    return documentView(document, written, relations);
  }
}
