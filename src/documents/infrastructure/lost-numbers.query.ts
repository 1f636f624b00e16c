import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { columnList } from '../../platform/database/column-lists.js';
import { Database } from '../../platform/database/database.js';
import type { NumberingPeriod } from '../domain/numbering/number-series.js';

/** A number that a series gave in a period. */
export interface CountedSequence {
  accountId: Uuid;
  series: string;
  period: NumberingPeriod;
  sequence: bigint;
}

export interface GivenNumber extends CountedSequence {
  number: string;
  documentId: Uuid;
}

interface DoubledNumber extends Pick<GivenNumber, 'number' | 'documentId'> {
  /** The document that has it now. */
  other: Uuid;
}

/** Numbers that were given, against what the database has of them. */
@Injectable()
export class LostNumbersQuery {
  constructor(private readonly database: Database) {}

  /** The highest that a counter has not reached, of each series and period, by account. */
  async behind(given: readonly CountedSequence[]): Promise<CountedSequence[]> {
    return given.length === 0 ? [] : this.database.queryOnce(BEHIND, listsOf(given));
  }

  /** Those that another document has. */
  async givenAgain(given: readonly GivenNumber[]): Promise<DoubledNumber[]> {
    if (given.length === 0) return [];
    const [numbers, ids] = [given.map(({ number }) => number), given.map((one) => one.documentId)];
    const values = [...listsOf(given), columnList(numbers), columnList(ids)];
    return this.database.queryOnce(AGAIN, values);
  }
}

function listsOf(given: readonly CountedSequence[]): string[] {
  return [
    columnList(given.map(({ accountId }) => accountId)),
    columnList(given.map(({ series }) => series)),
    columnList(given.map(({ period }) => period)),
    columnList(given.map(({ sequence }) => sequence)),
  ];
}

// An account that is lost as well has nothing to count on.
const BEHIND = `SELECT account_id AS "accountId", series, period, max(g.sequence) AS sequence
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[])
      AS g (account_id, series, period, sequence)
    JOIN accounts USING (account_id)
    LEFT JOIN number_counters c USING (account_id, series, period)
  WHERE g.sequence > coalesce(c.last_sequence, 0) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

const AGAIN = `SELECT g.number, g.document_id AS "documentId", d.document_id AS other
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::uuid[])
      AS g (account_id, series, period, sequence, number, document_id)
    JOIN documents d ON d.account_id = g.account_id AND d.number_series = g.series
      AND d.number_period = g.period AND d.number_sequence = g.sequence
  WHERE d.document_id <> g.document_id ORDER BY 1`;
