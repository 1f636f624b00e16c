import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';

/** All times at which providers are asked next; of lists also how far each was read, which stays. */
@Injectable()
export class PlannedReadRepository {
  constructor(private readonly database: Database) {}

  async bringForward(to: Date): Promise<void> {
    await this.database.query(
      `WITH pages AS (
         UPDATE checkout_look_ups SET next_look_at = $1 WHERE next_look_at > $1
       ), back AS (
         UPDATE refunds SET next_look_at = $1 WHERE next_look_at > $1
       ), permitted AS (
         UPDATE mandates SET next_look_at = $1 WHERE next_look_at > $1
       )
       UPDATE payment_list_reads SET next_read_at = $1 WHERE next_read_at > $1`,
      [to],
    );
  }
}
