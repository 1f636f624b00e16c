import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row.js';

type ReadColumns = Pick<Row<'payment_list_reads'>, 'read_to'>;

/** How far the providers' own lists of payments were read. */
@Injectable()
export class PaymentListReadRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes the list of a gateway if its time has come. If this process dies, others take it from
   * `again` on. @returns the instant to which it was read; of a new gateway `begin`
   */
  async take(gateway: string, begin: Date, now: Date, again: Date): Promise<Date | undefined> {
    const [row] = await this.database.query<ReadColumns>(
      `INSERT INTO payment_list_reads AS l (gateway, read_to, next_read_at) VALUES ($1, $2, $4)
       ON CONFLICT (gateway) DO UPDATE SET next_read_at = $4 WHERE l.next_read_at <= $3
       RETURNING read_to`,
      [gateway, begin, now, again],
    );
    return row?.read_to;
  }

  async plan(gateway: string, readTo: Date, next: Date): Promise<void> {
    await this.database.query(
      'UPDATE payment_list_reads SET read_to = $2, next_read_at = $3 WHERE gateway = $1',
      [gateway, readTo, next],
    );
  }
}
