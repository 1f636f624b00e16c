import { Injectable } from '@nestjs/common';
import { DueWork } from '../../clocks/index.js';
import { Clock } from '../../kernel/clock.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type Job, Jobs } from '../../platform/jobs.js';
import { dueDateStep } from '../domain/due-date.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import { type ComingDueDate, DueDatesRepository } from '../infrastructure/due-dates.repository.js';
import { DocumentWriter } from './document-writer.js';

const AT_ONCE = 200;
const BY_TIME = { type: 'operator', id: null } as const;

/**
 * Tells that documents are due soon, overdue or expired, each once (decision 261). Any number of
 * processes may do it: each looks again under the lock of the document, as a payment does.
 */
@Injectable()
export class DueDates {
  private readonly job: Job;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly dueDates: DueDatesRepository,
    private readonly writer: DocumentWriter,
    private readonly clock: Clock,
    { dueDateSeconds }: Config,
    private readonly dueWork: DueWork,
    jobs: Jobs,
  ) {
    const everyMs = dueDateSeconds * 1000;
    this.job = jobs.every(everyMs, 'a due date was not told; the next round does it', () =>
      this.run(),
    );
    dueWork.add('due_dates', (accountId) => this.round(accountId));
  }

  /** @returns how many events it wrote */
  async run(): Promise<number> {
    return this.dueWork.ofAll('due_dates');
  }

  private async round(accountId: Uuid | null): Promise<number> {
    let told = 0;
    for (let more = true; more && !this.job.isStopping;) {
      const coming = await this.dueDates.due(this.clock.now(), AT_ONCE, accountId);
      let failed = 0;
      for (const one of coming) {
        if (this.job.isStopping) break;
        try {
          if (await this.tell(one)) told += 1;
        } catch (error) {
          failed += 1;
          this.job.failed(error, { document: publicId('doc', one.id) });
        }
      }
      more = coming.length === AT_ONCE && failed < AT_ONCE;
    }
    return told;
  }

  private async tell(coming: ComingDueDate): Promise<boolean> {
    return this.uow.run(async (tx) => {
      const document = await this.documents.getForUpdate(tx, coming.accountId, coming.id);
      const told = await this.dueDates.told(tx, coming, document.now);
      if (!told) return false;
      const { type, next } = dueDateStep(document, told);
      this.dueDates.lookAgain(tx, coming, next);
      const { dueDate } = document.state;
      if (type === null || dueDate === null) return false;
      const from = type === 'document.expired' ? { from: 'open' as const } : {};
      this.writer.save(tx, document, BY_TIME, [{ type, data: { due_date: dueDate }, ...from }]);
      return true;
    });
  }
}
