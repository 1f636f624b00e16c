import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { sumsUntil, summedThrough } from '../../books/sql.js';
import type { Row } from '../../platform/database/row.js';
import { Snapshots } from '../../platform/database/snapshots.js';
import type { GatewayMovement, GatewayPart } from '../domain/gateway-reconciliation.js';
import { gatewayMovements } from './gateway-movements-sql.js';

interface MovementColumns extends Pick<Row<'transfers'>, 'currency'> {
  /** @derived */
  gateway: string | null;
  /** @derived */
  part: GatewayPart;
  /** @derived */
  before: bigint;
  /** @derived */
  within: bigint;
}

/** Until the end of a day, of the sums and of transfers that are not in them: $4 is the first of those. */
const movedUntil = (day: string) => `
  SELECT gateway, currency, part, moved FROM gateway_sums WHERE ${sumsUntil(day)}
  UNION ALL SELECT gateway, currency, part, moved
  FROM (${gatewayMovements(`t.account_id = $1 AND t.xact >= $4 AND t.effective_on <= ${day}`)}) late`;

const MOVEMENTS = `
  SELECT nullif(gateway, '') AS gateway, currency, part, sum(before)::bigint AS before,
    (sum(until) - sum(before))::bigint AS within
  FROM (
    SELECT gateway, currency, part, 0 AS before, moved AS until
    FROM (${movedUntil('$3::date')}) until
    UNION ALL SELECT gateway, currency, part, moved, 0
    FROM (${movedUntil('($2::date - 1)')}) before
  ) moved GROUP BY 1, 2, 3`;

/** The account `gateway_clearing`, told apart by the gateways that its facts are of. */
@Injectable()
export class GatewayReconciliationQuery {
  constructor(private readonly snapshots: Snapshots) {}

  async movements(accountId: Uuid, from: IsoDate, to: IsoDate): Promise<GatewayMovement[]> {
    const rows = await this.snapshots.run(async (read) =>
      read<MovementColumns>(MOVEMENTS, [accountId, from, to, await summedThrough(read)]),
    );
    return rows;
  }
}
