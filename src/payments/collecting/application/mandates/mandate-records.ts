import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../../auth/index.js';
import { EventLog } from '../../../../events/index.js';
import type { By } from '../../../../kernel/actor.js';
import { publicId } from '../../../../kernel/ids.js';
import type { Tx } from '../../../../platform/database/tx.js';
import type { Mandate } from '../../domain/mandates/mandate.js';
import { presentMandate } from '../../wire/mandate.js';

/** The records of what callers did with mandates. */
@Injectable()
export class MandateRecords {
  constructor(
    private readonly events: EventLog,
    private readonly auditLog: AuditLog,
  ) {}

  created(tx: Tx, mandate: Mandate, { accountId, actor }: By, occurredAt: Date): void {
    const data = { mandate: presentMandate(mandate) };
    const type = 'mandate.created' as const;
    this.events.append(tx, [{ accountId, type, actor, document: null, data, occurredAt }]);
  }

  audit(tx: Tx, by: By, before: Mandate, after: Mandate): void {
    this.auditLog.record(tx, by, {
      action: 'mandate.updated',
      subject: publicId('mand', after.id),
      before: { collects_automatically: before.automaticSince !== null },
      after: { collects_automatically: after.automaticSince !== null },
    });
  }
}
