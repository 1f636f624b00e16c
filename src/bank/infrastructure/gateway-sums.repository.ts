import { Injectable } from '@nestjs/common';
import { SPANS } from '../../books/sql.js';
import type { Tx } from '../../platform/database/tx.js';
import { gatewayMovements } from './gateway-movements-sql.js';

/** Adds what moved at gateways to sums by day and by month, beside those of the ledger. */
@Injectable()
export class GatewaySumsRepository {
  /** @param window transactions that have ended, and are not in the sums yet */
  async add(tx: Tx, { from, through }: { from: bigint; through: bigint }): Promise<void> {
    await tx.read(ADD, [from, through]);
  }
}

const ADD = `
  INSERT INTO gateway_sums AS o (account_id, span, begins_on, gateway, currency, part, moved)
  SELECT t.account_id, s.span, s.begins_on, t.gateway, t.currency, t.part, sum(t.moved)
  FROM (${gatewayMovements('t.xact >= $1 AND t.xact < $2')}) t ${SPANS} GROUP BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (account_id, span, begins_on, gateway, currency, part)
    DO UPDATE SET moved = o.moved + excluded.moved`;
