import { expect } from 'vitest';
import { UuidV7Generator, uuidOf } from '../../src/kernel/ids.js';
import type { TestDatabase } from './database.js';

/** The schema's answer to a statement: an SQLSTATE, and the name of the rule. */
export const CHECK = '23514';
export const UNIQUE = '23505';
export const FOREIGN = '23503';
export const FROZEN = '23000';
export const DEADLOCK = '40P01';

const ids = new UuidV7Generator();

/** Statements of the database's owner, past all code. */
export class Statements {
  constructor(private readonly database: () => TestDatabase) {}

  /** The error code and constraint that a statement meets, or `done`. */
  async verdict(sql: string, values: unknown[] = []): Promise<string> {
    try {
      await this.database().query(sql, values);
      return 'done';
    } catch (error) {
      const { code, constraint } = error as { code?: string; constraint?: string };
      // A TRUNCATE locks many tables, beside the service's own rounds: a deadlock is no verdict.
      if (code === DEADLOCK) return this.verdict(sql, values);
      return [code, constraint].filter(Boolean).join(' ');
    }
  }

  /** Inserts a copy of one row with some columns changed. */
  async copy(table: string, key: string, id: string, over: object): Promise<string> {
    return this.verdict(
      `INSERT INTO ${table}
       SELECT (jsonb_populate_record(t, $1)).* FROM ${table} t WHERE ${key} = $2`,
      [JSON.stringify(over), id],
    );
  }

  /** Inserts another document with the columns of this one, but for its number. */
  async another(document: { id: string }, over: object): Promise<string> {
    return this.copy('documents', 'document_id', uuid(document), {
      document_id: ids.next(),
      number: `X-${ids.next()}`,
      number_series: null,
      number_period: null,
      number_sequence: null,
      ...over,
    });
  }

  /** Updates one document, which there is, or its row in another table. */
  async set(document: { id: string }, assignments: string, table = 'documents'): Promise<string> {
    const which = 'WHERE document_id = $1';
    const [found] = await this.database().query(`SELECT 1 FROM documents ${which}`, [
      uuid(document),
    ]);
    expect(found).toBeDefined();
    return this.verdict(`UPDATE ${table} SET ${assignments} ${which}`, [uuid(document)]);
  }
}

export const uuid = (document: { id: string }): string => uuidOf('doc', document.id) ?? '';
