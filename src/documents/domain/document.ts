import { assert } from '../../kernel/assert.js';
import { addDays, type IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import {
  type DocumentKind,
  type DocumentStatus,
  type Lifecycle,
  NEXT,
  statusOf,
} from './lifecycle.js';

/** What happened to a document, by the name of its public event. */
export type DocumentFact =
  | 'document.created'
  | 'document.issued'
  | 'document.accepted'
  | 'document.rejected'
  | 'document.partially_paid'
  | 'document.paid'
  | 'document.overpaid'
  | 'document.voided';

/** State and sums of one document; lines and parties are `DocumentContent`. */
export interface DocumentState {
  accountId: Uuid;
  id: Uuid;
  kind: DocumentKind;
  lifecycle: Lifecycle;
  number: string | null;
  currency: Currency;
  customerId: Uuid;
  issueDate: IsoDate | null;
  dueDate: IsoDate | null;
  paymentTermsDays: number | null;
  total: Money;
  amountPaid: Money;
  acceptedAt: Date | null;
  rejection: { reason: string; at: Date; version: number } | null;
  version: number;
  eventSequence: number;
  createdAt: Date;
  issuedAt: Date | null;
  voidedAt: Date | null;
}

/** What one payment did to a document. */
export interface PaymentApplied {
  applied: Money;
  /** The part above what was due; it becomes the customer's credit. */
  excess: Money;
}

/** What may happen to a document, and when. Pure: it decides, the repository writes. */
export class Document {
  private readonly facts: DocumentFact[] = [];
  private moved = false;

  constructor(private readonly current: DocumentState) {}

  static draft(
    state: Omit<
      DocumentState,
      | 'lifecycle'
      | 'number'
      | 'amountPaid'
      | 'acceptedAt'
      | 'rejection'
      | 'version'
      | 'eventSequence'
      | 'issuedAt'
      | 'voidedAt'
    >,
  ): Document {
    if (state.issueDate && state.dueDate && state.dueDate < state.issueDate) {
      throw DomainError.invalid(
        'due_before_issue',
        '/due_date',
        'due_date must not be before issue_date.',
      );
    }
    const document = new Document({
      ...state,
      lifecycle: 'draft',
      number: null,
      amountPaid: Money.zero(state.currency),
      acceptedAt: null,
      rejection: null,
      version: 1,
      eventSequence: 0,
      issuedAt: null,
      voidedAt: null,
    });
    document.facts.push('document.created');
    return document;
  }

  get state(): Readonly<DocumentState> {
    return this.current;
  }

  /** True when the lifecycle has changed since the document was loaded. */
  get hasMoved(): boolean {
    return this.moved;
  }

  get status(): DocumentStatus {
    const { kind, lifecycle, total, amountPaid } = this.current;
    return statusOf(kind, lifecycle, total, amountPaid);
  }

  /** Never negative: `amountPaid` is never above `total`. */
  get amountDue(): Money {
    return this.current.total.minus(this.current.amountPaid);
  }

  /** Due dates are calendar dates of the account: `today` is the date there. */
  isOverdue(today: IsoDate): boolean {
    const { kind, lifecycle, dueDate } = this.current;
    return (
      kind === 'invoice' &&
      lifecycle === 'open' &&
      this.amountDue.isPositive() &&
      dueDate !== null &&
      dueDate < today
    );
  }

  /** Facts since the last call, each with its place in the document's history. */
  takeFacts(): { type: DocumentFact; sequence: number }[] {
    return this.facts.splice(0).map((type) => ({ type, sequence: this.nextSequence() }));
  }

  /** The next place in the document's history of events. */
  nextSequence(): number {
    this.current.eventSequence += 1;
    return this.current.eventSequence;
  }

  /** Before a number is taken from its series, so that a refusal leaves no gap. */
  assertIssuable(today: IsoDate): void {
    if (this.current.lifecycle !== 'draft') {
      throw this.conflict('document_not_draft', 'Only a draft can be issued');
    }
    const { dueDate, issueDate } = this.current;
    if (dueDate && dueDate < (issueDate ?? today)) {
      throw DomainError.conflict(
        'due_date_passed',
        `The due date ${dueDate} is before the issue date; make a new draft with a later one.`,
        { document_status: this.status },
      );
    }
  }

  issue(number: string, today: IsoDate, defaultTermsDays: number, now: Date): void {
    this.assertIssuable(today);
    const issueDate = this.current.issueDate ?? today;
    const terms = this.current.paymentTermsDays ?? defaultTermsDays;
    this.moveTo('open');
    Object.assign(this.current, {
      number,
      issueDate,
      dueDate: this.current.dueDate ?? addDays(issueDate, terms),
      issuedAt: now,
    });
    this.facts.push('document.issued');
  }

  /**
   * Takes money that arrived. What is above the amount due is returned as `excess` where the
   * caller allows it.
   * @throws DomainError `document_not_payable`, `amount_exceeds_due`
   */
  recordPayment(amount: Money, onOverpayment: 'reject' | 'credit'): PaymentApplied {
    assert(amount.isPositive(), 'a payment is above zero');
    const { kind, lifecycle } = this.current;
    if (kind !== 'invoice' || lifecycle !== 'open') {
      throw this.conflict('document_not_payable', 'Only an issued, open invoice takes payments');
    }
    const due = this.amountDue;
    const applied = amount.min(due);
    const excess = amount.minus(applied);
    if (excess.isPositive() && onOverpayment === 'reject') {
      throw new DomainError(
        'invalid',
        'amount_exceeds_due',
        `${due.minor} (${due}) is due; send at most that, or on_overpayment "credit".`,
        { amount_due: due.toMinorNumber(), currency: due.currency },
        [
          {
            pointer: '/amount',
            code: 'amount_exceeds_due',
            message: `amount must be at most ${due.minor}.`,
          },
        ],
      );
    }
    this.current.amountPaid = this.current.amountPaid.plus(applied);
    this.current.version += 1;
    if (applied.isPositive()) {
      this.facts.push(this.amountDue.isZero() ? 'document.paid' : 'document.partially_paid');
    }
    if (excess.isPositive()) this.facts.push('document.overpaid');
    return { applied, excess };
  }

  /** The client agrees to a quote. The same answer twice changes nothing. */
  accept(now: Date): void {
    const { kind, lifecycle } = this.current;
    if (lifecycle === 'accepted') return;
    if (kind !== 'quote' || lifecycle !== 'open') {
      throw this.conflict('document_not_acceptable', 'Only an open quote can be accepted');
    }
    this.moveTo('accepted');
    this.current.acceptedAt = now;
    this.facts.push('document.accepted');
  }

  /** The client declines. The same answer twice changes nothing. */
  reject(reason: string, now: Date): void {
    const { lifecycle, rejection, amountPaid, version } = this.current;
    if (lifecycle === 'rejected' && rejection?.reason === reason) return;
    if (lifecycle !== 'open' || amountPaid.isPositive() || this.status === 'paid') {
      throw this.conflict(
        'document_not_rejectable',
        'Only an open document with nothing paid can be rejected',
      );
    }
    this.moveTo('rejected');
    this.current.rejection = { reason, at: now, version };
    this.facts.push('document.rejected');
  }

  /** Withdraws an issued document with nothing paid; its number stays taken. */
  void(now: Date): void {
    const { lifecycle, amountPaid } = this.current;
    if (!NEXT[lifecycle].includes('void') || amountPaid.isPositive()) {
      throw this.conflict(
        'document_not_voidable',
        'Only an issued document with nothing paid can be voided',
      );
    }
    this.moveTo('void');
    this.current.voidedAt = now;
    this.facts.push('document.voided');
  }

  private moveTo(next: Lifecycle): void {
    const { lifecycle } = this.current;
    assert(NEXT[lifecycle].includes(next), `${lifecycle} does not lead to ${next}`);
    this.current.lifecycle = next;
    this.moved = true;
    this.current.version += 1;
  }

  private conflict(code: string, rule: string): DomainError {
    return DomainError.conflict(code, `${rule}; this one is ${this.status}.`, {
      document_status: this.status,
    });
  }
}

export function documentNotFound(): DomainError {
  return DomainError.notFound(
    'document_not_found',
    'There is no such document; ids look like doc_01h455vb4pex5vsknk084sn02q.',
  );
}
