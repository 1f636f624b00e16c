import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { publicId } from '../../../../kernel/ids.js';
import { Config } from '../../../../platform/config/config.js';
import { Log } from '../../../../platform/observability/log.js';
import { Rounds } from '../../../../platform/rounds.js';
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
export class RefundLookUps implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Rounds(
    () => this.run(),
    (error) => this.log.warn({ error }, 'refunds could not be looked up'),
  );

  constructor(
    private readonly refunds: RefundRepository,
    private readonly calls: RefundCalls,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.doesJobs) return;
    this.rounds.start((this.config.refundLookUpSeconds * 1000) / ROUNDS);
  }

  /** The look-up that is under way is awaited: its answer is money. */
  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
  }

  /** @returns how many providers were asked */
  async run(): Promise<number> {
    const now = this.clock.now();
    const again = new Date(now.getTime() + LEASE_MS);
    let asked = 0;
    // One at a time: what is not asked before we stop is found by the next process.
    while (asked < AT_ONCE && !this.rounds.isStopping) {
      const refund = await this.refunds.takeDue(now, again);
      if (!refund) break;
      asked += 1;
      try {
        await this.calls.lookUp(refund);
      } catch (error) {
        this.log.warn(
          { error, refund: publicId('rfnd', refund.id) },
          'a refund could not be looked up',
        );
      }
    }
    return asked;
  }
}
