import { Injectable } from '@nestjs/common';
import { type AccountRow, Accounts } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { publicId, type Uuid, uuidOf } from '../../kernel/ids.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import { calculate } from '../domain/calculation/calculation.js';
import { type FieldChange, changesBetween } from '../domain/changes.js';
import { assertCollectible } from '../domain/collection-method.js';
import { documentNotFound } from '../domain/document-refusals.js';
import {
  type DocumentContent,
  type DocumentView,
  documentView,
  NO_RELATIONS,
} from '../domain/document-view.js';
import {
  assertOfIssue,
  type DraftChange,
  type DraftRequest,
  figuresRequest,
  type NewDocument,
} from '../domain/drafts/draft-request.js';
import { shownTerms } from '../domain/printing/shown-terms.js';
import type { Document } from '../domain/document.js';
import type { Prepayment } from '../domain/prepayment.js';
import { DocumentsQuery } from '../infrastructure/documents.query.js';
import { assertCalculableAlone } from './catalogue/catalogue.service.js';
import { AddedLines } from './added-lines.js';
import { DocumentTransactions, type LockedDocument } from './document-transactions.js';
import { Prepayments } from './prepayments.js';
import { DocumentWriter } from './document-writer.js';
import { notThere } from './external-ids.js';
import { DocumentRefusal } from '../domain/refusals.js';
import { Drafts, type Judgement, type Preview } from './drafts.service.js';

export interface PutDocument {
  view: DocumentView;
  isNew: boolean;
}

export type DocumentGuard = CommitGuard<DocumentView>;

/** Make, change, read and issue documents: load, decide, write once. */
@Injectable()
export class Documents {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly query: DocumentsQuery,
    private readonly accounts: Accounts,
    private readonly drafts: Drafts,
    private readonly writer: DocumentWriter,
    private readonly prepayments: Prepayments,
    private readonly added: AddedLines,
  ) {}

  /** @throws DomainError for wrong lines, `unknown_customer`, `due_before_issue`, `external_id_taken` */
  async create(by: By, request: NewDocument, guard?: DocumentGuard): Promise<DocumentView> {
    assertOfIssue(request);
    const account = await this.accounts.find(by.accountId);
    assertCalculableAlone(request, account);
    return this.transactions.first(by, request.externalId, guard, async (tx) =>
      this.makeNext(tx, by, account, request),
    );
  }

  /**
   * Makes a document or replaces its draft, so that it may be sent any number of times. Of two calls
   * at once, one fails on its external id, looks again and replaces the draft of the other.
   * @throws DomainError as `Documents.create`, `document_not_draft`, `kind_differs`, `version_mismatch`
   */
  async put(
    by: By,
    request: NewDocument & { externalId: string },
    expected: ExpectedVersions,
    guard?: CommitGuard<PutDocument>,
  ): Promise<PutDocument> {
    assertOfIssue(request);
    const account = await this.accounts.find(by.accountId);
    assertCalculableAlone(request, account);
    const { externalId } = request;
    return this.transactions.named(by, externalId, guard, async (tx, id) => {
      if (!id && expected) throw notThere('document');
      const view = await (id
        ? this.replace(tx, by, account, id, request, expected)
        : this.makeNext(tx, by, account, request));
      return { view, isNew: !id };
    });
  }

  /** With what waits for the next invoice of its customer. As `makeWithin` otherwise. */
  async makeNext(tx: Tx, by: By, account: AccountRow, request: NewDocument): Promise<DocumentView> {
    const added = await this.added.to(tx, account, request, null);
    const view = await this.makeWithin(tx, by, account, added.request);
    added.taken(uuidOf('doc', view.id) ?? '');
    return view;
  }

  /** The request must be calculable, and nobody seen with its external id. @throws as `create` */
  async makeWithin(
    tx: Tx,
    by: By,
    account: AccountRow,
    request: NewDocument,
  ): Promise<DocumentView> {
    const { document, content } = await this.drafts.make(tx, { account, actor: by.actor }, request);
    this.writer.insert(tx, document, content, by.actor);
    await this.prepayments.record(tx, document, request.prepayments, by);
    return documentView(document, content, NO_RELATIONS);
  }

  /**
   * The figures that a request would get, and the particulars that it lacks. Nothing is stored, and
   * no date or number is judged.
   */
  async preview(accountId: Uuid, request: DraftRequest): Promise<Preview> {
    return this.previewOf(await this.accounts.find(accountId), request, null);
  }

  /** The same for an account that is at hand, perhaps in a transaction. */
  async previewOf(account: AccountRow, request: DraftRequest, tx: Tx | null): Promise<Preview> {
    return this.drafts.preview(account, request, tx);
  }

  /** Judges a stored document: a draft with the parties that it would be issued with. */
  async judge(accountId: Uuid, id: Uuid): Promise<Judgement> {
    const [account, view] = await Promise.all([
      this.accounts.find(accountId),
      this.find(accountId, id),
    ]);
    return this.drafts.judge(account, view);
  }

  /** Changes a draft; of an issued document only the metadata, and how it is collected. */
  async update(
    by: By,
    id: Uuid,
    change: DraftChange,
    expected: ExpectedVersions,
    guard?: DocumentGuard,
  ): Promise<DocumentView> {
    const account = await this.accounts.find(by.accountId);
    return this.transactions.step({ by, id, expected, guard }, async (tx, locked) => {
      const { document, content: before, relations } = locked;
      if (isLabel(change, document)) {
        const metadata = relabelled(document, before.metadata, change);
        this.writer.saveLabels(tx, document, metadata, by.actor);
        return documentView(document, { ...before, metadata }, relations);
      }
      document.assertMay('edit');
      const content = await this.drafts.edit(
        tx,
        { account, actor: by.actor },
        document,
        before,
        change,
      );
      this.writer.saveDraft(tx, document, content, by.actor);
      return documentView(document, content, relations);
    });
  }

  async delete(
    by: By,
    id: Uuid,
    expected: ExpectedVersions,
    guard?: CommitGuard<void>,
  ): Promise<void> {
    await this.transactions.bare({ by, id, expected, guard }, (tx, { document, origin }) => {
      document.discard();
      if (origin && document.state.origin?.relation === 'conversion') {
        origin.unconvert();
        this.writer.save(tx, origin, by.actor);
      }
      this.writer.delete(tx, document, by.actor);
    });
  }

  async issue(
    by: By,
    id: Uuid,
    prepayments: readonly Prepayment[],
    expected: ExpectedVersions,
    guard?: DocumentGuard,
  ): Promise<DocumentView> {
    const account = await this.accounts.find(by.accountId);
    return this.transactions.step({ by, id, expected, guard }, async (tx, locked) =>
      this.issueLocked(tx, by, account, locked, prepayments),
    );
  }

  /** Within a transaction that decides more than that; null: it is no draft any more. */
  async issueIfDraft(tx: Tx, by: By, account: AccountRow, id: Uuid): Promise<DocumentView | null> {
    const locked = await this.transactions.load(tx, by.accountId, id, null);
    if (locked.document.state.lifecycle !== 'draft') return null;
    return this.issueLocked(tx, by, account, locked, []);
  }

  private async issueLocked(
    tx: Tx,
    by: By,
    account: AccountRow,
    locked: LockedDocument,
    prepayments: readonly Prepayment[],
  ): Promise<DocumentView> {
    const { document, origin, relations } = locked;
    const issued = await this.drafts.issue(tx, account, locked, { prepayments });
    if (origin) this.writer.save(tx, origin, by.actor);
    this.writer.saveDraft(tx, document, issued, by.actor);
    await this.prepayments.record(tx, document, prepayments, by);
    return documentView(document, issued, relations);
  }

  async find(accountId: Uuid, id: Uuid): Promise<DocumentView> {
    const view = await this.query.find(accountId, id);
    if (!view) throw documentNotFound();
    return view;
  }

  async findByExternalId(accountId: Uuid, externalId: string): Promise<DocumentView> {
    const view = await this.query.findByExternalId(accountId, externalId);
    if (!view) throw documentNotFound();
    return view;
  }

  /** The figures again, with what is needed to explain them. @throws `document_not_found` */
  async calculation(accountId: Uuid, id: Uuid) {
    const view = await this.find(accountId, id);
    return { view, calculation: calculate(figuresRequest(view)) };
  }

  /** For what hangs on a document, without reading all of it. @throws `document_not_found` */
  async assertExists(accountId: Uuid, id: Uuid): Promise<void> {
    if ((await this.query.currencyOf(accountId, id)) === undefined) throw documentNotFound();
  }

  /** The changes that a revision made to the version before it. */
  async changesOf(accountId: Uuid, view: DocumentView): Promise<FieldChange[]> {
    const origin = view.origin?.relation === 'revision' ? uuidOf('doc', view.origin.id) : undefined;
    if (!origin) return [];
    return changesBetween(shownTerms(await this.find(accountId, origin)), shownTerms(view));
  }

  /** The parts of a document beside its state. @throws `document_not_found` */
  async contentOf(tx: Tx, accountId: Uuid, id: Uuid): Promise<DocumentContent> {
    const loaded = await this.query.content(tx, accountId, id);
    if (!loaded) throw documentNotFound();
    return loaded.content;
  }

  private async replace(
    tx: Tx,
    by: By,
    account: AccountRow,
    id: Uuid,
    request: NewDocument,
    expected: ExpectedVersions,
  ): Promise<DocumentView> {
    const { accountId, actor } = by;
    const locked = await this.transactions.load(tx, accountId, id, expected);
    const { document, origin, relations } = locked;
    if (document.refusalOf('edit')) {
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
    const added = await this.added.to(tx, account, request, id);
    const written = await this.drafts.replace(tx, { account, actor }, locked, added.request);
    added.taken(id);
    if (origin && request.issue) this.writer.save(tx, origin, actor);
    this.writer.saveDraft(tx, document, written, actor);
    await this.prepayments.record(tx, document, request.prepayments, by);
    return documentView(document, written, relations);
  }
}

/** Whether a change may also be one of an issued document. */
function isLabel(change: DraftChange, { state }: Document): boolean {
  const isIssued = state.lifecycle !== 'draft';
  return Object.keys(change).every(
    (field) => field === 'metadata' || (field === 'collectionMethod' && isIssued),
  );
}

/** @returns the metadata from now on */
function relabelled(
  document: Document,
  before: DocumentContent['metadata'],
  { metadata = before, collectionMethod }: DraftChange,
): DocumentContent['metadata'] {
  const was = document.state.collectionMethod;
  const method = collectionMethod === undefined ? was : collectionMethod;
  if (method !== was) assertCollectible(document);
  const from = { metadata: before, collection_method: was };
  document.label(changesBetween(from, { metadata, collection_method: method }), method);
  return metadata;
}
