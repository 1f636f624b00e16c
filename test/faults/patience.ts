import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ServiceAnswer } from '../../src/testing/service/http-call.js';

/** Longer than a database takes that begins again. */
export const FAULT_PATIENCE_MS = 120_000;
const PAUSE_MS = 100;

/** Rows, through deaths of the database. */
export async function patientRows<Row extends object>(
  pool: pg.Pool,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const until = Date.now() + FAULT_PATIENCE_MS;
  for (;;) {
    try {
      return (await pool.query<Row>(text, values)).rows;
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** Sends it again until it is answered; a refusal is thrown, but for those that are known. */
export async function patientCall<Body>(
  send: () => Promise<ServiceAnswer<Body & { code?: string }>>,
  known: readonly string[] = [],
): Promise<Body> {
  for (;;) {
    // Without a database, not even a token is given.
    const answer = await send().catch(() => undefined);
    if (answer && (answer.status < 300 || known.includes(answer.body.code ?? ''))) {
      return answer.body;
    }
    if (answer && answer.status < 500 && answer.status !== 409) throw new Error(answer.text);
    await sleep(PAUSE_MS);
  }
}
