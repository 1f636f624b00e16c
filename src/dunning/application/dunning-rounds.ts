import { Injectable } from '@nestjs/common';
import { DueWork } from '../../clocks/index.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { MailSender } from '../../mail/index.js';
import { HeldWork } from '../../platform/held-work.js';
import { type Job, Jobs } from '../../platform/jobs.js';
import { DueDunningQuery } from '../infrastructure/due-dunning.query.js';
import { ChargeBilling } from './charge-billing.js';
import { ReminderMaking } from './reminder-making.js';

const AT_ONCE = 1000;

/** Looks for documents whose step has come, and for charges to bill. Any number of processes may. */
@Injectable()
export class DunningRounds {
  private readonly job: Job;

  constructor(
    private readonly query: DueDunningQuery,
    private readonly making: ReminderMaking,
    private readonly billing: ChargeBilling,
    private readonly sender: MailSender,
    private readonly held: HeldWork,
    private readonly dueWork: DueWork,
    jobs: Jobs,
  ) {
    const failure = 'a reminder was not made; the next round does it';
    this.job = jobs.every(
      ({ dueDateSeconds }) => dueDateSeconds * 1000,
      failure,
      () => this.run(),
      { name: 'dunning' },
    );
    dueWork.add('dunning', (accountId, now) => this.round(accountId, now));
  }

  /** @returns how many letters and invoices were made */
  async run(): Promise<number> {
    // A restored database would repeat what was sent since: the operator says when it goes on.
    return (await this.held.isHeld('schedules')) ? 0 : this.dueWork.ofAll('dunning');
  }

  private async round(accountId: Uuid | null, now: Date): Promise<number> {
    const billed = await this.each(
      () => this.query.billable(now, accountId, AT_ONCE),
      (one) => this.billing.bill(one),
      ({ id }) => ({ reminder: publicId('rem', id) }),
    );
    // Without a mail server nobody would get a letter; documents wait where they are.
    if (!this.sender.isConfigured) return billed;
    const made = await this.each(
      () => this.query.due(now, accountId, AT_ONCE),
      (one) => this.making.consider(one),
      ({ documentId }) => ({ document: publicId('doc', documentId) }),
    );
    return billed + made;
  }

  /** Until nothing is found that was not looked at before: what another process is at waits. */
  private async each<Item>(
    find: () => Promise<Item[]>,
    work: (item: Item) => Promise<boolean>,
    nameOf: (item: Item) => Record<string, string>,
  ): Promise<number> {
    let count = 0;
    const seen = new Set<string>();
    for (let isMore = true; isMore && !this.job.isStopping;) {
      const found = (await find()).filter((one) => !seen.has(JSON.stringify(nameOf(one))));
      for (const one of found) seen.add(JSON.stringify(nameOf(one)));
      count += await this.job.each(found, work, nameOf);
      isMore = found.length > 0;
    }
    return count;
  }
}
