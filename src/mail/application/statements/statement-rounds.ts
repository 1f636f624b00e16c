import { Injectable } from '@nestjs/common';
import { CustomerStatementQuery } from '../../../books/index.js';
import { DueWork } from '../../../clocks/index.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { MailSender } from '../../domain/mail-sender.js';
import { daysOfMonth, factOfMonth } from '../../domain/stated-month.js';
import {
  type StatedCustomer,
  StatementProgressRepository,
} from '../../infrastructure/statement-progress.repository.js';
import { MessageOutcomes } from '../message-outcomes.js';

const MOST_ACCOUNTS = 100;
/** Of one account in one round. */
const MOST_CUSTOMERS = 200;

/**
 * Statements of account: one for each customer and month. An account goes on where it was, so that all
 * have their turn, and nobody is looked at twice.
 */
@Injectable()
export class StatementRounds {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly progress: StatementProgressRepository,
    private readonly statements: CustomerStatementQuery,
    private readonly messages: MessageOutcomes,
    private readonly sender: MailSender,
    dueWork: DueWork,
  ) {
    dueWork.add('statements', (accountId, now) => this.round(accountId, now));
  }

  private async round(accountId: Uuid | null, now: Date): Promise<number> {
    if (!this.sender.isConfigured) return 0;
    let count = 0;
    for (const id of await this.progress.dueAccounts(accountId, now, MOST_ACCOUNTS)) {
      count += await this.uow.run((tx) => this.some(tx, id));
    }
    return count;
  }

  /** The next customers of an account. */
  private async some(tx: Tx, accountId: Uuid): Promise<number> {
    const standing = await this.progress.take(tx, accountId, tx.now());
    if (!standing) return 0;
    const { month, after } = standing;
    const customers = await this.progress.customers(tx, accountId, after, MOST_CUSTOMERS);
    const ids = customers.map(({ id }) => id);
    const wanted = await this.statements.withStatements(tx, accountId, ids, daysOfMonth(month));
    const readers = customers.filter(({ id }) => wanted.has(id));
    for (const one of readers) await this.queue(tx, accountId, month, one);
    const last = customers.length < MOST_CUSTOMERS ? null : (ids.at(-1) ?? null);
    this.progress.save(tx, accountId, { month, after: last });
    return readers.length;
  }

  private async queue(
    tx: Tx,
    accountId: Uuid,
    month: string,
    { id, email }: StatedCustomer,
  ): Promise<void> {
    const change = { customer: publicId('cus', id), month };
    await this.messages.begin(tx, email, {
      accountId,
      documentId: null,
      kind: 'statement',
      fact: factOfMonth(change),
      change,
    });
  }
}
