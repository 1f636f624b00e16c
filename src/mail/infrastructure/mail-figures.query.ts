import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { waitingRows } from '../../platform/observability/waiting-rows.js';
import type { WaitingThings } from '../../platform/observability/figures.js';

/** The messages of all accounts, for those who watch the service. */
@Injectable()
export class MailFiguresQuery {
  constructor(private readonly database: Database) {}

  async queued(): Promise<WaitingThings> {
    const from = 'FROM mail_messages WHERE next_attempt_at IS NOT NULL';
    return waitingRows(this.database, 'next_attempt_at', from);
  }

  /** Those whose time has come. */
  async due(now: Date): Promise<WaitingThings> {
    const from = 'FROM mail_messages WHERE next_attempt_at <= $1';
    return waitingRows(this.database, 'next_attempt_at', from, [now]);
  }

  /** Of the last day: nobody who has not looked by then will. */
  async failed(now: Date): Promise<WaitingThings> {
    const from = `FROM mail_messages WHERE status = 'failed'
      AND settled_at > $1::timestamptz - interval '1 day'`;
    return waitingRows(this.database, 'settled_at', from, [now]);
  }
}
