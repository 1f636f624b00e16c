import { fine, type Finding, unasked, warned } from '../../platform/finding.js';
import type { MetricsPlace } from '../../platform/config/metrics-place.js';
import { metricsAddress } from '../metrics-address.js';
import { askServer } from './server.js';

/** Signatures of webhooks and tokens bear minutes; the order of stamps bears none. */
const APART_MS = 2000;
/** `Date` has whole seconds, and an answer may be cached for one. */
const APART_BY_HTTP_MS = 5000;
/** The quickest answer says it best. */
const CLOCK_ASKED = 5;
const DISCIPLINE = 'let a time server set the clocks of both machines (chrony, systemd-timesyncd)';
const METRIC = /^(?:\w+_)?clock_steps_total\{[^}]*direction="(\w+)"[^}]*\} (\d+)/gm;

export async function examineDatabaseClock(url: string): Promise<Finding> {
  return askServer(url, async (client) => {
    let best = { tookMs: Infinity, aheadMs: NaN };
    for (let asked = 0; asked < CLOCK_ASKED; asked += 1) {
      const before = Date.now();
      const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
      const tookMs = Date.now() - before;
      const aheadMs = (rows[0]?.now.getTime() ?? NaN) - before - tookMs / 2;
      if (tookMs < best.tookMs) best = { tookMs, aheadMs };
    }
    return judgeClock('clock_database', "PostgreSQL's", best.aheadMs, APART_MS);
  });
}

/** @param aheadMs how far theirs is ahead of ours */
export function judgeClock(
  check: string,
  whose: string,
  aheadMs: number,
  apartMs: number,
): Finding {
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  const detail = `${whose} clock is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} ours`;
  return Math.abs(aheadMs) <= apartMs ? fine(check, detail) : warned(check, detail, DISCIPLINE);
}

/** @param date the header `Date` of an answer that came within `tookMs` */
export function judgeHttpClock(host: string, date: string | null, tookMs: number): Finding {
  const check = 'clock_outside';
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return unasked(check, `${host} tells no date`, DISCIPLINE);
  return judgeClock(check, `${host}'s`, theirs + 500 - (Date.now() - tookMs / 2), APART_BY_HTTP_MS);
}

/** The running service counts how often its clock was set. */
export async function examineClockSteps(
  place: MetricsPlace | null,
  read: typeof fetch,
): Promise<Finding> {
  const check = 'clock_steps';
  const next = 'start the service, or ask where its metrics are: QUITTANCE_METRICS_PORT';
  const base = metricsAddress(place);
  if (base === null) return unasked(check, 'the service shows no metrics at a known port', next);
  const url = `${base}/metrics`;
  try {
    const answer = await read(url, { signal: AbortSignal.timeout(3000) });
    const text = await answer.text();
    const steps = [...text.matchAll(METRIC)].map(
      ([, direction, count]) => [direction, Number(count)] as const,
    );
    const taken = steps.filter(([, count]) => count > 0);
    if (taken.length === 0)
      return fine(check, 'nobody has set the clock since the service started');
    const told = taken.map(([direction, count]) => `${count} times ${direction}`).join(', ');
    return warned(
      check,
      `the clock was set since the service started: ${told}`,
      `${DISCIPLINE}; the log has when`,
    );
  } catch (error) {
    return unasked(check, `${url}: ${(error as Error).message}`, next);
  }
}
