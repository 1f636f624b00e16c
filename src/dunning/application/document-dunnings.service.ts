import { Injectable } from '@nestjs/common';
import { Accounts, AuditedWork } from '../../auth/index.js';
import { DocumentRefusal } from '../../documents/index.js';
import { EventLog } from '../../events/index.js';
import type { By } from '../../kernel/actor.js';
import { addDays, dateIn } from '../../kernel/clock.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../kernel/versions.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DunningRefusal } from '../domain/dunning-refusals.js';
import { kindOf, stepsFor } from '../domain/dunning-plan.js';
import { type KeptState, nextDunningStep, stepAfter } from '../domain/next-step.js';
import {
  DunnedDocumentsQuery,
  type InvoiceOfCustomer,
} from '../infrastructure/dunned-documents.query.js';
import { DunningPlanRepository } from '../infrastructure/dunning-plan.repository.js';
import { DunningStateRepository } from '../infrastructure/dunning-state.repository.js';
import {
  type DocumentDunning,
  type PatchDocumentDunningRequest,
  saidOfDunning,
  toSaid,
} from '../wire/document-dunning.js';
import { reminderHeld } from '../wire/reminder-events.js';
import { DunningFacts } from './dunning-facts.js';

const MOST_DAYS_AHEAD = 366;

/** How far the reminders of a document are, why none is sent, and what a person says of that. */
@Injectable()
export class DocumentDunnings {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audited: AuditedWork,
    private readonly accounts: Accounts,
    private readonly plans: DunningPlanRepository,
    private readonly states: DunningStateRepository,
    private readonly query: DunnedDocumentsQuery,
    private readonly facts: DunningFacts,
    private readonly events: EventLog,
  ) {}

  /** @throws DomainError `document_not_found`, `document_not_dunned` */
  async find(accountId: Uuid, documentId: Uuid): Promise<DocumentDunning> {
    const invoice = await this.dunned(accountId, documentId);
    return this.uow.run(async (tx) =>
      this.told(tx, accountId, invoice, await this.states.find(tx, accountId, documentId)),
    );
  }

  /** @throws DomainError as `find`, `promise_out_of_reach` */
  async say(
    by: By,
    documentId: Uuid,
    wish: PatchDocumentDunningRequest,
    expected: ExpectedVersions,
    guard?: CommitGuard<DocumentDunning>,
  ): Promise<DocumentDunning> {
    const { timeZone } = await this.accounts.find(by.accountId);
    return this.audited.run(by, guard, async ({ tx, accountId, record }) => {
      const invoice = await this.dunned(accountId, documentId);
      const found = await this.states.getForUpdate(tx, accountId, [documentId]);
      const before = found.get(documentId)!;
      assertVersion(expected, before.version);
      const today = dateIn(timeZone, tx.now());
      const { promised_until: until } = wish;
      if (until != null && (until < today || until > addDays(today, MOST_DAYS_AHEAD))) {
        throw DunningRefusal.promise_out_of_reach.at('/promised_until');
      }
      const said = toSaid(wish, before);
      const after = { ...before, ...said, nextOn: today, version: before.version + 1 };
      this.states.save(tx, accountId, after);
      record({
        action: 'document.dunning_changed',
        subject: publicId('doc', documentId),
        before: saidOfDunning(before),
        after: saidOfDunning(after),
      });
      this.events.tell(tx, by, 'reminder.held', reminderHeld(after));
      return this.told(tx, accountId, invoice, after);
    });
  }

  private async told(
    tx: Tx,
    accountId: Uuid,
    invoice: InvoiceOfCustomer,
    state: KeptState,
  ): Promise<DocumentDunning> {
    const { id: documentId, customerId, currency, dueDate } = invoice;
    const account = await this.accounts.findWithin(tx, accountId);
    const today = dateIn(account.timeZone, tx.now());
    const { terms } = await this.plans.within(tx, accountId);
    const { kind, credit } = await this.query.debtor(tx, accountId, customerId, currency);
    const invoices = await this.query.ofCustomer(tx, accountId, customerId, currency);
    const money = this.facts.moneyOf(invoices, credit).get(documentId);
    const answer = { state, documentId: publicId('doc', documentId) };
    const none = { ...answer, nextStep: null, nextOn: null };
    if (!money || dueDate === null) return { ...none, why: 'settled' };
    const steps = stepsFor(terms, kindOf(kind));
    const debitOn = await this.facts.debitOn(tx, accountId, invoice, today);
    const document = { dueDate, state, money: { ...money, debitOn } };
    const { why } = nextDunningStep(document, steps, terms.due_from, today);
    const next = why === 'due_before_plan' ? null : stepAfter(state, steps, dueDate, today);
    return next ? { ...answer, nextStep: next.level, nextOn: next.on, why } : { ...none, why };
  }

  private async dunned(accountId: Uuid, documentId: Uuid): Promise<InvoiceOfCustomer> {
    const found = await this.query.find(accountId, documentId);
    if (!found) throw DocumentRefusal.document_not_found.of();
    if (found.number === null || !found.isInvoice) throw DunningRefusal.document_not_dunned.of();
    return found;
  }
}
