import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Event, EventLog } from '../../events/index.js';
import { uuidOf } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import {
  creditNoteLegs,
  type Figures,
  invoiceLegs,
  type Leg,
  leg,
  type LedgerFact,
  mirrored,
} from '../domain/ledger.js';
import { LedgerRepository } from '../infrastructure/ledger.repository.js';

/** What the events of documents say of one. Amounts in minor units. */
interface DocumentData {
  document: {
    kind: string;
    currency: string;
    customer_id: string;
    status: string;
    total: number;
    amount_due: number;
    amount_applied?: number;
    customer_credit?: number;
    origin?: { id: string };
  };
  previous_status: string | null;
  issue_date: string | null;
  figures: { net_total: number; tax_total: number; rounding: number };
}

/** What an invoice says of a credit note that came, or went. */
type CreditData = DocumentData & { credit_note_id: string; amount: number; amount_waived: number };

/** Books what happens to documents, in the transaction in which it happens. */
@Injectable()
export class Bookkeeping implements OnModuleInit {
  constructor(
    private readonly events: EventLog,
    private readonly ledger: LedgerRepository,
  ) {}

  onModuleInit(): void {
    this.events.on('document.issued', (tx, event) => {
      const data = event.data as DocumentData;
      if (data.document.kind !== 'invoice') return;
      this.book(tx, event, 'document.issued', invoiceLegs(figuresOf(data), idOf(event)));
    });
    this.events.on('document.voided', (tx, event) => {
      const data = event.data as DocumentData;
      // A quote, or what was never issued, is nothing that is owed.
      if (data.document.kind !== 'invoice') return;
      this.book(tx, event, 'document.voided', voidLegs(data, idOf(event)));
    });
    this.events.on('document.written_off', (tx, event) => {
      const { document } = event.data as DocumentData;
      const due = Money.of(BigInt(document.amount_due), document.currency);
      const legs = leg('bad_debt', 'receivables', due, idOf(event));
      this.book(tx, event, 'document.written_off', legs);
    });
    this.events.on('credit_note.issued', (tx, event) => {
      this.book(tx, event, 'credit_note.issued', [...noteLegs(event), ...appliedLegs(event)]);
    });
    this.events.on('credit_note.voided', (tx, event) => {
      this.book(tx, event, 'credit_note.voided', mirrored(noteLegs(event)));
    });
    this.events.on('document.credited', (tx, event) => {
      const data = event.data as CreditData;
      const waived = Money.of(BigInt(data.amount_waived), data.document.currency);
      const legs = leg('receivables', 'payment_differences', waived, idOf(event));
      this.book(tx, event, 'credit_note.issued', legs, data.credit_note_id);
    });
    this.events.on('document.credit_reversed', (tx, event) => this.bookCreditReversed(tx, event));
  }

  private bookCreditReversed(tx: Tx, event: Event): void {
    const data = event.data as CreditData;
    const money = (minor: number) => Money.of(BigInt(minor), data.document.currency);
    const due = data.document.status === 'uncollectible' ? 'bad_debt' : 'receivables';
    const legs = [
      ...leg(due, 'credit_notes', money(data.amount), idOf(event)),
      ...leg(due, 'payment_differences', money(data.amount_waived), idOf(event)),
    ];
    this.book(tx, event, 'credit_note.voided', legs, data.credit_note_id);
  }

  /** @param about the public id of the document that the fact is; of the event's when absent */
  private book(tx: Tx, event: Event, fact: LedgerFact, legs: readonly Leg[], about?: string): void {
    const { document, issue_date } = event.data as DocumentData;
    const isIssue = ISSUES.has(event.type);
    this.ledger.insert(tx, {
      accountId: event.accountId,
      fact,
      factId: about === undefined ? idOf(event) : (uuidOf('doc', about) ?? ''),
      customerId: uuidOf('cus', document.customer_id) ?? null,
      effective: (isIssue ? issue_date : null) ?? event.occurredAt,
      recordedAt: event.occurredAt,
      legs,
    });
  }
}

/** These say the day for which they count. */
const ISSUES = new Set(['document.issued', 'credit_note.issued', 'document.credited']);

function idOf({ document }: Event): string {
  return document?.id ?? '';
}

function figuresOf({ document, figures }: DocumentData): Figures {
  const money = (minor: number) => Money.of(BigInt(minor), document.currency);
  return {
    net: money(figures.net_total),
    tax: money(figures.tax_total),
    rounding: money(figures.rounding),
  };
}

/** What was asked for is not; where it was given up before, that first. */
function voidLegs(data: DocumentData, id: string): Leg[] {
  const { currency, total } = data.document;
  const wasWrittenOff = data.previous_status === 'uncollectible';
  return [
    ...(wasWrittenOff ? leg('receivables', 'bad_debt', Money.of(BigInt(total), currency), id) : []),
    ...mirrored(invoiceLegs(figuresOf(data), id)),
  ];
}

function noteLegs(event: Event): Leg[] {
  const data = event.data as DocumentData;
  const { currency, customer_credit } = data.document;
  const credit = Money.of(BigInt(customer_credit ?? 0), currency);
  return creditNoteLegs(figuresOf(data), credit, idOf(event));
}

/** What came off the invoice, on the day of the rest of the entry. */
function appliedLegs(event: Event): Leg[] {
  const { currency, amount_applied, origin } = (event.data as DocumentData).document;
  const applied = Money.of(BigInt(amount_applied ?? 0), currency);
  return leg('credit_notes', 'receivables', applied, uuidOf('doc', origin?.id ?? ''));
}
