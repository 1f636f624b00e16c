import { Injectable } from '@nestjs/common';
import { OPERATOR } from '../../kernel/actor.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { dueDateStep } from '../domain/due-date.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import { type ComingDueDate, DueDatesRepository } from '../infrastructure/due-dates.repository.js';
import { DocumentWriter } from './document-writer.js';

/**
 * Tells that a document is due soon, overdue or expired, each once (decision 261): it is looked at
 * again under the lock of the document, as a payment does.
 */
@Injectable()
export class DueDateTelling {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly dueDates: DueDatesRepository,
    private readonly writer: DocumentWriter,
  ) {}

  /** @returns whether there was something to tell */
  async tell(coming: ComingDueDate): Promise<boolean> {
    return this.uow.run(async (tx) => {
      const document = await this.documents.getForUpdate(tx, coming.accountId, coming.id);
      const told = await this.dueDates.told(tx, coming, document.now);
      if (!told) return false;
      const { type, next } = dueDateStep(document, told);
      this.dueDates.lookAgain(tx, coming, next);
      const { dueDate } = document.state;
      if (type === null || dueDate === null) return false;
      const from = type === 'document.expired' ? { from: 'open' as const } : {};
      this.writer.save(tx, document, OPERATOR, [{ type, data: { due_date: dueDate }, ...from }]);
      return true;
    });
  }
}
