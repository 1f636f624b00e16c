import { domainRefusals } from './domain-refusal.js';

/** Of what any write may meet: the database, and those who write at the same time. */
export const CommonRefusal = domainRefusals({
  conflict: {
    document_busy: 'Another request holds this document; send it again in a second.',
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
  },
});
