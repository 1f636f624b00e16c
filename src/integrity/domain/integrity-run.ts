import type { Uuid } from '../../kernel/ids.js';
import { IntegrityRefusal } from './integrity-refusals.js';

export const RUN_STATUSES = [
  'waiting',
  'running',
  'paused',
  'finished',
  'canceled',
  'failed',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Something that is stored in two ways which do not agree. Amounts in minor units. */
export interface IntegrityDifference {
  check: string;
  id: string;
  stored: string;
  derived: string;
}

/** The transactions that a run looks at, where it does not look at all. */
export interface BooksPart {
  /** Nothing from here on was checked yet. */
  since: bigint;
  /** A share of what was: from the first, up to before the second. */
  again: { from: bigint; to: bigint };
}

/** A check of books: of an account, or of all of them. */
export interface IntegrityRun {
  runId: Uuid;
  /** Zeros: of all. */
  accountId: Uuid;
  status: RunStatus;
  requestedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** Null before it began. */
  checks: number | null;
  /** Names of those that are done. */
  done: readonly string[];
  differences: number;
  /** The first of the differences. */
  found: readonly IntegrityDifference[];
  /** The check that could not be made, of a failed run. */
  failedCheck: string | null;
  /** Whether all is looked at: it was asked for, or nothing was checked before. */
  isFull: boolean;
  /** Null: all, or not begun. */
  part: BooksPart | null;
  /** The end of the account's chain when it began; null: there was none, or it is of all accounts. */
  head: { sequence: bigint; digest: string } | null;
}

/** The checks that tell of an account's books. */
export interface LastRuns {
  last: IntegrityRun;
  /** The last that looked at all. */
  full: IntegrityRun | undefined;
  /** One that has not ended. */
  underWay: IntegrityRun | undefined;
}

export type RunStep = 'pause' | 'resume' | 'cancel';

const FROM: Readonly<Record<RunStep, readonly RunStatus[]>> = {
  pause: ['waiting', 'running', 'paused'],
  resume: ['waiting', 'running', 'paused'],
  cancel: ['waiting', 'running', 'paused', 'canceled'],
};

/**
 * The status after a step; to say it twice changes nothing.
 * @throws DomainError `integrity_run_ended`
 */
export function statusAfter(step: RunStep, status: RunStatus): RunStatus {
  if (!FROM[step].includes(status)) {
    throw IntegrityRefusal.integrity_run_ended.of(
      `This check is ${status}; start another one with POST /v1/finance/integrity/runs.`,
    );
  }
  if (step === 'pause') return 'paused';
  if (step === 'cancel') return 'canceled';
  return status === 'paused' ? 'waiting' : status;
}
