import { Injectable } from '@nestjs/common';
import { type AccountRow, Accounts } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type Calculation, calculate } from '../domain/calculation/calculation.js';
import { type FieldChange, changesBetween } from '../domain/changes.js';
import { assertCollectible } from '../domain/collection-method.js';
import { documentNotFound } from '../domain/document-refusals.js';
import {
  type DocumentContent,
  type DocumentView,
  documentView,
  NO_RELATIONS,
} from '../domain/document-view.js';
import { type DraftChange, type DraftRequest, figuresRequest } from '../domain/draft-request.js';
import { shownTerms } from '../domain/printing/shown-terms.js';
import type { GlyphWarning } from '../domain/document-warnings.js';
import { findingsOf, type LegalFinding } from '../domain/legal/legal-check.js';
import type { Customer } from '../domain/parties/customer.js';
import { buyerOf, sellerOf } from '../domain/parties/party.js';
import { CustomerRepository } from '../infrastructure/customer.repository.js';
import type { Document } from '../domain/document.js';
import { takenOver } from '../domain/document-defaults.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import { DocumentsQuery } from '../infrastructure/documents.query.js';
import { assertCalculableAlone } from './catalogue/catalogue.service.js';
import { DocumentWriter } from './document-writer.js';
import { assertFree } from './external-ids.js';
import {
  assertLinesOf,
  assertTerms,
  Drafts,
  issuedContent,
  unknownCustomer,
  WRITTEN,
} from './drafts.service.js';
import { Issuing } from './issuing.service.js';
import { DocumentRefusal } from '../domain/refusals.js';

export interface NewDocument extends DraftRequest {
  issue: boolean;
  /** For a document that was issued elsewhere, with its number there. */
  number: string | null;
}

/** A document that is not stored. */
export interface Preview {
  calculation: Calculation;
  findings: LegalFinding[];
  /** No reason to refuse it. */
  unprintable: GlyphWarning[];
  /** Whether it would not be issued with them. */
  strict: boolean;
}

export type Judgement = Omit<Preview, 'calculation'>;

export type DocumentGuard = CommitGuard<DocumentView>;

/** Make, change, read and issue documents: load, decide, write once. */
@Injectable()
export class Documents {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: DocumentRepository,
    private readonly query: DocumentsQuery,
    private readonly customers: CustomerRepository,
    private readonly accounts: Accounts,
    private readonly issuing: Issuing,
    private readonly drafts: Drafts,
    private readonly writer: DocumentWriter,
  ) {}

  /** @throws DomainError for wrong lines, `unknown_customer`, `due_before_issue`, `external_id_taken` */
  async create(by: By, request: NewDocument, guard?: DocumentGuard): Promise<DocumentView> {
    assertNumbered(request);
    const account = await this.accounts.find(by.accountId);
    assertCalculableAlone(request, account);
    return this.uow.run(async (tx) => {
      await assertFree('document', this.repository, tx, by.accountId, request.externalId);
      return this.createIn(tx, by, account, request);
    }, guard);
  }

  /** The request must be calculable, and nobody seen with its external id. */
  async createIn(tx: Tx, by: By, account: AccountRow, request: NewDocument): Promise<DocumentView> {
    assertLinesOf(NO_LINES, request.lines);
    const drafted = await this.drafts.make(tx, account, request);
    const { document } = drafted;
    if (request.issue) await this.issuing.issue(tx, drafted, null, account, request.number);
    const content = issuedContent(drafted);
    this.writer.insert(tx, document, content, by.actor);
    return documentView(document, content, NO_RELATIONS);
  }

  /**
   * The figures that a request would get, and the particulars that it lacks. Nothing is stored, and
   * no date or number is judged.
   */
  async preview(accountId: Uuid, request: DraftRequest): Promise<Preview> {
    assertLinesOf(NO_LINES, request.lines);
    const account = await this.accounts.find(accountId);
    const customer = request.customerId
      ? await this.customers.view(accountId, request.customerId)
      : undefined;
    if (request.customerId && !customer) throw unknownCustomer();
    assertTerms(request);
    const seller = sellerOf(account.seller);
    const currency = request.currency ?? customer?.currency ?? account.currency;
    const asked = { ...request, currency };
    const lines = await this.drafts.linesOf(null, account, asked, WRITTEN, []);
    const calculation = calculate({ ...asked, lines });
    const buyer = customer?.profile ?? request.customer ?? buyerOf({});
    const { kind } = request;
    const details = takenOver(account, request.details);
    const findings = findingsOf({ ...calculation, kind, details, seller, customer: buyer });
    const { notes, purchaseOrder } = request;
    const texts = { seller, customer: buyer, lines, notes, purchaseOrder };
    const unprintable = this.issuing.unprintableIn(texts);
    return { calculation, findings, unprintable, strict: account.strict };
  }

  /** Judges a stored document: a draft with the parties that it would be issued with. */
  async judge(accountId: Uuid, id: Uuid): Promise<Judgement> {
    const [account, view] = await Promise.all([
      this.accounts.find(accountId),
      this.find(accountId, id),
    ]);
    const isDraft = view.status === 'draft';
    const customer = isDraft
      ? await this.customers.view(accountId, uuidOf('cus', view.customerId) as Uuid)
      : undefined;
    const content = isDraft ? withParties(view, account, customer) : view;
    const findings = findingsOf({ ...content, kind: view.kind });
    const unprintable = this.issuing.unprintableIn(content);
    return { findings, unprintable, strict: account.strict };
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
    return this.uow.run(async (tx) => {
      const loaded = await this.load(tx, by.accountId, id);
      const { document, relations } = loaded;
      document.assertVersion(expected);
      if (isLabel(change, document)) {
        const metadata = relabelled(document, loaded.content.metadata, change);
        this.writer.saveLabels(tx, document, metadata, by.actor);
        return documentView(document, { ...loaded.content, metadata }, relations);
      }
      document.assertMay('edit');
      const content = await this.drafts.edit(tx, account, document, loaded.content, change);
      await this.repository.replaceLines(tx, document, content);
      this.writer.saveDraft(tx, document, content, by.actor);
      return documentView(document, content, relations);
    }, guard);
  }

  async delete(
    by: By,
    id: Uuid,
    expected: ExpectedVersions,
    guard?: CommitGuard<void>,
  ): Promise<void> {
    await this.uow.run(async (tx) => {
      const { document, origin } = await this.repository.getWithOriginForUpdate(
        tx,
        by.accountId,
        id,
      );
      document.assertVersion(expected);
      document.discard();
      if (origin && document.state.origin?.relation === 'conversion') {
        origin.unconvert();
        this.writer.save(tx, origin, by.actor);
      }
      this.writer.delete(tx, document, by.actor);
    }, guard);
  }

  async issue(
    by: By,
    id: Uuid,
    expected: ExpectedVersions,
    guard?: DocumentGuard,
  ): Promise<DocumentView> {
    const account = await this.accounts.find(by.accountId);
    return this.uow.run(async (tx) => {
      const { document, origin, content, relations } = await this.load(tx, by.accountId, id);
      document.assertVersion(expected);
      const customer = await this.customers.find(tx, by.accountId, document.state.customerId);
      const drafted = { document, content: withParties(content, account, customer) };
      await this.issuing.issue(tx, drafted, origin, account);
      const issued = issuedContent(drafted);
      if (origin) this.writer.save(tx, origin, by.actor);
      this.writer.saveDraft(tx, document, issued, by.actor);
      return documentView(document, issued, relations);
    }, guard);
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

  /** Locks a document, and the one it came from, and reads what is beside its state. */
  async load(tx: Tx, accountId: Uuid, id: Uuid) {
    const [locked, loaded] = await Promise.all([
      this.repository.getWithOriginForUpdate(tx, accountId, id),
      this.query.content(tx, accountId, id),
    ]);
    if (!loaded) throw documentNotFound();
    return { ...locked, ...loaded };
  }
}

const NO_LINES = { lines: [] };

/** A draft is issued with the parties as they are then. */
function withParties(
  content: DocumentContent,
  account: AccountRow,
  customer: Customer | undefined,
): DocumentContent {
  return {
    ...content,
    seller: sellerOf(account.seller),
    customer: customer?.profile ?? content.customer,
  };
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

/** A number from elsewhere belongs to a document that was issued there. */
export function assertNumbered({ number, issue, issueDate }: NewDocument): void {
  if (number === null) return;
  if (issue && issueDate) return;
  throw DocumentRefusal.number_needs_issue.at(
    '/number',
    'Send number only for a document that was issued elsewhere, with issue true and its issue_date.',
  );
}
