import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../auth/index.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, type FieldError } from '../../kernel/domain-error.js';
import { IdGenerator, type Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { calculate } from '../domain/calculation/calculation.js';
import type { CalculationRequest, LineRequest } from '../domain/calculation/calculation-request.js';
import { agreedDiscounts, assertBeforeDue, orderErrors } from '../domain/cash-discount.js';
import { changesBetween } from '../domain/changes.js';
import { methodErrors } from '../domain/collection-method.js';
import { Document } from '../domain/document.js';
import { discountsOf, takenOver } from '../domain/document-defaults.js';
import { periodErrors } from '../domain/document-details.js';
import type { DocumentState, DraftTerms } from '../domain/document-state.js';
import type { DocumentContent } from '../domain/document-view.js';
import { type DraftChange, type DraftRequest, requestOf } from '../domain/draft-request.js';
import { assertTaxesSaid } from '../domain/legal/said-taxes.js';
import type { Customer } from '../domain/parties/customer.js';
import { taxedAsSaid } from '../domain/small-business.js';
import { sellerOf } from '../domain/parties/party.js';
import { paymentReferenceOf } from '../domain/payment-reference.js';
import { editableTerms } from '../domain/printing/shown-terms.js';
import { CustomerRepository } from '../infrastructure/customer.repository.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import { assertFree } from './external-ids.js';
import { Catalogue } from './catalogue/catalogue.service.js';
import { type Drafted, Issuing } from './issuing.service.js';
import { FieldRefusal, invalidFields } from '../../kernel/field-refusals.js';
import { DocumentRefusal } from '../domain/refusals.js';

/** Figures that a credit note has from its invoice. */
type GivenFigures = Pick<CalculationRequest, 'roundingMinor' | 'taxes'>;

/** The parts of a request that its caller wrote. All others are those of a document that is there. */
interface Written {
  customer: boolean;
  lines: boolean;
  taxes: boolean;
}

export const WRITTEN: Written = { customer: true, lines: true, taxes: true };
const COPIED: Written = { customer: false, lines: false, taxes: false };

/** Makes drafts from requests, with the defaults of the customer and the account. */
@Injectable()
export class Drafts {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly customers: CustomerRepository,
    private readonly catalogue: Catalogue,
    private readonly issuing: Issuing,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /** Makes a draft; the caller writes it. @throws DomainError as `Documents.create` */
  async make(
    tx: Tx,
    account: AccountRow,
    request: DraftRequest & GivenFigures,
    source?: Pick<DocumentState, 'origin' | 'revision'>,
  ): Promise<Drafted> {
    const written = source ? COPIED : WRITTEN;
    const { terms, content } = await this.resolve(tx, account, request, written);
    const { accountId } = account;
    const { kind } = request;
    const from = source ?? { origin: null, revision: 1 };
    const draft = { ...terms, ...from, accountId, id: this.ids.next(), kind };
    return { document: Document.draft(draft, this.clock.now()), content };
  }

  /** Changes a draft; the caller writes it. */
  async edit(
    tx: Tx,
    account: AccountRow,
    document: Document,
    before: DocumentContent,
    change: DraftChange,
  ): Promise<DocumentContent> {
    const { customerId, ...asked } = requestOf(document.state, before);
    const details = { ...asked.details, ...change.details };
    const request = { ...asked, ...(!change.customer && { customerId }), ...change, details };
    const hasLines = change.lines !== undefined;
    return this.rewrite(tx, account, document, before, request, {
      customer: change.customerId !== undefined,
      lines: hasLines,
      taxes: hasLines || change.charges !== undefined,
    });
  }

  /** Makes the draft anew from a whole request; the caller writes it. */
  async replace(
    tx: Tx,
    account: AccountRow,
    document: Document,
    before: DocumentContent,
    request: DraftRequest,
  ): Promise<DocumentContent> {
    const { customer, ...rest } = request;
    // The same customer, sent again with its particulars, is not made again.
    const isSame = customer && changesBetween(before.customer, customer).length === 0;
    const asked = isSame ? { ...rest, customerId: document.state.customerId } : request;
    const isNamed = request.customerId !== undefined;
    return this.rewrite(tx, account, document, before, asked, { ...WRITTEN, customer: isNamed });
  }

  private async rewrite(
    tx: Tx,
    account: AccountRow,
    document: Document,
    before: DocumentContent,
    request: DraftRequest,
    written: Written,
  ): Promise<DocumentContent> {
    assertLinesOf(before, request.lines);
    if (request.externalId !== document.state.externalId) {
      const { accountId } = account;
      await assertFree('document', this.documents, tx, accountId, request.externalId);
    }
    const { terms, content } = await this.resolve(tx, account, request, written, before);
    const old = editableTerms({ ...document.state, ...before });
    document.edit(terms, changesBetween(old, editableTerms({ ...terms, ...content })));
    return content;
  }

  /**
   * The lines as they are calculated, with what they name, and what the seller's law adds.
   * @param tx null for what is not stored
   * @param before the lines that the draft has
   * @throws DomainError as `Catalogue.copied` and `assertTaxesSaid`
   */
  async linesOf(
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
    account: AccountRow,
    request: DraftRequest & GivenFigures,
    written: Written,
    before: Pick<DocumentContent, 'lines'> = { lines: [] },
  ): Promise<{ terms: DraftTerms; content: DocumentContent }> {
    const customer = await this.customerOf(tx, account.accountId, request);
    if (written.customer && customer.archivedAt) throw customerArchived();
    await this.issuing.assertSeries(tx, account.accountId, request);
    const currency = request.currency ?? customer.currency ?? account.currency;
    assertTerms(request);
    const seller = sellerOf(account.seller);
    const asked = { ...request, currency };
    const said = await this.linesOf(tx, account, asked, written, before.lines);
    const figures = calculate({ ...asked, lines: said });
    const lines = figures.lines.map((line) => ({ ...line, id: line.id ?? this.ids.next() }));
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
      collectionMethod: request.collectionMethod,
      cashDiscounts: agreedDiscounts(discountsOf(request, customer, account)),
      netTotal: figures.netTotal,
      taxTotal: figures.taxTotal,
      rounding: figures.rounding,
      total: figures.total,
    };
    if (request.kind === 'invoice') assertBeforeDue(terms);
    const content: DocumentContent = {
      ...figures,
      lines,
      seller,
      customer: customer.profile,
      language: language === undefined ? (customer.profile.language ?? account.language) : language,
      pricesIncludeTax: request.pricesIncludeTax,
      cashRounding: request.cashRounding,
      purchaseOrder: request.purchaseOrder,
      details: takenOver(account, request.details),
      paymentReference: null,
      notes: notes === undefined ? account.documentNotes : notes,
      metadata: request.metadata,
    };
    return { terms, content };
  }

  private async customerOf(tx: Tx, accountId: Uuid, request: DraftRequest): Promise<Customer> {
    if (request.customerId) {
      const found = await this.customers.find(tx, accountId, request.customerId);
      if (found) return found;
      throw unknownCustomer();
    }
    if (!request.customer) {
      throw FieldRefusal.required.at('/customer', 'Send customer or customer_id.');
    }
    const first = { id: this.ids.next(), profile: request.customer };
    return this.customers.insert(tx, accountId, first, this.clock.now());
  }
}

/** @throws DomainError `unknown_line`, `said_twice`, with every wrong line */
export function assertLinesOf(
  before: Pick<DocumentContent, 'lines'>,
  lines: readonly LineRequest[],
): void {
  const known = new Set(before.lines.map(({ id }) => id));
  const errors = lines.flatMap(({ id }, index): FieldError[] => {
    if (id == null || known.delete(id)) return [];
    const pointer = `/lines/${index}/id`;
    return before.lines.some((line) => line.id === id)
      ? [FieldRefusal.said_twice.field(pointer, 'Name each line once.')]
      : [DocumentRefusal.unknown_line.field(pointer, 'The draft has no such line; leave id out.')];
  });
  if (errors.length > 0) throw invalidFields(errors);
}

/** With what its number brings. A draft has none, and stays as it is. */
export function issuedContent({ document, content }: Drafted): DocumentContent {
  return { ...content, paymentReference: paymentReferenceOf(document.state) };
}

export function assertTerms(request: DraftRequest): void {
  const { details, lines, cashDiscounts } = request;
  const errors = [
    ...methodErrors(request.kind, request.collectionMethod),
    ...orderErrors(cashDiscounts ?? []),
    ...periodErrors(details.service_period, ''),
    ...lines.flatMap((line, at) => periodErrors(line.details?.service_period, `/lines/${at}`)),
  ];
  if (errors.length > 0) throw invalidFields(errors);
}

function customerArchived(): DomainError {
  return DocumentRefusal.customer_archived.at('/customer_id');
}

export function unknownCustomer(): DomainError {
  return DocumentRefusal.unknown_customer.at('/customer_id');
}
