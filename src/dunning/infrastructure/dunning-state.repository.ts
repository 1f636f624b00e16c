import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Row } from '../../platform/database/row.js';
import type { Tx } from '../../platform/database/tx.js';
import { FIRST_STATE, type KeptState, type Wait } from '../domain/next-step.js';

type Columns = Omit<Row<'dunning_states', { waits_for: Wait }>, 'account_id'>;

const COLUMNS = `document_id, level, last_on, last_days, next_on, waits_for, promised_until, paused, note, version`;

const toState = (row: Columns): KeptState => ({
  documentId: row.document_id,
  level: row.level,
  lastOn: row.last_on,
  lastDays: row.last_days,
  nextOn: row.next_on,
  waitsFor: row.waits_for,
  promisedUntil: row.promised_until,
  isPaused: row.paused,
  note: row.note,
  version: row.version,
});

const firstState = (documentId: Uuid): KeptState => ({
  ...FIRST_STATE,
  documentId,
  nextOn: null,
  waitsFor: null,
  note: null,
  version: 1,
});

/** How far the reminders of documents have come. */
@Injectable()
export class DunningStateRepository {
  async find(tx: Tx, accountId: Uuid, documentId: Uuid): Promise<KeptState> {
    const [row] = await tx.read<Columns>(
      `SELECT ${COLUMNS} FROM dunning_states WHERE account_id = $1 AND document_id = $2`,
      [accountId, documentId],
    );
    return row ? toState(row) : firstState(documentId);
  }

  /** Locked, in the order of their ids; those that had none begin. */
  async getForUpdate(
    tx: Tx,
    accountId: Uuid,
    documentIds: readonly Uuid[],
  ): Promise<Map<Uuid, KeptState>> {
    const values = [accountId, documentIds];
    await tx.read(
      `INSERT INTO dunning_states (account_id, document_id, level, paused, version)
       SELECT $1, id, 0, false, 1 FROM unnest($2::uuid[]) AS id ORDER BY id ON CONFLICT DO NOTHING`,
      values,
    );
    const rows = await tx.read<Columns>(
      `SELECT ${COLUMNS} FROM dunning_states WHERE account_id = $1 AND document_id = ANY ($2)
       ORDER BY document_id FOR NO KEY UPDATE`,
      values,
    );
    return new Map(rows.map((row) => [row.document_id, toState(row)]));
  }

  /** The row must be locked. */
  save(tx: Tx, accountId: Uuid, state: KeptState): void {
    tx.update(
      'dunning_states',
      { account_id: accountId, document_id: state.documentId },
      {
        level: state.level,
        last_on: state.lastOn,
        last_days: state.lastDays,
        next_on: state.nextOn,
        waits_for: state.waitsFor,
        promised_until: state.promisedUntil,
        paused: state.isPaused,
        note: state.note,
        version: state.version,
      },
    );
  }
}
