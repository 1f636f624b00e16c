import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../auth/index.js';
import { addDays, dateIn } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { assertBeforeDue } from '../domain/cash-discount.js';
import type { Document } from '../domain/document.js';
import { defaultsOf, withProfile } from '../domain/drafts/document-defaults.js';
import type { NewDocument } from '../domain/drafts/draft-request.js';
import { assertIssueDate } from '../domain/document-refusals.js';
import type { DocumentState, IssuedNumber } from '../domain/document-state.js';
import {
  amountWarningsOf,
  dateWarningsOf,
  type GlyphWarning,
  glyphWarningsOf,
  processingWarningsOf,
  type WrittenTexts,
  taxWarningsOf,
} from '../domain/document-warnings.js';
import type { DocumentContent } from '../domain/document-view.js';
import { findingsOf, type LegalFinding, refuseFindings } from '../domain/legal/legal-check.js';
import { paymentReferenceOf } from '../domain/payment-reference.js';
import { NumberSeriesRepository } from '../infrastructure/number-series.repository.js';
import { assertPaymentAccount } from '../domain/parties/bank-account.js';
import { PdfRenderer } from '../infrastructure/printing/pdf-renderer.js';
import { DocumentRefusal } from '../domain/refusals.js';
import { GivenNumbers } from './given-numbers.js';
import { Prepayments } from './prepayments.js';
import { EInvoiceProfiles } from './e-invoice-profiles.service.js';
import { TaxCurrencies } from './tax-currencies.service.js';

/** A draft, before it is written. */
export interface Drafted {
  document: Document;
  content: DocumentContent;
}

/** Parts of a request that are of the issue, and not of the draft. */
export type AskedIssue = Partial<Pick<NewDocument, 'number' | 'prepayments'>>;

/** The step from a draft to a document that counts: its number, its dates, and its origin. */
@Injectable()
export class Issuing {
  constructor(
    private readonly numbers: NumberSeriesRepository,
    private readonly given: GivenNumbers,
    private readonly taxCurrencies: TaxCurrencies,
    private readonly profiles: EInvoiceProfiles,
    private readonly prepayments: Prepayments,
    private readonly renderer: PdfRenderer,
  ) {}

  /** The texts of a document that would not be printed whole. */
  unprintableIn(texts: WrittenTexts): GlyphWarning[] {
    return glyphWarningsOf(texts, (text) => this.renderer.withoutGlyph(text));
  }

  /**
   * The document, and where it came from one, that one too, must be locked. The caller writes both.
   * @param asked with a number from elsewhere, for a document that was issued there
   * @param drafted with seller and customer as they are frozen
   * @throws DomainError `document_not_draft`, `due_date_passed`, `date_in_future`,
   *   `date_too_early`, `period_closed`, `unknown_series`, `number_belongs_to_series`, `cash_discount_after_due`, what forbids the
   *   step to the origin, `exchange_rate_missing`, and what the law misses or the e-invoice's
   *   profile sends back, where that is refused; as `Prepayments.judge`
   * @returns the content with what its number and its day bring
   */
  async issue(
    tx: Tx,
    { document, content }: Drafted,
    origin: Document | null,
    account: AccountRow,
    asked: AskedIssue = {},
  ): Promise<DocumentContent> {
    const { number: given = null, prepayments = [] } = asked;
    const today = dateIn(account.timeZone, tx.now());
    document.assertIssuable(today, given !== null);
    const { issueDate: wished, paymentTermsDays } = document.state;
    const invoice = creditedBy(document, origin);
    const invoiceDate = invoice?.state.issueDate ?? null;
    // A credit note without a date never comes before an invoice that is dated ahead.
    const issueDate = wished ?? (invoiceDate && invoiceDate > today ? invoiceDate : today);
    assertIssueDate(document.state, issueDate, {
      booksFrom: account.booksFrom,
      openFrom: account.booksOpenFrom,
      latest: addDays(today, account.issueDaysAhead),
      invoiceDate,
    });
    const terms = paymentTermsDays ?? account.paymentTermsDays;
    assertBeforeDue({ ...document.state, paymentTermsDays: terms }, issueDate);
    // The content of both is decided: an invoice's, and what was issued elsewhere.
    const findings = findingsOf({ ...content, kind: document.state.kind });
    if (!invoice && given === null) assertLegal(findings, account);
    const unprintable = this.unprintableIn(content);
    const { accountId } = document.state;
    const taxed = await this.taxCurrencies.frozen(tx, accountId, content, issueDate);
    assertPaymentAccount(content);
    const chosen = document.state.kind === 'quote' ? taxed : withProfile(taxed, account);
    if (origin) settleWithOrigin(document, origin, issueDate);
    await this.prepayments.judge(tx, document, prepayments);
    // Last: the lock on the series is hot.
    const number = await this.numberOf(tx, document, account, { issueDate, given });
    document.issue(number, { issueDate, terms, timeZone: account.timeZone });
    const paymentReference = paymentReferenceOf(document.state, chosen.details);
    const issued = { ...chosen, paymentReference };
    const broken = this.profiles.findings(document, issued);
    if (!invoice && given === null && defaultsOf(account).strict_profile) refuseFindings(broken);
    document.warnings = [
      ...dateWarningsOf(document.state),
      ...unprintable,
      ...(invoice ? processingWarningsOf(invoice) : []),
      ...(given === null ? [] : amountWarningsOf(content.lines)),
      ...(content.details.issued_taxes ? taxWarningsOf(content.taxGroups) : []),
      ...findings,
      ...broken,
    ];
    return issued;
  }

  async assertSeries(
    tx: Tx,
    accountId: Uuid,
    { kind, series }: Pick<DocumentState, 'kind' | 'series'>,
  ): Promise<void> {
    if (series !== null) await this.numbers.assertExists(tx, accountId, kind, series);
  }

  private async numberOf(
    tx: Tx,
    { state }: Document,
    account: AccountRow,
    { issueDate, given }: { issueDate: string; given: string | null },
  ): Promise<IssuedNumber> {
    const { accountId, id: documentId, kind, proforma } = state;
    if (given !== null) {
      if (await this.numbers.couldProduce(tx, accountId, kind, given)) throw belongsToSeries(given);
      return { number: given, series: null, numbered: null, numberBefore: null };
    }
    const series = state.series ?? (proforma ? 'proforma' : null);
    const taken = await this.numbers.take(tx, account, { kind, series, issueDate });
    const { number, period, sequence, before } = taken;
    const noted = { accountId, documentId, number, series: taken.series, period, sequence };
    tx.onCommit(() => this.given.note(noted));
    return { number, series: taken.series, numbered: { period, sequence }, numberBefore: before };
  }
}

/** Category O beside others has no lawful sum; the rest is refused where the account is strict. */
function assertLegal(findings: readonly LegalFinding[], { strict }: AccountRow): void {
  refuseFindings(
    strict
      ? findings
      : findings.filter(({ code }) => code === DocumentRefusal.tax_category_alone.code),
  );
}

/** The invoice that a credit note takes off. */
function creditedBy({ state }: Document, origin: Document | null): Document | null {
  return state.origin?.relation === 'credit' ? origin : null;
}

/** A revision takes the place of its origin; a credit note takes off what its invoice is due. */
function settleWithOrigin(document: Document, origin: Document, issueDate: string): void {
  const relation = document.state.origin?.relation;
  if (relation === 'revision') {
    origin.assertMay('revise');
    origin.void();
  } else if (relation === 'credit') {
    const { id, total } = document.state;
    document.apply(origin.credit(total, id, issueDate));
  }
}

function belongsToSeries(number: string): DomainError {
  return DocumentRefusal.number_belongs_to_series.at(
    '/number',
    `A series of yours may still give ${number}; leave number out, or change the series.`,
  );
}
