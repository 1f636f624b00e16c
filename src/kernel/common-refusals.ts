import type { DomainError } from './domain-error.js';
import { domainRefusals } from './domain-refusal.js';

/** Of what any write may meet: the database, and those who write at the same time. */
export const CommonRefusal = domainRefusals({
  conflict: {
    document_busy: 'Another request holds what this one changes; send it again in a second.',
    stored_answer_unreadable:
      'This request was answered before, and the answer can no longer be read; nothing was done now.',
  },
  stale: {
    version_mismatch: 'It was changed meanwhile and has version 4; read it again.',
  },
  invalid: {
    idempotency_key_reused: 'This Idempotency-Key was used for another request; use a new key.',
  },
  unavailable: {
    database_unavailable: 'The database did not answer; repeat with the same Idempotency-Key.',
    database_busy: 'Too many requests wait for the database; send it again in a moment.',
    database_read_only: 'The database takes no changes now; reading works. Repeat it later.',
    file_store_unavailable:
      'The store that has the bytes of this file does not answer; ask again in 10 seconds.',
    file_unreadable:
      'The bytes of this file are gone or changed, and are not sent; its operator was told, and has to bring them back.',
  },
});

const ONLY_READS =
  'This address only reads (QUITTANCE_READ_ONLY); send changes to the address of the service that takes them, with the same Idempotency-Key.';

/** Of a service that only reads: whatever would write is to be sent elsewhere. */
export function onlyReads(): DomainError {
  return CommonRefusal.database_read_only.later(5, ONLY_READS);
}
