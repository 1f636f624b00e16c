import { DomainError } from '../../kernel/domain-error.js';
import { sumTooLarge } from '../../kernel/money.js';
import { CommonRefusal } from '../../kernel/common-refusals.js';

const NUMERIC_VALUE_OUT_OF_RANGE = '22003';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const FOREIGN_KEY_VIOLATION = '23503';
const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';

/** The reasons why the database does not do as it is asked. */
export type DatabaseFault =
  | 'unreachable'
  | 'read_only'
  | 'disk_full'
  | 'no_privilege'
  | 'schema_mismatch'
  | 'broken';

/**
 * SQLSTATEs that are states of the database, whole classes where all of one are. An SQLSTATE in no
 * row is a bug of ours: we send something wrong (22, 42601 and most of 42), or a rule stopped it
 * (23).
 */
const FAULTS: readonly (readonly [DatabaseFault, RegExp])[] = [
  ['read_only', /^25006$/],
  ['disk_full', /^53100$/],
  // 28: the log-in was refused. 42501: a privilege is missing.
  ['no_privilege', /^(28...|42501)$/],
  // 3D, 3F: no such database, schema. 42: no such table, column, function, type: of another version.
  ['schema_mismatch', /^(3D...|3F...|42P01|42703|42883|42704)$/],
  // 58: I/O of its system. F0: its configuration. XX: damaged data, a damaged index. 0A: it is of a
  // kind that cannot do what we need.
  ['broken', /^(58...|F0...|XX...|0A000)$/],
  // These go by. 08: connection. 40: rolled back by the server. 53: out of memory or connections. 57:
  // canceled, shutting down, starting. 72: snapshot too old. 25P: a transaction lasted too long. 55:
  // in use, or not ready yet. The rest: plans and statements that a migration or a pooler took away.
  ['unreachable', /^(08...|40...|53...|57...|72...|25P0[34]|55000|55006)$/],
];

/**
 * Of PostgreSQL, where it ends what is under way. A standby ends reads that stand in the way of the
 * primary. Their SQLSTATE is that of a lost race, which it is not.
 */
const INTERRUPTS = /^Process(RecoveryConflict)?Interrupts?$/;
/** The connection keeps the name that is wrong now: it must not be used again. */
const STALE_NAME = /^(26000|42P05)$/;
/** Of PostgreSQL, where it looks whether a plan still fits its tables: 0A000, as for other reasons. */
const PLAN_CHECK = 'RevalidateCachedQuery';

/** Of Node, OpenSSL and the resolver. */
const BROKEN_SOCKETS =
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET|EADDRNOTAVAIL|ERR_SSL|ERR_TLS|ERR_STREAM_DESTROYED|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** Of pg, which gives its own errors no code. */
const BROKEN_CONNECTIONS =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|not queryable|pool after calling end|unexpected \w+ message from backend|SSL connection|^SASL|driver not connected/i;

/** Unique keys that only say "somebody was faster": the second look sees what the first wrote. */
const RACE_KEYS = new Set([
  'bank_file_mappings_account',
  'bank_statements_file',
  'customers_external_id',
  'disputes_of_provider',
  'documents_external_id',
  'idempotency_keys_pkey',
  'items_external_id',
  'payout_lines_fee_of_payment',
  'payout_lines_fee_of_receipt',
  'payout_lines_fee_of_refund',
  'payouts_once',
  'provider_events_pkey',
  'provider_receipts_pkey',
  'refund_names_pkey',
  'refunds_once_of_provider',
  'schedule_periods_pkey',
  'schedules_external_id',
  'unmatched_item_steps_pkey',
]);

function field(error: unknown, name: 'code' | 'constraint' | 'routine'): string | undefined {
  const value = (error as Record<string, unknown> | null)?.[name];
  return typeof value === 'string' ? value : undefined;
}

export function isRetryable(error: unknown): boolean {
  const code = field(error, 'code');
  if (code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED) return true;
  return code === UNIQUE_VIOLATION && RACE_KEYS.has(brokenKey(error) ?? '');
}

/** A standby ended it, to go on with what the primary did. */
export function isRecoveryConflict(error: unknown): boolean {
  const code = field(error, 'code');
  if (code !== SERIALIZATION_FAILURE && code !== DEADLOCK_DETECTED) return false;
  return INTERRUPTS.test(field(error, 'routine') ?? '');
}

/** A lock was waited for as long as it may be. */
export function isLockTimeout(error: unknown): boolean {
  return field(error, 'code') === LOCK_NOT_AVAILABLE;
}

/** The database takes no changes now. */
export function isReadOnlyError(error: unknown): boolean {
  return CommonRefusal.database_read_only.is(error) || faultOf(error) === 'read_only';
}

/** The key or check that an error says was broken. */
export function brokenKey(error: unknown): string | undefined {
  return field(error, 'constraint');
}

/** A row could not be deleted, because another one needs it. */
export function isStillReferenced(error: unknown): boolean {
  return field(error, 'code') === FOREIGN_KEY_VIOLATION;
}

/**
 * An error of PostgreSQL, or of the way to it, as a domain error; others unchanged. An SQLSTATE
 * that only wrong code of ours can cause is a bug. Every other one is a state of the database.
 */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  if (isRecoveryConflict(error)) return unavailable('unreachable', error);
  const code = field(error, 'code');
  if (isLockTimeout(error) || code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED) {
    return documentBusy();
  }
  if (code === NUMERIC_VALUE_OUT_OF_RANGE) return sumTooLarge();
  const fault = faultOf(error);
  return fault ? unavailable(fault, error) : error;
}

/** For a promise: its error is thrown again, as a domain error where it is one. */
export function throwTranslated(error: unknown): never {
  throw translateDatabaseError(error);
}

export function documentBusy(): DomainError {
  return CommonRefusal.document_busy.of(
    'Another request holds what this one changes; send the same request again in a second.',
    { retry_after: 1 },
  );
}

/** Undefined for errors that come from elsewhere, and for bugs. */
export function faultOf(error: unknown): DatabaseFault | undefined {
  if (hasStalePlan(error)) return 'unreachable';
  const code = field(error, 'code') ?? '';
  const [fault] = FAULTS.find(([, states]) => states.test(code)) ?? [];
  if (fault) return fault;
  const message = error instanceof Error ? error.message : '';
  return BROKEN_SOCKETS.test(code) || BROKEN_CONNECTIONS.test(message) ? 'unreachable' : undefined;
}

export function hasStalePlan(error: unknown): boolean {
  return STALE_NAME.test(field(error, 'code') ?? '') || field(error, 'routine') === PLAN_CHECK;
}

const UNREACHABLE =
  'The database did not answer; repeat the request with the same Idempotency-Key.';
const READ_ONLY =
  'The database takes no changes now, reading works; repeat the request with the same Idempotency-Key.';
const OUT_OF_ORDER =
  'The database cannot do this until its operator mends it; repeat the request then, with the same Idempotency-Key.';

function unavailable(fault: DatabaseFault, cause: unknown): DomainError {
  const refusal =
    fault === 'read_only'
      ? CommonRefusal.database_read_only.later(5, READ_ONLY)
      : fault === 'unreachable'
        ? CommonRefusal.database_unavailable.later(2, UNREACHABLE)
        : // Somebody has to mend it first.
          CommonRefusal.database_unavailable.later(30, OUT_OF_ORDER);
  // For the log: the operator needs more than the caller may see.
  refusal.cause = cause;
  return refusal;
}
