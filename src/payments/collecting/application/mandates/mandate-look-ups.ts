import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { publicId } from '../../../../kernel/ids.js';
import { Config } from '../../../../platform/config/config.js';
import { UnitOfWork } from '../../../../platform/database/unit-of-work.js';
import { Log } from '../../../../platform/observability/log.js';
import { Rounds } from '../../../../platform/rounds.js';
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

/** Asks providers how mandates stand, in case an event never comes. Any number of processes may. */
@Injectable()
export class MandateLookUps implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Rounds(
    () => this.run(),
    (error) => this.log.warn({ error }, 'mandates could not be looked up'),
  );

  constructor(
    private readonly mandates: MandateRepository,
    private readonly calls: MandateCalls,
    private readonly reports: MandateReports,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.doesJobs) return;
    this.rounds.start((this.config.checkoutLookUpSeconds * 1000) / ROUNDS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
  }

  /** @returns how many were asked about */
  async run(): Promise<number> {
    const now = this.clock.now();
    let asked = 0;
    while (asked < AT_ONCE && !this.rounds.isStopping) {
      const mandate = await this.mandates.takeDue(now, new Date(now.getTime() + AGAIN_MS));
      if (!mandate) break;
      asked += 1;
      try {
        await this.look(mandate);
      } catch (error) {
        this.log.warn(
          { error, mandate: publicId('mand', mandate.id) },
          'a mandate could not be looked up',
        );
      }
    }
    return asked;
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
    { accountId, id }: Mandate,
    status: MandateStatus | null,
    failure: string | null,
  ): Promise<void> {
    await this.uow.run(async (tx) => {
      const before = await this.mandates.getForUpdate(tx, accountId, id);
      const isEnding = status !== null && before.status === 'pending';
      const now = this.clock.now();
      const after = isEnding ? endedMandate(before, status, failure, now) : before;
      this.reports.save(tx, before, after, { type: 'operator', id: null });
    });
  }
}
