import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../auth/index.js';
import { EventLog } from '../../events/index.js';
import type { Actor } from '../../kernel/actor.js';
import { Clock } from '../../kernel/clock.js';
import type { DomainError } from '../../kernel/domain-error.js';
import { IdGenerator, type Uuid, uuidOf } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { type Calculation, calculate } from '../domain/calculation/calculation.js';
import type { CalculationRequest, LineRequest } from '../domain/calculation/calculation-request.js';
import { assertBeforeDue } from '../domain/cash-discount.js';
import { changesBetween } from '../domain/changes.js';
import { Document } from '../domain/document.js';
import { takenOver, withProfile } from '../domain/drafts/document-defaults.js';
import { detailsOf, withoutEmpty } from '../domain/document-details.js';
import type { DocumentState, DraftTerms } from '../domain/document-state.js';
import { draftOf } from '../domain/drafts/draft-content.js';
import {
  type DocumentContent,
  type DocumentView,
  documentView,
  NO_RELATIONS,
} from '../domain/document-view.js';
import type { GlyphWarning } from '../domain/document-warnings.js';
import {
  assertIssuedAmounts,
  assertLinesOf,
  assertTerms,
  type DraftChange,
  type DraftRequest,
  type NewDocument,
  requestOf,
} from '../domain/drafts/draft-request.js';
import { findingsOf, type LegalFinding } from '../domain/legal/legal-check.js';
import { assertTaxesSaid } from '../domain/legal/said-taxes.js';
import { asBilled, type Customer } from '../domain/parties/customer.js';
import { taxedAsSaid } from '../domain/small-business.js';
import { assertPaymentAccount } from '../domain/parties/bank-account.js';
import { buyerOf, sellerOf } from '../domain/parties/party.js';
import { editableTerms } from '../domain/printing/shown-terms.js';
import type { Buyer } from '../domain/parties/party.js';
import { CustomerRepository } from '../infrastructure/customer.repository.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import type { LockedDocument } from './document-transactions.js';
import { customerStep } from '../wire/customer-events.js';
import { assertFree } from './external-ids.js';
import { Catalogue } from './catalogue/catalogue.service.js';
import { type AskedIssue, type Drafted, Issuing } from './issuing.service.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { DocumentRefusal } from '../domain/refusals.js';

/** A credit note has them from its invoice; the customer of that may be erased. */
type GivenFigures = Pick<CalculationRequest, 'roundingMinor' | 'taxes'> & { buyer?: Buyer };

/** The parts of a request that its caller wrote. All others are those of a document that is there. */
interface Written {
  customer: boolean;
  lines: boolean;
  taxes: boolean;
  details: boolean;
}

const WRITTEN: Written = { customer: true, lines: true, taxes: true, details: true };
const NO_LINES = { lines: [] };
const FIRST = { origin: null, revision: 1 };
const NO_TERMS = { paymentTermsDays: null, cashDiscounts: null };
const COPIED: Written = { customer: false, lines: false, taxes: false, details: false };

/** The document that another one is made of, locked, and how they are related. */
export interface DraftSource extends Pick<DocumentState, 'origin' | 'revision'> {
  of: Document;
}

/** For whom a draft is written, and by whom. */
export interface DraftAuthor {
  account: AccountRow;
  actor: Actor;
}

/** A document with the parties that it was judged with. */
export interface Judgement {
  view: DocumentView;
  findings: LegalFinding[];
  /** No reason to refuse it. */
  unprintable: GlyphWarning[];
  /** Whether it would not be issued with them. */
  strict: boolean;
}

/** A document that is not stored. */
export interface Preview extends Judgement {
  calculation: Calculation;
  /** Days from the issue to the due date; null: they are of the seller. */
  paymentTermsDays: number | null;
}

/** Makes drafts from requests, with the defaults of the customer and the account. */
@Injectable()
export class Drafts {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly customers: CustomerRepository,
    private readonly catalogue: Catalogue,
    private readonly events: EventLog,
    private readonly issuing: Issuing,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /** Makes a draft, and issues it where that is asked; the caller writes it, and its source. */
  async make(
    tx: Tx,
    author: DraftAuthor,
    request: DraftRequest & GivenFigures & Pick<NewDocument, 'issue'> & AskedIssue,
    source?: DraftSource,
  ): Promise<Drafted> {
    assertLinesOf(NO_LINES, request.lines);
    const written = source ? COPIED : WRITTEN;
    const { terms, content } = await this.resolve(tx, author, request, written);
    const { account } = author;
    const { accountId } = account;
    const { kind } = request;
    const { origin, revision } = source ?? FIRST;
    const draft = { ...terms, origin, revision, accountId, id: tx.newId(), kind };
    const document = Document.draft(draft, tx.now(), request.number != null);
    const made = { document, content };
    if (!request.issue) return made;
    const issued = await this.issuing.issue(tx, made, source?.of ?? null, account, request);
    return { ...made, content: issued };
  }

  /** Issues a draft that is stored, with the parties as they are now; the caller writes it. */
  async issue(
    tx: Tx,
    account: AccountRow,
    { document, origin, content }: LockedDocument,
    asked: AskedIssue,
  ): Promise<DocumentContent> {
    const { accountId, customerId } = document.state;
    const customer = await this.customers.find(tx, accountId, customerId);
    const drafted = { document, content: withParties(content, account, customer) };
    return this.issuing.issue(tx, drafted, origin, account, asked);
  }

  /**
   * The figures that a request would get, and the particulars that it lacks. Nothing is stored, and
   * no date or number is judged.
   */
  async preview(account: AccountRow, request: DraftRequest, tx: Tx | null): Promise<Preview> {
    assertLinesOf(NO_LINES, request.lines);
    const customer = request.customerId
      ? await this.customers.view(account.accountId, request.customerId, tx)
      : undefined;
    if (request.customerId && !customer) throw unknownCustomer();
    const currency = request.currency ?? customer?.currency ?? account.currency;
    const asked = { ...request, currency };
    assertTerms(asked);
    const lines = await this.linesOf(tx, account, asked, WRITTEN, []);
    const calculation = calculate({ ...asked, lines });
    const profile = request.customer ?? buyerOf({});
    const billed = customer ?? { ...NO_TERMS, id: this.ids.next(), profile };
    const details = takenOver(account, request.details);
    const { terms, content } = draftOf(account, billed, { ...asked, details }, calculation, () =>
      this.ids.next(),
    );
    const { kind } = request;
    const { accountId } = account;
    const unstored = { ...terms, ...FIRST, accountId, id: this.ids.next(), kind };
    const document = Document.draft(unstored, this.clock.now());
    const view = documentView(document, withProfile(content, account), NO_RELATIONS);
    const { paymentTermsDays } = terms;
    return { calculation, paymentTermsDays, ...this.judged(account, view) };
  }

  /** Judges a stored document: a draft with the parties that it would be issued with. */
  async judge(account: AccountRow, view: DocumentView): Promise<Judgement> {
    const isDraft = view.status === 'draft';
    const customer = isDraft
      ? await this.customers.view(account.accountId, uuidOf('cus', view.customerId) as Uuid)
      : undefined;
    if (!isDraft) return this.judged(account, view);
    return this.judged(account, withProfile(withParties(view, account, customer), account));
  }

  private judged(account: AccountRow, view: DocumentView): Judgement {
    const findings = findingsOf(view);
    const unprintable = this.issuing.unprintableIn(view);
    return { view, findings, unprintable, strict: account.strict };
  }

  /** Changes a draft, and its lines; the caller writes the rest. */
  async edit(
    tx: Tx,
    author: DraftAuthor,
    document: Document,
    before: DocumentContent,
    change: DraftChange,
  ): Promise<DocumentContent> {
    const { customerId, ...asked } = requestOf(document.state, before);
    const details = { ...asked.details, ...change.details };
    const request = { ...asked, ...(!change.customer && { customerId }), ...change, details };
    const hasLines = change.lines !== undefined;
    return this.rewrite(tx, author, document, before, request, {
      customer: change.customerId !== undefined,
      lines: hasLines,
      taxes: hasLines || change.charges !== undefined,
      details: false,
    });
  }

  /** Makes the draft anew from a whole request, as `make` does; the caller writes all but its lines. */
  async replace(
    tx: Tx,
    author: DraftAuthor,
    { document, origin, content: before }: LockedDocument,
    request: NewDocument,
  ): Promise<DocumentContent> {
    const { customer, details, ...others } = request;
    // A request has none: they are added one by one.
    const { attachments } = before.details;
    const rest = { ...others, details: { ...details, ...(attachments && { attachments }) } };
    // The same customer, sent again with its particulars, is not made again.
    const isSame = customer && changesBetween(before.customer, customer).length === 0;
    const asked = isSame
      ? { ...rest, customerId: document.state.customerId }
      : { ...rest, ...(customer && { customer }) };
    const isNamed = request.customerId !== undefined;
    const written = { ...WRITTEN, customer: isNamed };
    const content = await this.rewrite(tx, author, document, before, asked, written);
    if (!request.issue) return content;
    return this.issuing.issue(tx, { document, content }, origin, author.account, request);
  }

  private async rewrite(
    tx: Tx,
    author: DraftAuthor,
    document: Document,
    before: DocumentContent,
    request: DraftRequest & AskedIssue,
    written: Written,
  ): Promise<DocumentContent> {
    assertLinesOf(before, request.lines);
    if (request.externalId !== document.state.externalId) {
      const { accountId } = author.account;
      await assertFree('document', this.documents, tx, accountId, request.externalId);
    }
    const { terms, content } = await this.resolve(tx, author, request, written, before);
    const old = editableTerms({ ...document.state, ...before });
    const changes = changesBetween(old, editableTerms({ ...terms, ...content }));
    document.edit(terms, changes, request.number != null);
    await this.documents.replaceLines(tx, document, content);
    return content;
  }

  /**
   * The lines as they are calculated, with what they name, and what the seller's law adds.
   * @param tx null for what is not stored
   * @param before the lines that the draft has
   * @throws DomainError as `Catalogue.copied` and `assertTaxesSaid`
   */
  private async linesOf(
    tx: Tx | null,
    account: AccountRow,
    request: Pick<CalculationRequest, 'lines' | 'charges' | 'currency' | 'pricesIncludeTax'>,
    written: Pick<Written, 'lines' | 'taxes'>,
    before: DocumentContent['lines'],
  ): Promise<LineRequest[]> {
    const { lines, charges } = request;
    const seller = sellerOf(account.seller);
    const copied = written.lines
      ? await this.catalogue.copied(tx, account, lines, request, before)
      : lines;
    if (written.taxes) assertTaxesSaid({ lines: copied, charges }, seller);
    return taxedAsSaid(copied, seller);
  }

  private async resolve(
    tx: Tx,
    author: DraftAuthor,
    request: DraftRequest & GivenFigures & AskedIssue,
    written: Written,
    before: Pick<DocumentContent, 'lines'> = NO_LINES,
  ): Promise<{ terms: DraftTerms; content: DocumentContent }> {
    const { account } = author;
    const customer = asBilled(await this.customerOf(tx, author, request), request.buyer);
    if (written.customer && customer.archivedAt) throw customerArchived();
    await this.issuing.assertSeries(tx, account.accountId, request);
    const currency = request.currency ?? customer.currency ?? account.currency;
    const asked = { ...request, currency };
    assertTerms(asked);
    const { number } = request;
    assertIssuedAmounts(written.lines ? asked : { ...asked, lines: [] }, number);
    const lines = await this.linesOf(tx, account, asked, written, before.lines);
    const figures = calculate({ ...asked, lines });
    const details = written.details
      ? takenOver(account, request.details)
      : detailsOf(withoutEmpty(request.details));
    const drafted = draftOf(account, customer, { ...asked, details }, figures, () => tx.newId());
    if (request.kind === 'invoice') assertBeforeDue(drafted.terms);
    if (written !== COPIED) assertPaymentAccount(drafted.content);
    return drafted;
  }

  private async customerOf(
    tx: Tx,
    { account: { accountId }, actor }: DraftAuthor,
    request: DraftRequest,
  ): Promise<Customer> {
    if (request.customerId) {
      const found = await this.customers.find(tx, accountId, request.customerId);
      if (found) return found;
      throw unknownCustomer();
    }
    if (!request.customer) {
      throw FieldRefusal.required.at('/customer', 'Send customer or customer_id.');
    }
    const first = { id: tx.newId(), profile: request.customer };
    const made = this.customers.insert(tx, accountId, first, tx.now());
    this.events.tell(tx, { accountId, actor }, 'customer.created', customerStep(made));
    return made;
  }
}

/** A draft is issued with the parties as they are then. */
function withParties<Content extends DocumentContent>(
  content: Content,
  account: AccountRow,
  customer: Customer | undefined,
): Content {
  return {
    ...content,
    seller: sellerOf(account.seller),
    customer: customer?.profile ?? content.customer,
  };
}

function customerArchived(): DomainError {
  return DocumentRefusal.customer_archived.at('/customer_id');
}

function unknownCustomer(): DomainError {
  return DocumentRefusal.unknown_customer.at('/customer_id');
}
