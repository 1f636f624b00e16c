import { Injectable } from '@nestjs/common';
import { DueWork } from '../../clocks/index.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { type Job, Jobs } from '../../platform/jobs.js';
import { DueDatesRepository } from '../infrastructure/due-dates.repository.js';
import { DueDateTelling } from './due-date-telling.js';

const AT_ONCE = 200;

/** Looks for documents that are due soon, overdue or expired. Any number of processes may do it. */
@Injectable()
export class DueDates {
  private readonly job: Job;

  constructor(
    private readonly dueDates: DueDatesRepository,
    private readonly telling: DueDateTelling,
    private readonly dueWork: DueWork,
    jobs: Jobs,
  ) {
    const failure = 'a due date was not told; the next round does it';
    this.job = jobs.every(
      ({ dueDateSeconds }) => dueDateSeconds * 1000,
      failure,
      () => this.run(),
      { name: 'due dates' },
    );
    dueWork.add('due_dates', (accountId, now) => this.round(accountId, now));
  }

  /** @returns how many events it wrote */
  async run(): Promise<number> {
    return this.dueWork.ofAll('due_dates');
  }

  private async round(accountId: Uuid | null, now: Date): Promise<number> {
    let told = 0;
    for (let more = true; more && !this.job.isStopping;) {
      const coming = await this.dueDates.due(now, AT_ONCE, accountId);
      let failed = 0;
      for (const one of coming) {
        if (this.job.isStopping) break;
        try {
          if (await this.telling.tell(one)) told += 1;
        } catch (error) {
          failed += 1;
          this.job.failed(error, { document: publicId('doc', one.id) });
        }
      }
      more = coming.length === AT_ONCE && failed < AT_ONCE;
    }
    return told;
  }
}
