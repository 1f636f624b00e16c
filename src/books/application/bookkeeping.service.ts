import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type Document,
  DocumentWriter,
  type WrittenDocumentFact,
  type WrittenTaxRelief,
} from '../../documents/index.js';
import type { Tx } from '../../platform/database/tx.js';
import {
  creditNoteLegs,
  dueAccount,
  type LedgerEntry,
  type TotalParts,
  invoiceLegs,
  type Leg,
  leg,
  LOSS_KINDS,
  mirrored,
  movedCreditLegs,
  reliefLegs,
} from '../domain/ledger.js';
import { LedgerRepository } from '../infrastructure/ledger.repository.js';
import { TaxReliefRepository } from '../infrastructure/tax-relief.repository.js';

/** An entry without its document: its own fact, and counting from now, unless told otherwise. */
type Booked = Pick<LedgerEntry, 'fact' | 'legs'> &
  Partial<Pick<LedgerEntry, 'factId' | 'effective' | 'notBefore'>>;

/** Books what happens to documents, in the transaction in which it happens. */
@Injectable()
export class Bookkeeping implements OnModuleInit {
  constructor(
    private readonly documents: DocumentWriter,
    private readonly ledger: LedgerRepository,
    private readonly reliefs: TaxReliefRepository,
  ) {}

  onModuleInit(): void {
    this.documents.on('document.issued', (tx, happened) => {
      const { kind, id, issueDate } = happened.document.state;
      if (kind !== 'invoice') return;
      const legs = invoiceLegs(figuresOf(happened.document), id);
      this.book(tx, happened, { fact: 'document.issued', legs, ...countingFrom(issueDate) });
    });
    this.documents.on('document.rejected', (tx, happened) => {
      const { kind, id, total } = happened.document.state;
      if (kind !== 'invoice') return;
      // It is not asked for any more; the claim stands until the seller voids it.
      const legs = leg('rejected_receivables', 'receivables', total, id);
      this.book(tx, happened, { fact: 'document.rejected', legs });
    });
    this.documents.on('document.voided', (tx, happened) => {
      // A quote, or what was never issued, is nothing that is owed.
      if (happened.document.state.kind !== 'invoice') return;
      this.book(tx, happened, { fact: 'document.voided', legs: voidLegs(happened) });
    });
    this.documents.on('document.written_off', (tx, happened) => {
      const { amountPayable, state } = happened.document;
      const legs = leg('bad_debt', 'receivables', amountPayable, state.id);
      const { effective } = happened;
      this.book(tx, happened, { fact: 'document.written_off', legs, effective });
    });
    this.documents.on('document.write_off_reversed', (tx, happened) => {
      const { amountPayable, state } = happened.document;
      const legs = leg('receivables', 'bad_debt', amountPayable, state.id);
      this.book(tx, happened, { fact: 'document.write_off_reversed', legs });
    });
    this.documents.onTaxRelief((tx, relief) => this.bookTaxRelief(tx, relief));
    this.documents.on('credit_note.issued', (tx, happened) => {
      const legs = noteLegs(happened.document);
      const when = countingFrom(happened.document.state.issueDate);
      this.book(tx, happened, { fact: 'credit_note.issued', legs, ...when });
    });
    this.documents.on('credit_note.voided', (tx, happened) => {
      const legs = mirrored(noteLegs(happened.document));
      this.book(tx, happened, { fact: 'credit_note.voided', legs });
    });
    this.documents.on('credit_note.moved', (tx, happened) => this.bookMoved(tx, happened));
    this.documents.on('document.credited', (tx, happened) => this.bookCredited(tx, happened));
    this.documents.on('document.credit_reversed', (tx, happened) =>
      this.bookCreditReversed(tx, happened),
    );
  }

  /** The part that a note takes off its invoice, on the day of the rest of its entry. */
  private bookCredited(tx: Tx, happened: WrittenDocumentFact): void {
    const { document, fact } = happened;
    if (!fact.credit) return;
    const { creditNoteId: factId, applied, waived, issueDate } = fact.credit;
    const due = dueAccount(document.state);
    const legs = [
      ...leg('credit_notes', due, applied, document.state.id),
      ...leg(due, 'payment_differences', waived, document.state.id),
    ];
    const when = countingFrom(issueDate);
    this.book(tx, happened, { fact: 'credit_note.issued', factId, legs, ...when });
  }

  private bookCreditReversed(tx: Tx, happened: WrittenDocumentFact): void {
    const { document, fact } = happened;
    if (!fact.credit) return;
    const { creditNoteId: factId, applied, waived, notBefore } = fact.credit;
    const due = dueAccount(document.state);
    const legs = [
      ...leg(due, 'credit_notes', applied, document.state.id),
      ...leg(due, 'payment_differences', waived, document.state.id),
    ];
    this.book(tx, happened, { fact: 'credit_note.voided', factId, legs, notBefore });
  }

  /** On the day of the money that went back, or came again; but not before the note. */
  private bookMoved(tx: Tx, happened: WrittenDocumentFact): void {
    const { fact, effective } = happened;
    if (!fact.moved) return;
    const { amount, invoice } = fact.moved;
    const legs = movedCreditLegs(amount, dueAccount(invoice), invoice.id);
    this.book(tx, happened, { fact: 'credit_note.moved', legs, effective });
  }

  /** Each kind of loss is a fact of its own: they have accounts of their own. */
  private bookTaxRelief(tx: Tx, { document, changes, effective, at }: WrittenTaxRelief): void {
    const { accountId, id, customerId, issueDate: notBefore } = document.state;
    const when = { effective, notBefore, recordedAt: at };
    for (const loss of LOSS_KINDS) {
      const own = changes.filter(({ of }) => of === loss);
      if (own.length === 0) continue;
      const factId = tx.newId();
      const legs = reliefLegs(own, id);
      const fact = 'document.tax_relieved';
      this.ledger.insert(tx, { accountId, fact, factId, customerId, legs, ...when });
      const relief = { accountId, id: factId, documentId: id, loss, changes: own, ...when };
      this.reliefs.insert(tx, relief);
    }
  }

  private book(tx: Tx, { document, at }: WrittenDocumentFact, booked: Booked): void {
    const { accountId, id, customerId } = document.state;
    const notBefore = document.state.issueDate;
    const entry = { accountId, factId: id, customerId, effective: at, notBefore, recordedAt: at };
    this.ledger.insert(tx, { ...entry, ...booked });
  }
}

/** An issue says the day for which it counts. */
function countingFrom(issueDate: string | null): Pick<Booked, 'effective'> {
  return issueDate === null ? {} : { effective: issueDate };
}

function figuresOf({ state }: Document): TotalParts {
  return { net: state.netTotal, tax: state.taxTotal, rounding: state.rounding };
}

/** The reverse of the invoice's entry; a write-off or a rejection before it is reversed first. */
function voidLegs({ document, fact }: WrittenDocumentFact): Leg[] {
  const { id, total } = document.state;
  return [
    ...(fact.from === 'uncollectible' ? leg('receivables', 'bad_debt', total, id) : []),
    ...(fact.from === 'rejected' ? leg('receivables', 'rejected_receivables', total, id) : []),
    ...mirrored(invoiceLegs(figuresOf(document), id)),
  ];
}

function noteLegs(note: Document): Leg[] {
  const { id, total, amountApplied } = note.state;
  return creditNoteLegs(figuresOf(note), total.minus(amountApplied), id);
}
