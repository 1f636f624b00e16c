import { assert } from '../../kernel/assert.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { assertVersion, type ExpectedVersions } from '../../kernel/versions.js';
import type { TaxShare } from './calculation/tax-part.js';
import { type DocumentAction, type ActionRefusal, refusalOf } from './available-actions.js';
import type { FieldChange } from './changes.js';
import {
  type Acceptance,
  type CreditTaken,
  type DocumentFact,
  type DocumentFactData,
  type DocumentFactName,
  eventTypeOf,
  issuedData,
  movedCredit,
  presentCredit,
  totalPartsData,
} from './document-fact.js';
import * as refuse from './document-refusals.js';
import type { DocumentWarning } from './document-warnings.js';
import type { DocumentState, DraftTerms, IssuedNumber, NewDraft } from './document-state.js';
import * as sumsOf from './document-sums.js';
import { draftState, type IssueDates, issuedTerms } from './drafts/draft-state.js';
import { HeldMoney } from './held-money.js';
import { RefundedMoney } from './refunded-money.js';
import { amountPayable, isCollected, isLate, isPayable, NEXT, statusOf } from './lifecycle.js';
import type { DocumentStatus, Lifecycle } from './lifecycle.js';
import type { NotedCredit, NotedInvoice } from './noted-credit.js';
import type { OnOverpayment, Prepayment } from './prepayment.js';
import { TaxRelief, type WriteOffTerms } from './tax-relief.js';

/** The rules of a document, judged at one instant. Pure: it decides, the repository writes. */
export class Document {
  private readonly facts: DocumentFact[] = [];
  hasMoved = false;
  /** Before money went back that is not owed again. */
  private settledBefore: Date | null = null;
  readonly previousStatus: DocumentStatus;
  readonly taxRelief: TaxRelief;
  readonly refunded: RefundedMoney;
  readonly held: HeldMoney;
  warnings: readonly DocumentWarning[] = [];
  noted: NotedCredit<Document> | null = null;

  constructor(
    private readonly current: DocumentState,
    readonly now: Date,
  ) {
    this.previousStatus = statusOf(current, now);
    this.taxRelief = new TaxRelief(current);
    this.refunded = new RefundedMoney(current);
    this.held = new HeldMoney(current);
  }

  static draft(draft: NewDraft, now: Date, isElsewhere = false): Document {
    if (!isElsewhere) refuse.assertDueAfterIssue(draft);
    const document = new Document(draftState(draft, now), now);
    document.happened('created', null, {});
    return document;
  }

  get state(): Readonly<DocumentState> {
    return this.current;
  }

  get status(): DocumentStatus {
    return statusOf(this.current, this.now);
  }

  /** The part of an invoice that is not settled, asked for or not; never negative. */
  get amountPayable(): Money {
    return amountPayable(this.current);
  }

  /** The amount that is asked for: the invoice's part of the ledger's receivables. */
  get amountDue(): Money {
    return isCollected(this.current) ? this.amountPayable : Money.zero(this.current.total.currency);
  }

  get amountCreditable(): Money {
    return sumsOf.amountCreditable(this.current, isPayable(this.current));
  }

  get isOverdue(): boolean {
    return isLate(this.current, this.now) && this.amountDue.compare(this.refunded.undecided) > 0;
  }

  /** Why something may not be done now; null when it may. */
  refusalOf(action: DocumentAction, despiteProcessing = false): ActionRefusal | null {
    return refusalOf(action, this, despiteProcessing);
  }

  /** @throws DomainError 409 with the state and the way out */
  assertMay(action: DocumentAction, despiteProcessing = false): void {
    const refusal = this.refusalOf(action, despiteProcessing);
    if (refusal) throw refuse.actionRefused(refusal, this.status);
  }

  assertVersion(expected: ExpectedVersions): void {
    assertVersion(expected, this.current.version);
  }

  /** Facts since the last call, each with its place in the document's history. */
  takeFacts(): (DocumentFact & { sequence: number })[] {
    return this.facts.splice(0).map((fact) => ({ ...fact, sequence: this.nextSequence() }));
  }

  nextSequence(): number {
    this.current.updatedAt = this.now;
    return (this.current.eventSequence += 1);
  }

  edit(terms: DraftTerms, changes: FieldChange[], isElsewhere = false): void {
    this.assertMay('edit');
    if (!isElsewhere) refuse.assertDueAfterIssue(terms);
    Object.assign(this.current, terms, sumsOf.noMoney(terms.currency));
    this.label(changes);
  }

  label(changes: FieldChange[], collectionMethod = this.current.collectionMethod): void {
    Object.assign(this.current, { collectionMethod, version: this.current.version + 1 });
    this.happened('updated', this.status, { changes });
  }

  discard(): void {
    this.assertMay('delete');
    this.happened('deleted', this.status, {});
  }

  /** Before a number is taken from its series, so that a refusal leaves no gap. */
  assertIssuable(today: IsoDate, isElsewhere = false): void {
    this.assertMay('issue');
    const { dueDate, issueDate } = this.current;
    if (isElsewhere || !dueDate || dueDate >= (issueDate ?? today)) return;
    throw refuse.dueDatePassed(dueDate, this.status);
  }

  /** Before the issue: what came in already stays on the paper, whatever becomes of the money. */
  prepay(told: readonly Prepayment[]): void {
    refuse.assertPrepayable(this.current, told);
    const amounts = told.map(({ amountMinor }) => Money.of(amountMinor, this.current.currency));
    this.current.amountPrepaid = Money.sum(amounts, this.current.currency);
  }

  issue(number: IssuedNumber, dates: IssueDates): void {
    this.assertIssuable(dates.issueDate, number.series === null);
    const from = this.status;
    this.moveTo('open');
    Object.assign(this.current, number, issuedTerms(this.current, dates, this.now));
    if (this.current.kind === 'invoice') this.settle();
    this.happened('issued', from, issuedData(this.current));
  }

  /** Takes money that arrived; the amount above what is due is returned as `excess`, if allowed. */
  recordPayment(
    amount: Money,
    onOverpayment: OnOverpayment,
    allowance: sumsOf.ShortfallAllowance | null = null,
  ): sumsOf.PaymentApplied {
    assert(amount.isPositive(), 'a payment is above zero');
    this.assertMay('pay');
    if (onOverpayment === 'credit') this.noted?.takeOffAbove(amount, this.current);
    const [due, from] = [this.amountPayable, this.status];
    const applied = amount.min(due);
    const excess = amount.minus(applied);
    if (excess.isPositive() && onOverpayment === 'reject') throw refuse.overpaid(due);
    this.current.amountPaid = this.current.amountPaid.plus(applied);
    const waived = sumsOf.waivable(this.current, allowance);
    this.take(sumsOf.waivedWith(this.current, waived, allowance));
    const step = this.amountPayable.isZero() ? 'paid' : 'partially_paid';
    if (applied.isPositive()) this.happened(step, from, {});
    if (excess.isPositive()) this.happened('overpaid', from, {});
    return { applied, excess, waived };
  }

  /** Takes off what a wrong payment paid. @returns the waived shortfall, which is due again too */
  unpay(amount: Money): Money {
    return this.oweAgain({ amountPaid: this.current.amountPaid.minus(amount) });
  }

  /** Money goes back, and is due again, or a credit note follows for it. @returns as `unpay` */
  refund(amount: Money, isCredited = false): Money {
    if (isCredited) this.settledBefore = this.current.settledAt;
    return this.oweAgain({ amountRefunded: this.current.amountRefunded.plus(amount) }, isCredited);
  }

  /** Money that went back, by a refund or `unpay`, is here again, and pays what is due. */
  takeBack(back: sumsOf.GivenAgain): sumsOf.TakenBack {
    const from = this.status;
    if (isPayable(this.current)) this.noted?.takeOffAbove(back.amount, this.current);
    const { sums, taken, ...left } = sumsOf.takenBack(this.current, back, isPayable(this.current));
    Object.assign(this.current, sums);
    this.current.version += 1;
    if (isPayable(this.current)) this.settle();
    const step = this.amountPayable.isZero() ? 'paid' : 'partially_paid';
    if (taken.isPositive() && !back.isForRefund) this.happened(step, from, {});
    return left;
  }

  /** @returns what came off @throws `document_not_creditable`, `amount_exceeds_creditable` */
  credit(total: Money, creditNoteId: Uuid, issueDate: IsoDate | null = null): Money {
    this.assertMay('credit');
    const most = this.amountCreditable;
    if (total.compare(most) > 0) throw refuse.exceedsCreditable(most);
    const from = this.status;
    const { waived, applied, ...sums } = sumsOf.creditedBy(this.current, total);
    this.take(sums);
    const taken = { creditNoteId, applied, waived, issueDate, notBefore: issueDate };
    this.happened('credited', from, presentCredit(taken), taken);
    return applied;
  }

  /** Takes a credit note back: what it took off is due again. */
  uncredit(total: Money, applied: Money, creditNoteId: Uuid, notBefore: IsoDate | null = null) {
    const from = this.status;
    const sums = sumsOf.uncreditedBy(this.current, total, applied);
    const given = { creditNoteId, applied, waived: this.unwaive(), issueDate: null, notBefore };
    this.take(sums);
    this.happened('credit_reversed', from, presentCredit(given), given);
  }

  apply(applied: Money): void {
    this.current.amountApplied = applied;
  }

  /** Of a credit note: a part of its credit goes onto its invoice, or comes off again. */
  moveCredit(amount: Money, invoice: NotedInvoice): void {
    this.facts.push(movedCredit(this.current, { amount, invoice }, this.now));
  }

  /** The client agrees to a quote. The same answer twice changes nothing. */
  accept(told: Acceptance = {}): void {
    if (this.current.lifecycle === 'accepted') return;
    this.assertMay('accept');
    this.step('accepted', { acceptedAt: this.now, acceptedBy: told.by ?? null }, 'accepted', told);
  }

  /** The client declines. The same answer twice changes nothing. */
  reject(reason: string): void {
    const { lifecycle, rejection, version } = this.current;
    if (lifecycle === 'rejected' && rejection?.reason === reason) return;
    this.assertMay('reject');
    this.step('rejected', { rejection: { reason, at: this.now, version } }, 'rejected', {});
  }

  /** Withdraws an issued document with nothing paid; its number stays taken. */
  void(reason: string | null = null, despiteProcessing = false): void {
    this.assertMay('void', despiteProcessing);
    // An invoice over nothing was settled when it was issued; now it asks for nothing.
    const data = { ...totalPartsData(this.current), reason };
    this.step('void', { voidedAt: this.now, settledAt: null }, 'voided', data);
  }

  /** Gives up what is due; it may still be paid. */
  writeOff(reason: string | null, { taxes = null, despiteProcessing }: WriteOffTerms = {}): void {
    this.assertMay('write_off', despiteProcessing);
    const data = { reason, tax_relief: taxes !== null };
    this.step('uncollectible', { writtenOffAt: this.now, taxRelief: taxes }, 'written_off', data);
  }

  /** Claims the tax back of what was let go. @param taxes that credit notes left */
  claimTaxRelief(taxes: readonly TaxShare[]): void {
    this.assertMay('claim_tax_relief');
    Object.assign(this.current, { taxRelief: taxes, version: this.current.version + 1 });
    this.happened('tax_relief_claimed', this.status, {});
  }

  /** It is asked for again, as if it had never been given up. */
  reverseWriteOff(reason: string | null): void {
    this.assertMay('reverse_write_off');
    this.step('open', { writtenOffAt: null, taxRelief: null }, 'write_off_reversed', { reason });
  }

  convert(): void {
    this.assertMay('convert');
    this.step('converted', { convertedAt: this.now }, 'converted', {});
  }

  unconvert(): void {
    assert(this.current.lifecycle === 'converted', 'only a conversion is undone');
    const { acceptedAt } = this.current;
    this.step(acceptedAt ? 'accepted' : 'open', { convertedAt: null }, 'conversion_undone', {});
  }

  /** A shortfall is let pass only as long as nothing else is due. */
  private unwaive(): Money {
    const waived = this.current.amountWaived;
    this.current.amountWaived = Money.zero(waived.currency);
    return waived;
  }

  private oweAgain(
    change: Partial<Pick<DocumentState, 'amountPaid' | 'amountRefunded'>>,
    isCredited = false,
  ): Money {
    const from = this.status;
    const waived = this.unwaive();
    Object.assign(this.current, change);
    this.noted?.putWhatIsOwed(this.current);
    this.take({});
    assert(!sumsOf.amountKept(this.current).isNegative(), 'no more is taken back than was paid');
    if (from === 'paid' && this.status !== from && !isCredited) this.happened('reopened', from, {});
    return waived;
  }

  private take(sums: Partial<DocumentState>): void {
    Object.assign(this.current, sums);
    this.current.version += 1;
    this.settle();
  }

  private settle(): void {
    const since = this.current.settledAt ?? this.settledBefore ?? this.now;
    this.current.settledAt = this.amountPayable.isZero() ? since : null;
  }

  private moveTo(next: Lifecycle): void {
    const { kind, lifecycle } = this.current;
    assert(NEXT[kind][lifecycle].includes(next), `${lifecycle} does not lead to ${next}`);
    this.current.lifecycle = next;
    this.hasMoved = true;
    this.current.version += 1;
  }

  private step<What extends DocumentFactName>(
    next: Lifecycle,
    changes: Partial<DocumentState>,
    what: What,
    data: DocumentFactData<What>,
  ): void {
    const from = this.status;
    this.moveTo(next);
    Object.assign(this.current, changes);
    this.happened(what, from, data);
  }

  private happened<What extends DocumentFactName>(
    what: What,
    from: DocumentStatus | null,
    data: DocumentFactData<What>,
    credit: CreditTaken | null = null,
  ): void {
    const { kind, version } = this.current;
    const fact = { type: eventTypeOf(kind, what), from, to: this.status, version, data };
    this.facts.push(credit ? { ...fact, credit } : fact);
  }
}
