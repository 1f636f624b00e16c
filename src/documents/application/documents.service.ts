import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import { type Event, EventLog, type EventType } from '../../events/index.js';
import { Clock, dateIn, type IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import { DomainError } from '../../kernel/domain-error.js';
import { IdGenerator, publicId, type Uuid } from '../../kernel/ids.js';
import { type CommitGuard, type Tx, UnitOfWork } from '../../platform/database/unit-of-work.js';
import { calculate, type LineRequest } from '../domain/calculation.js';
import { Document, documentNotFound } from '../domain/document.js';
import type { DocumentContent, DocumentView } from '../domain/document-view.js';
import type { DocumentKind } from '../domain/lifecycle.js';
import { type Buyer, sellerOf } from '../domain/party.js';
import { CustomerRepository } from '../infrastructure/customer.repository.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import { DocumentsQuery, documentView } from '../infrastructure/documents.query.js';
import {
  NumberSeriesRepository,
  type TakenNumber,
} from '../infrastructure/number-series.repository.js';

export interface NewDocument {
  kind: DocumentKind;
  currency?: Currency;
  customer?: Buyer;
  customerId?: Uuid;
  lines: LineRequest[];
  issueDate: IsoDate | null;
  dueDate: IsoDate | null;
  paymentTermsDays: number | null;
  purchaseOrder: string | null;
  notes: string | null;
  metadata: Record<string, string>;
  issue: boolean;
}

type Guard = CommitGuard<DocumentView>;

const DEFAULT_TERMS_DAYS = 30;

/** Create, issue, void and reject documents: load, decide, write once. */
@Injectable()
export class Documents {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: DocumentRepository,
    private readonly query: DocumentsQuery,
    private readonly numbers: NumberSeriesRepository,
    private readonly customers: CustomerRepository,
    private readonly accounts: Accounts,
    private readonly events: EventLog,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError for wrong lines, `unknown_customer`, `due_before_issue` */
  async create(accountId: Uuid, request: NewDocument, guard?: Guard): Promise<DocumentView> {
    const account = await this.accounts.find(accountId);
    const now = this.clock.now();
    const today = dateIn(account.timeZone, now);
    const currency = request.currency ?? account.currency;
    const { total, ...calculation } = calculate(request.lines, currency);
    return this.uow.run(async (tx) => {
      const customer = await this.customerOf(tx, accountId, request, now);
      const content: DocumentContent = {
        ...calculation,
        seller: sellerOf(account.seller),
        customer: customer.profile,
        purchaseOrder: request.purchaseOrder,
        notes: request.notes,
        metadata: request.metadata,
      };
      const document = Document.draft({
        accountId,
        id: this.ids.next(),
        kind: request.kind,
        currency,
        customerId: customer.id,
        issueDate: request.issueDate,
        dueDate: request.dueDate,
        paymentTermsDays: request.paymentTermsDays,
        total,
        createdAt: now,
      });
      const taken = request.issue
        ? await this.takeNumberAndIssue(tx, document, today, now)
        : undefined;
      const events = this.eventsOf(document);
      this.repository.insert(tx, document, content, taken);
      this.events.append(tx, events);
      return documentView(document, content, today);
    }, guard);
  }

  /** @throws DomainError `document_not_found`, `document_not_draft` */
  async issue(accountId: Uuid, id: Uuid, guard?: Guard): Promise<DocumentView> {
    const { seller } = await this.accounts.find(accountId);
    return this.change(
      accountId,
      id,
      async (tx, document, loaded, today, now) => {
        const taken = await this.takeNumberAndIssue(tx, document, today, now);
        const customer = await this.customers.find(tx, accountId, document.state.customerId);
        Object.assign(loaded, {
          seller: sellerOf(seller),
          customer: customer?.profile ?? loaded.customer,
        });
        const events = this.eventsOf(document);
        this.repository.updateIssued(tx, document, loaded, taken);
        this.events.append(tx, events);
      },
      guard,
    );
  }

  /** @throws DomainError `document_not_found`, `document_not_voidable` */
  async void(accountId: Uuid, id: Uuid, guard?: Guard): Promise<DocumentView> {
    return this.change(
      accountId,
      id,
      async (tx, document, _loaded, _today, now) => {
        document.void(now);
        this.save(tx, document);
      },
      guard,
    );
  }

  /** The client's answer through the portal. @throws DomainError `document_not_rejectable` */
  async reject(accountId: Uuid, id: Uuid, reason: string): Promise<void> {
    await this.answer(accountId, id, (document) => document.reject(reason, this.clock.now()));
  }

  /** The same for a quote. @throws DomainError `document_not_acceptable` */
  async accept(accountId: Uuid, id: Uuid): Promise<void> {
    await this.answer(accountId, id, (document) => document.accept(this.clock.now()));
  }

  async find(accountId: Uuid, id: Uuid): Promise<DocumentView> {
    const view = await this.query.find(accountId, id);
    if (!view) throw documentNotFound();
    return view;
  }

  /** For what hangs on a document, without reading all of it. @throws `document_not_found` */
  async assertExists(accountId: Uuid, id: Uuid): Promise<void> {
    if ((await this.query.currencyOf(accountId, id)) === undefined) throw documentNotFound();
  }

  /**
   * Writes a changed document and what happened to it. The row must be locked.
   * @param first events of another module that led to the change, such as `payment.recorded`
   */
  save(tx: Tx, document: Document, first: { type: EventType; data: object }[] = []): void {
    const events = this.eventsOf(document, first);
    if (events.length === 0) return;
    if (document.hasMoved) this.repository.updateLifecycle(tx, document);
    else this.repository.updateSums(tx, document);
    this.events.append(tx, events);
  }

  private async answer(
    accountId: Uuid,
    id: Uuid,
    decide: (document: Document) => void,
  ): Promise<void> {
    await this.uow.run(async (tx) => {
      const document = await this.repository.getForUpdate(tx, accountId, id);
      decide(document);
      this.save(tx, document);
    });
  }

  private async change(
    accountId: Uuid,
    id: Uuid,
    decide: (
      tx: Tx,
      document: Document,
      content: DocumentContent,
      today: IsoDate,
      now: Date,
    ) => Promise<void>,
    guard?: Guard,
  ): Promise<DocumentView> {
    return this.uow.run(async (tx) => {
      const [document, loaded] = await Promise.all([
        this.repository.getForUpdate(tx, accountId, id),
        this.query.content(tx, accountId, id),
      ]);
      if (!loaded) throw documentNotFound();
      const now = this.clock.now();
      const today = dateIn(loaded.timeZone, now);
      await decide(tx, document, loaded.content, today, now);
      return documentView(document, loaded.content, today);
    }, guard);
  }

  private async takeNumberAndIssue(
    tx: Tx,
    document: Document,
    today: IsoDate,
    now: Date,
  ): Promise<TakenNumber> {
    document.assertIssuable(today);
    const { accountId, kind, issueDate } = document.state;
    const wish = { kind, series: null, issueDate: issueDate ?? today };
    const taken = await this.numbers.take(tx, accountId, wish);
    document.issue(taken.number, today, DEFAULT_TERMS_DAYS, now);
    return taken;
  }

  private async customerOf(tx: Tx, accountId: Uuid, request: NewDocument, now: Date) {
    if (request.customerId) {
      const found = await this.customers.find(tx, accountId, request.customerId);
      if (found) return found;
      throw DomainError.invalid(
        'unknown_customer',
        '/customer_id',
        'There is no such customer; send customer to make one.',
      );
    }
    if (!request.customer) {
      throw DomainError.invalid('required', '/customer', 'Send customer or customer_id.');
    }
    const customer = { id: this.ids.next(), profile: request.customer };
    this.customers.insert(tx, accountId, customer, now);
    return customer;
  }

  private eventsOf(document: Document, first: { type: EventType; data: object }[] = []): Event[] {
    const { accountId, id } = document.state;
    const occurredAt = this.clock.now();
    const shown = snapshot(document);
    const led = first.map(({ type, data }) => ({ type, sequence: document.nextSequence(), data }));
    const facts = document.takeFacts().map((fact) => ({ ...fact, data: {} }));
    return [...led, ...facts].map(({ type, sequence, data }) => ({
      accountId,
      type,
      document: { id, sequence },
      data: { document: shown, ...data },
      occurredAt,
    }));
  }
}

/** What an event says of a document: enough to act on, nothing that may be looked up. */
function snapshot(document: Document) {
  const { state } = document;
  return {
    id: publicId('doc', state.id),
    kind: state.kind,
    number: state.number,
    status: document.status,
    currency: state.currency,
    total: state.total.toMinorNumber(),
    amount_paid: state.amountPaid.toMinorNumber(),
    amount_due: document.amountDue.toMinorNumber(),
    version: state.version,
    ...(state.rejection && { rejection_reason: state.rejection.reason }),
  };
}
