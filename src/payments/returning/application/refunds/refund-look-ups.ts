import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { publicId } from '../../../../kernel/ids.js';
import { Config } from '../../../../platform/config/config.js';
import { HeldWork } from '../../../../platform/held-work.js';
import { type Job, Jobs } from '../../../../platform/jobs.js';
import { RefundRepository } from '../../infrastructure/refund.repository.js';
import { RefundCalls } from './refund-calls.js';

const AT_ONCE = 20;
/** Longer than a look-up and sending again may take: three calls of ten seconds, and a token. */
const LEASE_MS = 60_000;
/** The rounds within the shortest time that a refund waits. */
const ROUNDS = 4;

/**
 * Asks providers what became of refunds that are unknown, on their way, or were left behind by a
 * process that died. Any number of processes may do it at the same time.
 */
@Injectable()
export class RefundLookUps {
  private readonly job: Job;

  constructor(
    private readonly refunds: RefundRepository,
    private readonly calls: RefundCalls,
    private readonly clock: Clock,
    private readonly held: HeldWork,
    config: Config,
    jobs: Jobs,
  ) {
    const everyMs = (config.refundLookUpSeconds * 1000) / ROUNDS;
    this.job = jobs.every(everyMs, 'refunds could not be looked up', () => this.run(), {
      name: 'refunds',
    });
  }

  /** @returns how many providers were asked */
  async run(): Promise<number> {
    // From the first round on, a restore is noticed before a refund is sent again.
    await this.held.isHeld('refunds');
    const now = this.clock.serverNow();
    const again = new Date(now.getTime() + LEASE_MS);
    return this.job.workOff(
      AT_ONCE,
      () => this.refunds.takeDue(now, again),
      (refund) => this.clock.inTimeOf(refund.accountId, () => this.calls.lookUp(refund)),
      ({ id }) => ({ refund: publicId('rfnd', id) }),
    );
  }
}
