import { assert } from '../../kernel/assert.js';
import { addDays, type IsoDate, startOfDay } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import { DomainError } from '../../kernel/domain-error.js';
import { Money } from '../../kernel/money.js';
import { assertVersion, type ExpectedVersions } from '../../kernel/versions.js';
import { type Action, type Refusal, refusalOf } from './available-actions.js';
import { type DocumentFact, type DocumentHappening, eventTypeOf } from './document-fact.js';
import { exceedsCreditable, exceedsDue } from './document-refusals.js';
import type { DocumentState, DraftTerms, IssuedNumber, NewDraft } from './document-state.js';
import { type DocumentStatus, hasLapsed, type Lifecycle, NEXT, statusOf } from './lifecycle.js';

/** What one payment did to a document. */
export interface PaymentApplied {
  applied: Money;
  /** The part above what was due; it becomes the customer's credit. */
  excess: Money;
}

/** What may happen to a document, judged at one instant. Pure: it decides, the repository writes. */
export class Document {
  private readonly facts: DocumentFact[] = [];
  private moved = false;

  constructor(
    private readonly current: DocumentState,
    private readonly now: Date,
  ) {}

  static draft(draft: NewDraft, now: Date): Document {
    assertDueAfterIssue(draft);
    const document = new Document(
      {
        ...draft,
        ...noMoney(draft.currency),
        lifecycle: 'draft',
        number: null,
        numbered: null,
        lapsesAt: null,
        acceptedAt: null,
        rejection: null,
        convertedAt: null,
        writtenOffAt: null,
        settledAt: null,
        version: 1,
        eventSequence: 0,
        createdAt: now,
        issuedAt: null,
        voidedAt: null,
      },
      now,
    );
    document.happened('created', null);
    return document;
  }

  get state(): Readonly<DocumentState> {
    return this.current;
  }

  /** True when more than the sums has changed since the document was loaded. */
  get hasMoved(): boolean {
    return this.moved;
  }

  get status(): DocumentStatus {
    return statusOf(this.current, this.now);
  }

  /** Never negative: what is paid and credited is never above `total`. */
  get amountDue(): Money {
    const { kind, total, amountPaid, amountCredited } = this.current;
    if (kind === 'credit_note') return Money.zero(total.currency);
    return total.minus(amountPaid).minus(amountCredited);
  }

  /** What credit notes may still take back. */
  get creditable(): Money {
    const { kind, total, creditNotesTotal } = this.current;
    return kind === 'invoice' ? total.minus(creditNotesTotal) : Money.zero(total.currency);
  }

  get isOverdue(): boolean {
    const { kind, lifecycle, lapsesAt } = this.current;
    const isCollected = kind === 'invoice' && lifecycle === 'open';
    return isCollected && this.amountDue.isPositive() && hasLapsed(lapsesAt, this.now);
  }

  /** Why something may not be done now; null when it may. */
  refusalOf(action: Action): Refusal | null {
    return refusalOf(action, this);
  }

  /** @throws DomainError 409 with the state and the way out */
  assertMay(action: Action): void {
    const refusal = this.refusalOf(action);
    if (!refusal) return;
    throw DomainError.conflict(refusal.code, `${refusal.reason} ${refusal.wayOut}`, {
      document_status: this.status,
    });
  }

  /** @throws DomainError `version_mismatch` */
  assertVersion(expected: ExpectedVersions): void {
    assertVersion(expected, this.current.version);
  }

  /** Facts since the last call, each with its place in the document's history. */
  takeFacts(): (DocumentFact & { sequence: number })[] {
    return this.facts.splice(0).map((fact) => ({ ...fact, sequence: this.nextSequence() }));
  }

  /** The next place in the document's history of events. */
  nextSequence(): number {
    this.current.eventSequence += 1;
    return this.current.eventSequence;
  }

  /** Puts other figures and dates into a draft. */
  edit(terms: DraftTerms, changes: readonly object[]): void {
    this.assertMay('edit');
    assertDueAfterIssue(terms);
    Object.assign(this.current, terms, noMoney(terms.currency));
    this.current.version += 1;
    this.happened('updated', this.status, { changes });
  }

  /** Metadata is the seller's own: it may change at any time. */
  label(changes: readonly object[]): void {
    this.current.version += 1;
    this.happened('updated', this.status, { changes });
  }

  /** @throws DomainError `document_not_draft` */
  discard(): void {
    this.assertMay('delete');
    this.happened('deleted', this.status);
  }

  /** Before a number is taken from its series, so that a refusal leaves no gap. */
  assertIssuable(today: IsoDate): void {
    this.assertMay('issue');
    const { dueDate, issueDate } = this.current;
    if (dueDate && dueDate < (issueDate ?? today)) {
      throw DomainError.conflict(
        'due_date_passed',
        `The due date ${dueDate} is before the issue date; give the draft a later one.`,
        { document_status: this.status },
      );
    }
  }

  issue(number: IssuedNumber, dates: { issueDate: IsoDate; terms: number; timeZone: string }) {
    this.assertIssuable(dates.issueDate);
    const { issueDate } = dates;
    const dueDate = this.current.dueDate ?? addDays(issueDate, dates.terms);
    const from = this.status;
    this.moveTo('open');
    Object.assign(this.current, {
      ...number,
      issueDate,
      dueDate,
      lapsesAt: startOfDay(addDays(dueDate, 1), dates.timeZone),
      issuedAt: this.now,
    });
    if (this.current.kind === 'invoice') this.settle();
    this.happened('issued', from);
  }

  /**
   * Takes money that arrived. What is above the amount due is returned as `excess` where the
   * caller allows it.
   * @throws DomainError `document_not_payable`, `amount_exceeds_due`
   */
  recordPayment(amount: Money, onOverpayment: 'reject' | 'credit'): PaymentApplied {
    assert(amount.isPositive(), 'a payment is above zero');
    this.assertMay('pay');
    const due = this.amountDue;
    const applied = amount.min(due);
    const excess = amount.minus(applied);
    if (excess.isPositive() && onOverpayment === 'reject') throw exceedsDue(due);
    const from = this.status;
    this.current.amountPaid = this.current.amountPaid.plus(applied);
    this.current.version += 1;
    this.settle();
    if (applied.isPositive()) {
      this.happened(this.amountDue.isZero() ? 'paid' : 'partially_paid', from);
    }
    if (excess.isPositive()) this.happened('overpaid', from);
    return { applied, excess };
  }

  /**
   * A credit note takes off what is due; what is above it becomes the customer's credit.
   * @returns what came off
   * @throws DomainError `document_not_creditable`, `amount_exceeds_creditable`
   */
  credit(total: Money): Money {
    this.assertMay('credit');
    if (total.compare(this.creditable) > 0) throw exceedsCreditable(this.creditable);
    const from = this.status;
    const applied = total.min(this.amountDue);
    this.current.amountCredited = this.current.amountCredited.plus(applied);
    this.current.creditNotesTotal = this.current.creditNotesTotal.plus(total);
    this.current.version += 1;
    this.settle();
    this.happened('credited', from);
    return applied;
  }

  /** Takes a credit note back: what it took off is due again. */
  uncredit(total: Money, applied: Money): void {
    const from = this.status;
    this.current.amountCredited = this.current.amountCredited.minus(applied);
    this.current.creditNotesTotal = this.current.creditNotesTotal.minus(total);
    const { amountCredited, creditNotesTotal } = this.current;
    assert(!amountCredited.isNegative(), 'no more is taken back than was credited');
    assert(creditNotesTotal.compare(amountCredited) >= 0, 'no more is taken back than there was');
    this.current.version += 1;
    this.settle();
    this.happened('credit_reversed', from);
  }

  /** Of a credit note, as it is issued: how much of it reduced the invoice. */
  apply(applied: Money): void {
    this.current.amountApplied = applied;
  }

  /** The client agrees to a quote. The same answer twice changes nothing. */
  accept(): void {
    if (this.current.lifecycle === 'accepted') return;
    this.assertMay('accept');
    const from = this.status;
    this.moveTo('accepted');
    this.current.acceptedAt = this.now;
    this.happened('accepted', from);
  }

  /** The client declines. The same answer twice changes nothing. */
  reject(reason: string): void {
    const { lifecycle, rejection, version } = this.current;
    if (lifecycle === 'rejected' && rejection?.reason === reason) return;
    this.assertMay('reject');
    const from = this.status;
    this.moveTo('rejected');
    this.current.rejection = { reason, at: this.now, version };
    this.happened('rejected', from);
  }

  /** Withdraws an issued document with nothing paid; its number stays taken. */
  void(): void {
    this.assertMay('void');
    const from = this.status;
    this.moveTo('void');
    this.current.voidedAt = this.now;
    // What is over nothing was settled as soon as it was issued; now it asks for nothing.
    this.current.settledAt = null;
    this.happened('voided', from);
  }

  /** Gives up what is due. It may still be paid, and then was not lost. */
  writeOff(reason: string | null): void {
    this.assertMay('write_off');
    const from = this.status;
    this.moveTo('uncollectible');
    this.current.writtenOffAt = this.now;
    this.happened('written_off', from, { reason });
  }

  /** An invoice was made of this quote. */
  convert(): void {
    this.assertMay('convert');
    const from = this.status;
    this.moveTo('converted');
    this.current.convertedAt = this.now;
    this.happened('converted', from);
  }

  /** The draft invoice that was made of this quote is deleted. */
  unconvert(): void {
    const from = this.status;
    assert(this.current.lifecycle === 'converted', 'only a conversion is undone');
    this.moveTo(this.current.acceptedAt ? 'accepted' : 'open');
    this.current.convertedAt = null;
    this.happened('conversion_undone', from);
  }

  private settle(): void {
    if (!this.amountDue.isZero()) this.current.settledAt = null;
    else this.current.settledAt ??= this.now;
  }

  private moveTo(next: Lifecycle): void {
    const { kind, lifecycle } = this.current;
    assert(NEXT[kind][lifecycle].includes(next), `${lifecycle} does not lead to ${next}`);
    this.current.lifecycle = next;
    this.moved = true;
    this.current.version += 1;
  }

  private happened(what: DocumentHappening, from: DocumentStatus | null, data: object = {}): void {
    const { kind, version } = this.current;
    const type = eventTypeOf(kind, what);
    this.facts.push({ type, from, to: this.status, version, data });
  }
}

/** The sums of a draft: money has a currency even where there is none. */
function noMoney(currency: Currency) {
  const zero = Money.zero(currency);
  return { amountPaid: zero, amountCredited: zero, creditNotesTotal: zero, amountApplied: zero };
}

function assertDueAfterIssue({ issueDate, dueDate }: DraftTerms): void {
  if (!issueDate || !dueDate || dueDate >= issueDate) return;
  throw DomainError.invalid(
    'due_before_issue',
    '/due_date',
    'due_date must not be before issue_date.',
  );
}
