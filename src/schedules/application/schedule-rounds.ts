import { Injectable } from '@nestjs/common';
import { DueWork } from '../../clocks/index.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { HeldWork } from '../../platform/held-work.js';
import { type Job, Jobs } from '../../platform/jobs.js';
import {
  BEFORE_ALL,
  type DueSchedule,
  DueSchedulesQuery,
} from '../infrastructure/due-schedules.query.js';
import { DuePeriods } from './due-periods.js';

const AT_ONCE = 1000;
/** Documents wait for PostgreSQL and for the processor in turn. */
const TOGETHER = 2;

/** Looks for periods whose day has come, and for reviews that are over. Any number of processes may. */
@Injectable()
export class ScheduleRounds {
  private readonly job: Job;

  constructor(
    private readonly query: DueSchedulesQuery,
    private readonly due: DuePeriods,
    private readonly dueWork: DueWork,
    private readonly held: HeldWork,
    jobs: Jobs,
  ) {
    const failure = 'a period of a schedule was not made; the next round does it';
    this.job = jobs.every(
      ({ dueDateSeconds }) => dueDateSeconds * 1000,
      failure,
      () => this.run(),
      { name: 'schedules' },
    );
    dueWork.add('schedules', (accountId, now) => this.round(accountId, now));
  }

  /** @returns how many periods had their day */
  async run(): Promise<number> {
    // A restored database would repeat what was sent since: the operator says when it goes on.
    return (await this.held.isHeld('schedules')) ? 0 : this.dueWork.ofAll('schedules');
  }

  private async round(accountId: Uuid | null, now: Date): Promise<number> {
    return (await this.issue(accountId, now)) + (await this.make(accountId, now));
  }

  private async make(accountId: Uuid | null, now: Date): Promise<number> {
    let count = 0;
    let after: DueSchedule | undefined = BEFORE_ALL;
    while (after && !this.job.isStopping) {
      const found: DueSchedule[] = await this.query.due(now, accountId, after, AT_ONCE);
      count += await this.each(found, (one) => this.allOf(one));
      after = found.length === AT_ONCE ? found.at(-1) : undefined;
    }
    return count;
  }

  /** One after the other, as each decides on the schedule that the one before has left. */
  private async allOf({ accountId, id }: DueSchedule): Promise<number> {
    let count = 0;
    try {
      while (!this.job.isStopping) {
        const had = await this.due.next(accountId, id);
        if (had) count += 1;
        if (!had?.isMore) break;
      }
    } catch (error) {
      this.job.failed(error, { schedule: publicId('sch', id) });
    }
    return count;
  }

  private async issue(accountId: Uuid | null, now: Date): Promise<number> {
    let count = 0;
    let isMore = true;
    while (isMore && !this.job.isStopping) {
      const found = await this.query.reviewed(now, accountId, AT_ONCE);
      const issued = await this.each(found, async (one) => {
        try {
          return (await this.due.issue(one)) ? 1 : 0;
        } catch (error) {
          this.job.failed(error, { schedule: publicId('sch', one.scheduleId) });
          return 0;
        }
      });
      count += issued;
      isMore = found.length === AT_ONCE && issued > 0;
    }
    return count;
  }

  private async each<Item>(items: Item[], work: (item: Item) => Promise<number>): Promise<number> {
    let count = 0;
    const left = items[Symbol.iterator]();
    const lane = async () => {
      for (const item of left) {
        const done = await work(item);
        count += done;
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, lane));
    return count;
  }
}
