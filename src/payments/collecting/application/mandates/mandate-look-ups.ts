import { Injectable } from '@nestjs/common';
import { OPERATOR } from '../../../../kernel/actor.js';
import { Clock } from '../../../../kernel/clock.js';
import { publicId } from '../../../../kernel/ids.js';
import type { Config } from '../../../../platform/config/config.js';
import { type Job, Jobs } from '../../../../platform/jobs.js';
import { endedMandate, type Mandate } from '../../domain/mandates/mandate.js';
import type { MandateStatus } from '../../../port/domain/mandates/mandate-status.js';
import { MandateRepository } from '../../infrastructure/mandates/mandate.repository.js';
import { MandateCalls } from './mandate-calls.js';
import { MandateReports } from './mandate-reports.service.js';

const AT_ONCE = 50;
const ROUNDS = 4;
/** Longer than the calls of a look-up may take; also how long one that fails waits. */
const AGAIN_MS = 600_000;
/** Longer than a page lives where a mandate is given. */
const MOST_PENDING_MS = 30 * 86_400_000;

const roundMs = ({ checkoutLookUpSeconds }: Config) => (checkoutLookUpSeconds * 1000) / ROUNDS;

/** Asks providers how mandates stand, in case an event never comes. Any number of processes may. */
@Injectable()
export class MandateLookUps {
  private readonly job: Job;

  constructor(
    private readonly mandates: MandateRepository,
    private readonly calls: MandateCalls,
    private readonly reports: MandateReports,
    private readonly clock: Clock,
    jobs: Jobs,
  ) {
    this.job = jobs.every(roundMs, 'mandates could not be looked up', () => this.run(), {
      name: 'mandates',
    });
  }

  /** @returns how many were asked about */
  async run(): Promise<number> {
    const now = this.clock.serverNow();
    const again = new Date(now.getTime() + AGAIN_MS);
    return this.job.workOff(
      AT_ONCE,
      () => this.mandates.takeDue(now, again),
      (mandate) => this.clock.inTimeOf(mandate.accountId, () => this.look(mandate)),
      ({ id }) => ({ mandate: publicId('mand', id) }),
    );
  }

  private async look(mandate: Mandate): Promise<void> {
    const { status, providerRequestId, providerMandateId, createdAt } = mandate;
    // Its maker has died, and nobody has its page.
    if (providerRequestId === null && providerMandateId === null) {
      return this.end(mandate, 'failed', 'not_set_up');
    }
    const report = await this.calls.lookUp(mandate);
    if (report) {
      await this.reports.answered(mandate, report);
      return;
    }
    const waited = this.clock.now().getTime() - createdAt.getTime();
    if (status !== 'pending' || waited < MOST_PENDING_MS) return this.end(mandate, null, null);
    await this.calls.cancel(mandate);
    return this.end(mandate, 'expired', 'not_given');
  }

  /** @param status null: as it is, and looked up again when its time comes */
  private async end(
    mandate: Mandate,
    status: MandateStatus | null,
    failure: string | null,
  ): Promise<void> {
    await this.reports.change(mandate, OPERATOR, (tx, before) =>
      status !== null && before.status === 'pending'
        ? endedMandate(before, status, failure, tx.now())
        : before,
    );
  }
}
