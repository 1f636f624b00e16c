import { Injectable } from '@nestjs/common';
import { type AccountRow, Accounts } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { IdGenerator, type Uuid, uuidOf } from '../../kernel/ids.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { type CommitGuard, type Tx, UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type Calculation, calculate } from '../domain/calculation/calculation.js';
import { assertCalculable } from '../domain/calculation/calculation-request.js';
import { type Change, changesBetween } from '../domain/changes.js';
import { Document } from '../domain/document.js';
import { documentNotFound } from '../domain/document-refusals.js';
import type { DocumentState, DraftTerms } from '../domain/document-state.js';
import {
  type DocumentContent,
  type DocumentView,
  documentView,
  NO_RELATIONS,
} from '../domain/document-view.js';
import { type DraftRequest, figuresRequest, requestOf } from '../domain/draft-request.js';
import { paymentReferenceOf } from '../domain/payment-reference.js';
import { editableTerms, shownTerms } from '../domain/printing/shown-terms.js';
import { sellerOf } from '../domain/parties/party.js';
import type { Customer } from '../domain/parties/customer.js';
import { CustomerRepository } from '../infrastructure/customer.repository.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import { DocumentsQuery } from '../infrastructure/documents.query.js';
import { DocumentWriter } from './document-writer.js';
import { Issuing } from './issuing.service.js';

export interface NewDocument extends DraftRequest {
  issue: boolean;
  /** For a document that was issued elsewhere, with its number there. */
  number: string | null;
}

/** A draft, before it is written. */
interface Drafted {
  document: Document;
  content: DocumentContent;
}

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
    private readonly writer: DocumentWriter,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError for wrong lines, `unknown_customer`, `due_before_issue`, `external_id_taken` */
  async create(by: By, request: NewDocument, guard?: DocumentGuard): Promise<DocumentView> {
    assertNumbered(request);
    const account = await this.accounts.find(by.accountId);
    assertCalculable({ ...request, currency: request.currency ?? account.currency });
    return this.uow.run(async (tx) => {
      const drafted = await this.draft(tx, account, request);
      const { document } = drafted;
      if (request.issue) await this.issuing.issue(tx, document, null, account, request.number);
      const content = issuedContent(drafted);
      this.writer.insert(tx, document, content, by.actor);
      return documentView(document, content, NO_RELATIONS);
    }, guard);
  }

  /** The figures that a request would get; nothing is stored, and no date or number is judged. */
  async preview(accountId: Uuid, request: DraftRequest): Promise<Calculation> {
    const account = await this.accounts.find(accountId);
    const customer = request.customerId
      ? await this.customers.view(accountId, request.customerId)
      : undefined;
    if (request.customerId && !customer) throw unknownCustomer();
    return calculate({
      ...request,
      currency: request.currency ?? customer?.currency ?? account.currency,
    });
  }

  /**
   * Changes a draft; of an issued document only the metadata.
   * @throws DomainError `document_not_found`, `document_not_draft`, `version_mismatch`
   */
  async update(
    by: By,
    id: Uuid,
    change: Partial<DraftRequest>,
    expected: ExpectedVersions,
    guard?: DocumentGuard,
  ): Promise<DocumentView> {
    const account = await this.accounts.find(by.accountId);
    return this.uow.run(async (tx) => {
      const loaded = await this.load(tx, by.accountId, id);
      const { document, relations } = loaded;
      document.assertVersion(expected);
      if (Object.keys(change).every((field) => field === 'metadata')) {
        const metadata = change.metadata ?? loaded.content.metadata;
        document.label(changesBetween({ metadata: loaded.content.metadata }, { metadata }));
        this.writer.saveMetadata(tx, document, metadata, by.actor);
        return documentView(document, { ...loaded.content, metadata }, relations);
      }
      document.assertMay('edit');
      const content = await this.edit(tx, account, document, loaded.content, change);
      await this.repository.replaceLines(tx, document, content);
      this.writer.saveDraft(tx, document, content, by.actor);
      return documentView(document, content, relations);
    }, guard);
  }

  /** @throws DomainError `document_not_found`, `document_not_draft`, `version_mismatch` */
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

  /** @throws DomainError `document_not_found`, `document_not_draft`, `version_mismatch` */
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
      await this.issuing.issue(tx, document, origin, account);
      const issued: DocumentContent = {
        ...issuedContent({ document, content }),
        seller: sellerOf(account.seller),
        customer: customer?.profile ?? content.customer,
      };
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

  /** The figures again, with what is needed to explain them. @throws `document_not_found` */
  async calculation(accountId: Uuid, id: Uuid) {
    const view = await this.find(accountId, id);
    return { view, calculation: calculate(figuresRequest(view)) };
  }

  /** For what hangs on a document, without reading all of it. @throws `document_not_found` */
  async assertExists(accountId: Uuid, id: Uuid): Promise<void> {
    if ((await this.query.currencyOf(accountId, id)) === undefined) throw documentNotFound();
  }

  /** What a revision changed in the version before it. */
  async changesOf(accountId: Uuid, view: DocumentView): Promise<Change[]> {
    const origin = view.origin?.relation === 'revision' ? uuidOf('doc', view.origin.id) : undefined;
    if (!origin) return [];
    return changesBetween(shownTerms(await this.find(accountId, origin)), shownTerms(view));
  }

  /** Makes a draft; the caller writes it. @throws DomainError as `create` */
  async draft(
    tx: Tx,
    account: AccountRow,
    request: DraftRequest & { roundingMinor?: bigint },
    source?: Pick<DocumentState, 'origin' | 'revision'>,
  ): Promise<Drafted> {
    const { terms, content } = await this.resolve(tx, account, request, source === undefined);
    const { accountId } = account;
    const { kind } = request;
    const from = source ?? { origin: null, revision: 1 };
    const draft = { ...terms, ...from, accountId, id: this.ids.next(), kind };
    return { document: Document.draft(draft, this.clock.now()), content };
  }

  private async edit(
    tx: Tx,
    account: AccountRow,
    document: Document,
    before: DocumentContent,
    change: Partial<DraftRequest>,
  ): Promise<DocumentContent> {
    const { customerId, ...asked } = requestOf(document.state, before);
    const request = { ...asked, ...(!change.customer && { customerId }), ...change };
    const isNamed = change.customerId !== undefined;
    const { terms, content } = await this.resolve(tx, account, request, isNamed);
    const old = editableTerms({ ...document.state, ...before });
    document.edit(terms, changesBetween(old, editableTerms({ ...terms, ...content })));
    return content;
  }

  /** What a request comes to, with the customer's and the account's defaults. */
  private async resolve(
    tx: Tx,
    account: AccountRow,
    request: DraftRequest & { roundingMinor?: bigint },
    isCustomerNamed: boolean,
  ): Promise<{ terms: DraftTerms; content: DocumentContent }> {
    const customer = await this.customerOf(tx, account.accountId, request);
    if (isCustomerNamed && customer.archivedAt) throw customerArchived();
    await this.issuing.assertSeries(tx, account.accountId, request);
    const currency = request.currency ?? customer.currency ?? account.currency;
    const figures = calculate({ ...request, currency });
    const { notes, language, paymentTermsDays } = request;
    const terms: DraftTerms = {
      proforma: request.proforma,
      series: request.series,
      externalId: request.externalId,
      currency,
      customerId: customer.id,
      issueDate: request.issueDate,
      dueDate: request.dueDate,
      paymentTermsDays:
        paymentTermsDays === undefined
          ? (customer.paymentTermsDays ?? account.paymentTermsDays)
          : paymentTermsDays,
      netTotal: figures.netTotal,
      taxTotal: figures.taxTotal,
      rounding: figures.rounding,
      total: figures.total,
    };
    const content: DocumentContent = {
      ...figures,
      seller: sellerOf(account.seller),
      customer: customer.profile,
      language: language === undefined ? (customer.profile.language ?? account.language) : language,
      pricesIncludeTax: request.pricesIncludeTax,
      cashRounding: request.cashRounding,
      purchaseOrder: request.purchaseOrder,
      paymentReference: null,
      notes: notes === undefined ? account.documentNotes : notes,
      metadata: request.metadata,
    };
    return { terms, content };
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

  private async customerOf(tx: Tx, accountId: Uuid, request: DraftRequest): Promise<Customer> {
    if (request.customerId) {
      const found = await this.customers.find(tx, accountId, request.customerId);
      if (found) return found;
      throw unknownCustomer();
    }
    if (!request.customer) {
      throw DomainError.invalid('required', '/customer', 'Send customer or customer_id.');
    }
    const first = { id: this.ids.next(), profile: request.customer };
    return this.customers.insert(tx, accountId, first, this.clock.now());
  }
}

/** With what its number brings. A draft has none, and stays as it is. */
export function issuedContent({ document, content }: Drafted): DocumentContent {
  return { ...content, paymentReference: paymentReferenceOf(document.state) };
}

/** A number from elsewhere belongs to a document that was issued there. */
function assertNumbered({ number, issue, issueDate }: NewDocument): void {
  if (number === null) return;
  if (issue && issueDate) return;
  throw DomainError.invalid(
    'number_needs_issue',
    '/number',
    'A given number is for a document issued elsewhere; send issue true and its issue_date.',
  );
}

function customerArchived(): DomainError {
  return DomainError.invalid(
    'customer_archived',
    '/customer_id',
    'The customer is archived; unarchive it, or bill another one.',
  );
}

function unknownCustomer(): DomainError {
  return DomainError.invalid(
    'unknown_customer',
    '/customer_id',
    'There is no such customer; send customer to make one.',
  );
}
