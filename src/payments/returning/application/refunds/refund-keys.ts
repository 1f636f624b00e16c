import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../../kernel/ids.js';
import { Config } from '../../../../platform/config/config.js';
import type { RequestIdentity, Tx } from '../../../../platform/database/tx.js';
import { ClockWatch } from '../../../../platform/observability/clock-watch.js';
import type { Refund } from '../../domain/refund.js';
import { RefundRepository } from '../../infrastructure/refund.repository.js';
import { CommonRefusal } from '../../../../kernel/common-refusals.js';

/** Idempotency keys of refunds that were begun and not answered: each names one refund. */
@Injectable()
export class RefundKeys {
  constructor(
    private readonly refunds: RefundRepository,
    private readonly watch: ClockWatch,
    private readonly config: Config,
  ) {}

  /**
   * The refund of an earlier try with the same key, which got no answer; else the key is taken for
   * `id`.
   */
  async knownBy(
    tx: Tx,
    accountId: Uuid,
    request: RequestIdentity,
    id: Uuid,
  ): Promise<Refund | undefined> {
    const now = tx.now();
    const forgotten = this.watch.longAgo(this.config.idempotencyHours * 3_600_000);
    const earlier = await this.refunds.takeKey(tx, accountId, request, id, now, forgotten);
    if (!earlier) return undefined;
    if (!earlier.sha256.equals(request.sha256)) {
      throw CommonRefusal.idempotency_key_reused.of();
    }
    return this.refunds.find(tx, accountId, earlier.refundId);
  }
}
