import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../auth/index.js';
import { addDays, dateIn, type IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { type DunningStep, type DunningTerms, kindOf, stepsFor } from '../domain/dunning-plan.js';
import {
  type DunnedMoney,
  heldBy,
  type KeptState,
  type NextStep,
  nextDunningStep,
} from '../domain/next-step.js';
import type { Reminder } from '../domain/reminder.js';
import {
  type DunnedCustomer,
  DunnedDocumentsQuery,
  type OwedInvoice,
} from '../infrastructure/dunned-documents.query.js';
import type { DueDocument } from '../infrastructure/due-dunning.query.js';
import { DunningPlanRepository } from '../infrastructure/dunning-plan.repository.js';
import { DunningStateRepository } from '../infrastructure/dunning-state.repository.js';
import { DunningFacts } from './dunning-facts.js';

/** An invoice with how far it is, and its next step. */
export interface Debt {
  invoice: OwedInvoice & { dueDate: IsoDate };
  state: KeptState;
  money: DunnedMoney;
  next: NextStep;
}

/** All that a letter about a document may be about. */
export interface Debts {
  account: AccountRow;
  debtor: DunnedCustomer;
  terms: DunningTerms;
  steps: DunningStep[];
  today: IsoDate;
  /** Of those that were looked at: the document, or all of its customer. The oldest first. */
  all: Debt[];
}

/** Looks at what is owed, and says when each document is looked at again. */
@Injectable()
export class DunningDebts {
  constructor(
    private readonly plans: DunningPlanRepository,
    private readonly states: DunningStateRepository,
    private readonly query: DunnedDocumentsQuery,
    private readonly facts: DunningFacts,
  ) {}

  /** Undefined: another process is at that customer. */
  async take(tx: Tx, account: AccountRow, due: DueDocument): Promise<Debts | undefined> {
    const { accountId, documentId, customerId, currency } = due;
    const debtor = await this.query.takeFree(tx, accountId, customerId, currency);
    if (!debtor) return undefined;
    const { terms } = await this.plans.within(tx, accountId);
    const invoices = await this.query.ofCustomer(tx, accountId, customerId, currency);
    const isTogether = terms.letters_by === 'customer';
    const looked = invoices.filter(({ id }) => isTogether || id === documentId);
    const ids = new Set([documentId, ...looked.map(({ id }) => id)]);
    const states = await this.states.getForUpdate(tx, accountId, [...ids]);
    const today = dateIn(account.timeZone, tx.now());
    const steps = stepsFor(terms, kindOf(debtor.kind));
    const debts: Debts = { account, debtor, terms, steps, today, all: [] };
    const money = this.facts.moneyOf(invoices, debtor.credit);
    for (const invoice of looked) {
      const { dueDate } = invoice;
      const state = states.get(invoice.id);
      const held = money.get(invoice.id);
      if (dueDate === null || !state || !held) continue;
      const judge = (debitOn: IsoDate | null) =>
        nextDunningStep(
          { dueDate, state, money: { ...held, debitOn } },
          steps,
          terms.due_from,
          today,
        );
      let next = judge(null);
      // It is looked for last, as it takes most.
      if (next.why === null) next = judge(await this.facts.debitOn(tx, accountId, invoice, today));
      debts.all.push({ invoice: { ...invoice, dueDate }, state, money: held, next });
    }
    for (const { state, next } of debts.all) this.wait(tx, accountId, state, next);
    const own = states.get(documentId);
    if (own && !debts.all.some(({ invoice }) => invoice.id === documentId)) {
      this.wait(tx, accountId, own, { why: 'settled', until: null });
    }
    return debts;
  }

  /**
   * All that one letter asks for: overdue, also where its own step comes later. One that is held back
   * would have the letter overtaken before it leaves.
   */
  async late(tx: Tx, { account, all, today }: Debts): Promise<Debt[]> {
    const late: Debt[] = [];
    for (const debt of all.filter(({ invoice }) => invoice.dueDate < today)) {
      const { invoice, state, money, next } = debt;
      const isWithoutStep = next.why === 'not_yet' || next.why === 'no_step_left';
      const isListed = isWithoutStep
        ? !(await this.isHeld(tx, account.accountId, invoice, state, money, today))
        : next.why === null;
      if (isListed) late.push(debt);
    }
    return late;
  }

  /** Whether a letter would still ask for the same, and nothing holds a document of it back. */
  async isAsStated(tx: Tx, reminder: Reminder, today: IsoDate): Promise<boolean> {
    const { accountId, customerId, currency, documents } = reminder;
    const { credit } = await this.query.debtor(tx, accountId, customerId, currency);
    const invoices = await this.query.ofCustomer(tx, accountId, customerId, currency);
    const money = this.facts.moneyOf(invoices, credit);
    for (const { documentId, asked } of documents) {
      const invoice = invoices.find(({ id }) => id === documentId);
      const found = money.get(documentId);
      if (!invoice || found?.asked !== asked) return false;
      const state = await this.states.find(tx, accountId, documentId);
      if (await this.isHeld(tx, accountId, invoice, state, found, today)) return false;
    }
    return true;
  }

  /** Whether anything but a letter holds a document back, a debit that is planned among it. */
  private async isHeld(
    tx: Tx,
    accountId: Uuid,
    invoice: OwedInvoice,
    state: KeptState,
    money: DunnedMoney,
    today: IsoDate,
  ): Promise<boolean> {
    const debitOn = await this.facts.debitOn(tx, accountId, invoice, today);
    return heldBy(state, { ...money, debitOn, letter: null }, today) !== null;
  }

  /** The letter of its step is made. */
  reminded(
    tx: Tx,
    accountId: Uuid,
    { state }: Debt,
    { level, step }: NextStep & { why: null },
    today: IsoDate,
  ): void {
    this.states.save(tx, accountId, {
      ...state,
      level,
      lastOn: today,
      lastDays: step.days,
      nextOn: addDays(today, 1),
      waitsFor: 'letter_on_its_way',
    });
  }

  private wait(tx: Tx, accountId: Uuid, state: KeptState, next: NextStep): void {
    if (next.why === null) return;
    this.states.save(tx, accountId, { ...state, nextOn: next.until, waitsFor: next.why });
  }
}
