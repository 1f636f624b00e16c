import { type IntegrityCheck, ours } from './integrity-check.js';

/** Closed months: nothing gets in that was written by somebody who knew of the closing. */
export const PERIOD_CHECKS: readonly IntegrityCheck[] = [
  {
    name: 'no transfer that was written after a month was closed is dated into it',
    prefix: 'xfer',
    // A closing that is new is about old transfers, too.
    of: 'all',
    sql: `SELECT DISTINCT ON (t.account_id, t.transfer_id) t.transfer_id AS id,
        t.effective_on::text AS stored, format('%s or later', c.open_from) AS derived
      FROM period_closings c JOIN transfers t ON t.account_id = c.account_id
        AND t.xact >= c.known_xact AND t.effective_on < c.open_from
      WHERE c.action = 'closed' AND ${ours('c')} AND ${ours('t')}
        AND NOT EXISTS (
          SELECT FROM period_closings r WHERE r.account_id = c.account_id
            AND r.action = 'reopened' AND r.closing_id > c.closing_id
            AND r.known_xact <= t.xact AND r.open_from <= t.effective_on)
      ORDER BY t.account_id, t.transfer_id, c.open_from DESC`,
  },
  {
    name: 'a month that was closed stays closed until it is opened again',
    prefix: 'acc',
    sql: `SELECT a.account_id AS id, a.books_open_from::text AS stored,
        format('%s or later', c.open_from) AS derived
      FROM accounts a JOIN (
        SELECT DISTINCT ON (account_id) account_id, action, open_from FROM period_closings p
        WHERE ${ours('p')} ORDER BY account_id, closing_id DESC
      ) c USING (account_id)
      WHERE c.action = 'closed' AND a.books_open_from < c.open_from`,
  },
];
