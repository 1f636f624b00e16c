import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { waitingRows } from '../../platform/observability/waiting-rows.js';
import { Figures } from '../../platform/observability/figures.js';

/** Each is a statement of its own, as the index has only these. */
const KINDS = [
  ['bank_entries_proposed', 'proposed', 'Entries of banks with a proposal to confirm'],
  ['bank_entries_unmatched', 'unmatched', 'Entries of banks that nothing was found for'],
] as const;

/** Tells those who watch the service of entries of banks that wait for a decision. */
@Injectable()
export class BankFigures {
  constructor(database: Database, figures: Figures) {
    for (const [what, status, says] of KINDS) {
      const next = `GET /v1/finance/bank-entries?status=${status} in each account; docs/bank-statements.md`;
      const from = `FROM bank_entries WHERE status = '${status}'`;
      const since = "booked_on::timestamp AT TIME ZONE 'UTC'";
      figures.measureForPerson(what, { says, next }, () => waitingRows(database, since, from));
    }
  }
}
