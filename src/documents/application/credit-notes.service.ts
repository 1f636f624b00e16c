import { Injectable } from '@nestjs/common';
import { type AccountRow, Accounts } from '../../auth/index.js';
import type { Actor, By } from '../../kernel/actor.js';
import { assert } from '../../kernel/assert.js';
import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import { calculate } from '../domain/calculation/calculation.js';
import {
  type Credited,
  type CreditNoteTerms,
  creditNoteTerms,
  type CreditRequest,
} from '../domain/credit-note.js';
import type { Document } from '../domain/document.js';
import { type DocumentDetails, detailsToCredit } from '../domain/document-details.js';
import {
  type DocumentContent,
  type DocumentView,
  documentView,
  NO_RELATIONS,
} from '../domain/document-view.js';
import { givenBackPart } from '../domain/document-sums.js';
import { figuresRequest, requestOf } from '../domain/drafts/draft-request.js';
import { Locale } from '../domain/printing/formatting.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import { DocumentTransactions } from './document-transactions.js';
import { DocumentWriter } from './document-writer.js';
import { Drafts } from './drafts.service.js';
import { assertFree } from './external-ids.js';
import type { Drafted } from './issuing.service.js';

export interface NewCreditNote extends CreditRequest {
  issueDate: string | null;
  notes: string | null;
  metadata: Record<string, string>;
  externalId: string | null;
}

/** An invoice, locked, with what is beside its state. */
interface LoadedInvoice {
  invoice: Document;
  content: DocumentContent;
}

/** Takes back what an invoice asked for: all that is left, by line, or an amount. */
@Injectable()
export class CreditNotes {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly repository: DocumentRepository,
    private readonly drafts: Drafts,
    private readonly writer: DocumentWriter,
    private readonly accounts: Accounts,
  ) {}

  /**
   * Issues a credit note under the invoice's lock: it reduces what is due, and what is above that
   * becomes the customer's credit.
   * @throws DomainError `document_not_creditable`, `amount_exceeds_creditable`, and for wrong lines
   */
  async create(
    by: By,
    invoiceId: Uuid,
    request: NewCreditNote,
    expected: ExpectedVersions,
    guard?: CommitGuard<DocumentView>,
  ): Promise<DocumentView> {
    const account = await this.accounts.find(by.accountId);
    const asked = { by, id: invoiceId, expected, guard };
    return this.transactions.step(asked, async (tx, { document: invoice, content }) => {
      const made = await this.createIn(tx, by.actor, account, { invoice, content }, request);
      const { number, amountCredited } = invoice.state;
      const { amountApplied } = made.document.state;
      const before = amountCredited.minus(amountApplied);
      const givenBack = givenBackPart(invoice.state, before, amountApplied).minor;
      const relations = { ...NO_RELATIONS, origin: number, givenBack };
      return documentView(made.document, made.content, relations);
    });
  }

  /**
   * The same in the transaction of another step, which holds the invoice's lock. Nothing is changed
   * where it throws.
   */
  async createIn(
    tx: Tx,
    actor: Actor,
    account: AccountRow,
    { invoice, content }: LoadedInvoice,
    request: NewCreditNote,
  ): Promise<Drafted> {
    const { accountId, id: invoiceId } = invoice.state;
    invoice.assertMay('credit');
    await assertFree('document', this.repository, tx, accountId, request.externalId);
    const credited = await this.creditedOf(tx, invoice, content);
    const terms = termsOf(request, invoice, content, credited);
    const made = await this.drafts.make(
      tx,
      { account, actor },
      {
        ...requestOf(invoice.state, content),
        ...terms.figures,
        buyer: content.customer,
        kind: 'credit_note',
        proforma: false,
        series: null,
        issueDate: request.issueDate,
        dueDate: null,
        paymentTermsDays: 0,
        collectionMethod: null,
        cashDiscounts: [],
        details: detailsToCredit(content.details, precedingInvoice(invoice)),
        notes: request.notes,
        metadata: request.metadata,
        externalId: request.externalId,
        issue: true,
      },
      { of: invoice, origin: { relation: 'credit', documentId: invoiceId }, revision: 1 },
    );
    invoice.taxRelief.credit(made.content.taxGroups);
    this.writer.insert(tx, made.document, made.content, actor);
    this.writer.save(tx, invoice, actor, [], made.document.state.issueDate);
    this.repository.insertCreditedLines(tx, made.document, invoiceId, terms.credited);
    return made;
  }

  /**
   * The total that a credit note would have; nothing is written.
   * @throws DomainError `document_not_creditable`, `amount_exceeds_creditable`, and for wrong lines
   */
  async totalOf(
    tx: Tx,
    { invoice, content }: LoadedInvoice,
    request: CreditRequest,
  ): Promise<Money> {
    invoice.assertMay('credit');
    const credited = await this.creditedOf(tx, invoice, content);
    const { credited: lines, roundingMinor } = creditNoteTerms(request, credited);
    const { total, currency } = invoice.state;
    if (request.lines === null) return Money.of(request.amountMinor ?? total.minor, currency);
    return Money.of(
      lines.reduce((sum, { minor }) => sum + minor, roundingMinor),
      currency,
    );
  }

  private async creditedOf(
    tx: Tx,
    { state, amountCreditable: creditable }: Document,
    content: DocumentContent,
  ): Promise<Credited> {
    const [lines, byGroup] = await Promise.all([
      this.repository.creditedLines(tx, state.accountId, state.id),
      this.repository.creditedGroups(tx, state.accountId, state.id),
    ]);
    const calculation = calculate(figuresRequest(content));
    assert(calculation.total.compare(state.total) === 0, 'an invoice calculates to its total');
    const locale = Locale.of(content.language);
    return { number: state.number ?? '', locale, calculation, ...lines, byGroup, creditable };
  }
}

/** EN 16931 BG-3. An issued invoice has both. */
function precedingInvoice({ state }: Document): DocumentDetails['preceding_invoice'] {
  const { number, issueDate } = state;
  return number === null || issueDate === null ? null : { number, issue_date: issueDate };
}

/** The whole of an invoice is credited as it was billed; a part of it as prices with tax. */
function termsOf(
  request: CreditRequest,
  { state }: Document,
  content: DocumentContent,
  credited: Credited,
) {
  const whole = state.total.minor;
  const isWhole =
    !request.lines && state.creditNotesTotal.isZero() && (request.amountMinor ?? whole) === whole;
  if (isWhole) {
    const { currency: _, ...figures } = figuresRequest(content);
    const lines = credited.calculation.lines.filter(({ gross }) => !gross.isZero());
    return {
      figures: {
        ...figures,
        lines: figures.lines.map((line) => ({
          ...line,
          id: null,
          externalId: null,
          creditedLineId: line.id ?? null,
        })),
        cashRounding: null,
        roundingMinor: content.rounding.minor,
      },
      credited: lines.map(({ position, gross }) => ({
        position,
        minor: gross.minor,
        quantity: null,
      })),
    };
  }
  const { credited: taken, ...given }: CreditNoteTerms = creditNoteTerms(request, credited);
  return {
    figures: {
      ...given,
      pricesIncludeTax: true,
      discounts: [],
      charges: [],
      cashRounding: null,
    },
    credited: taken,
  };
}
