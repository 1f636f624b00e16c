import { DomainError, type ErrorContext } from '../../kernel/domain-error.js';
import { sumTooLarge } from '../../kernel/money.js';

const NUMERIC_VALUE_OUT_OF_RANGE = '22003';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const FOREIGN_KEY_VIOLATION = '23503';
const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';

/** Unique keys that only say "somebody was faster": the second look sees what the first wrote. */
const RACE_KEYS = new Set([
  'bank_statements_file',
  'customers_external_id',
  'idempotency_keys_pkey',
  'provider_events_pkey',
  'provider_receipts_pkey',
]);

/** Keys and checks that a caller can break, and what to say then. */
const REFUSALS: Record<string, [code: string, detail: string, context?: ErrorContext]> = {
  documents_external_id: [
    'external_id_taken',
    'Another document of the account has this external_id; read that one, or send another id.',
  ],
  documents_number: [
    'number_taken',
    'A document of this kind has this number; choose another, or change the pattern of its series.',
  ],
  customer_balances_not_negative: [
    'customer_credit_spent',
    'The customer has spent the credit that this would take back.',
    // Of a credit note that is wholly applied nothing would be taken back.
    { document_status: 'open' },
  ],
};

function field(error: unknown, name: 'code' | 'constraint'): string | undefined {
  const value = (error as Record<string, unknown> | null)?.[name];
  return typeof value === 'string' ? value : undefined;
}

export function isRetryable(error: unknown): boolean {
  const code = field(error, 'code');
  if (code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED) return true;
  return code === UNIQUE_VIOLATION && RACE_KEYS.has(field(error, 'constraint') ?? '');
}

/** A row could not be deleted, because another one needs it. */
export function isStillReferenced(error: unknown): boolean {
  return field(error, 'code') === FOREIGN_KEY_VIOLATION;
}

/** A database failure that a caller can do something about, as a domain error; others unchanged. */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  const code = field(error, 'code');
  if (code === LOCK_NOT_AVAILABLE || code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED) {
    return DomainError.conflict(
      'document_busy',
      'Another request holds this document; send the same request again in a second.',
      { retry_after: 1 },
    );
  }
  if (code === NUMERIC_VALUE_OUT_OF_RANGE) return sumTooLarge();
  const refusal = REFUSALS[field(error, 'constraint') ?? ''];
  if (refusal) return DomainError.conflict(...refusal);
  if (code === QUERY_CANCELED || isConnectionFailure(error, code)) {
    return DomainError.unavailable(
      'database_unavailable',
      'The database did not answer; repeat the request with the same Idempotency-Key.',
      2,
    );
  }
  return error;
}

function isConnectionFailure(error: unknown, code: string | undefined): boolean {
  if (code && /^(08|28|3D|53|57P)/.test(code)) return true;
  if (code && /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)/.test(code)) return true;
  const message = error instanceof Error ? error.message : '';
  return /connection terminated|timeout exceeded when trying to connect|not queryable/i.test(
    message,
  );
}
