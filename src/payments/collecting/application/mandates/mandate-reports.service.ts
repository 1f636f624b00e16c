import { Injectable } from '@nestjs/common';
import { EventLog } from '../../../../events/index.js';
import type { Actor } from '../../../../kernel/actor.js';
import { Clock } from '../../../../kernel/clock.js';
import { uuidOf } from '../../../../kernel/ids.js';
import { Config } from '../../../../platform/config/config.js';
import type { CommitGuard, Tx } from '../../../../platform/database/tx.js';
import { UnitOfWork } from '../../../../platform/database/unit-of-work.js';
import type { Gateway } from '../../../port/domain/gateway.js';
import { isOver, type Mandate, toldMandate } from '../../domain/mandates/mandate.js';
import { nextMandateLook } from '../../domain/mandates/next-mandate-look.js';
import { presentMandate } from '../../wire/mandate.js';
import type { MandateReport } from '../../../port/domain/provider-report.js';
import type { WebhookOutcome } from '../../../port/domain/webhook-outcome.js';
import { MandateRepository } from '../../infrastructure/mandates/mandate.repository.js';
import { ProviderReportRepository } from '../../../port/infrastructure/provider-report.repository.js';

/** How one that is locked becomes another; null: it stays as it is. */
export type MandateChange = (tx: Tx, before: Mandate) => Mandate | null;

/** Writes how mandates stand, as their providers tell. */
@Injectable()
export class MandateReports {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly mandates: MandateRepository,
    private readonly reports: ProviderReportRepository,
    private readonly events: EventLog,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** An event of a provider. @throws InvalidSignature when the event id came with another body */
  async receive(gateway: Gateway, report: MandateReport): Promise<WebhookOutcome> {
    const id = report.mandateId === null ? undefined : uuidOf('mand', report.mandateId);
    return this.uow.run(async (tx) => {
      const mandate = id ? await this.mandates.findAnyForUpdate(tx, id) : undefined;
      if (mandate) this.clock.enter(mandate.accountId);
      const known = await this.reports.outcomeOf(tx, gateway.name, report);
      if (known) return known;
      const isOurs =
        mandate !== undefined &&
        mandate.gateway === gateway.name &&
        !(await this.mandates.holdCustomer(tx, mandate.accountId, mandate.customerId))?.erasedAt;
      if (isOurs) this.tell(tx, mandate, report);
      const outcome = isOurs ? 'ok' : 'ignored';
      this.reports.insertEvent(tx, gateway.name, report, outcome, tx.now());
      return outcome;
    });
  }

  /** The answer to a question of ours. */
  async answered({ accountId, id }: Mandate, report: MandateReport): Promise<Mandate> {
    return this.uow.run(async (tx) => {
      const mandate = await this.mandates.getForUpdate(tx, accountId, id);
      return this.tell(tx, mandate, report);
    });
  }

  /**
   * A mandate becomes another one, and is looked up again when its time comes.
   */
  async change(
    { accountId, id }: Pick<Mandate, 'accountId' | 'id'>,
    actor: Actor,
    to: MandateChange,
    guard?: CommitGuard<Mandate>,
  ): Promise<Mandate> {
    return this.uow.run(async (tx) => {
      const before = await this.mandates.getForUpdate(tx, accountId, id);
      const after = to(tx, before);
      return after ? this.save(tx, before, after, actor) : before;
    }, guard);
  }

  /** The same for one that is locked. */
  save(tx: Tx, before: Mandate, after: Mandate, actor: Actor): Mandate {
    const now = tx.now();
    const nextLookAt = nextMandateLook(after, now, this.config.checkoutLookUpSeconds);
    const saved = { ...after, nextLookAt: nextLookAt && this.clock.onServer(nextLookAt) };
    this.mandates.save(tx, saved);
    const type = before.status === after.status ? null : eventOf(after);
    if (type !== null) {
      const data = { mandate: presentMandate(saved) };
      const { accountId } = saved;
      this.events.append(tx, [{ accountId, type, actor, document: null, data, occurredAt: now }]);
    }
    return saved;
  }

  private tell(tx: Tx, mandate: Mandate, report: MandateReport): Mandate {
    const told = toldMandate(mandate, report);
    if (!told) return mandate;
    return this.save(tx, mandate, told, { type: 'gateway', id: mandate.gateway });
  }
}

function eventOf(mandate: Mandate) {
  if (isOver(mandate)) return 'mandate.ended' as const;
  if (mandate.status === 'active') return 'mandate.activated' as const;
  return mandate.status === 'suspended' ? ('mandate.suspended' as const) : null;
}
