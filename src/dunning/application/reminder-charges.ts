import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/database/tx.js';
import { chargesOf, type ChargedDocument } from '../domain/charging.js';
import { type DunningStep, kindOf } from '../domain/dunning-plan.js';
import type { Charge } from '../domain/reminder.js';
import { DunnedDocumentsQuery } from '../infrastructure/dunned-documents.query.js';
import type { DueDocument } from '../infrastructure/due-dunning.query.js';
import type { Debt, Debts } from './dunning-debts.js';
import { countryOf } from './dunning-plans.service.js';

/** Fees, interest and lump sums of a letter. */
@Injectable()
export class ReminderCharges {
  constructor(private readonly query: DunnedDocumentsQuery) {}

  /** @param going documents whose step it is, each with its own */
  async of(
    tx: Tx,
    { accountId, customerId, currency }: DueDocument,
    { account, debtor, terms, today }: Debts,
    step: DunningStep,
    going: readonly { debt: Debt; step: DunningStep }[],
  ): Promise<Charge[]> {
    const documents: ChargedDocument[] = [];
    for (const { debt, step: own } of going) {
      const { id, dueDate, undecided } = debt.invoice;
      const before = await this.query.chargedBefore(tx, accountId, id);
      const owed = own.interest ? await this.query.owedByDay(tx, accountId, customerId, id) : [];
      // Nobody says that this is owed, so it bears no interest.
      const decided = owed.map(({ from, amount }) => ({ from, amount: amount - undecided }));
      documents.push({ documentId: id, dueDate, step: own, owed: decided, ...before });
    }
    const country = countryOf(account, terms);
    const letter = { terms, country, kind: kindOf(debtor.kind), currency, today, step };
    return chargesOf(documents, letter).map((charge) => ({
      ...charge,
      id: tx.newId(),
      status: 'proposed',
      billedBy: null,
    }));
  }
}
