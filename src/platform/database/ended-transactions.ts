/**
 * SQL: transactions below it have all ended, whichever began first, so nobody writes below it any
 * more (decision 32). Counted as `book_xact()` does, which goes on after a restore.
 */
export const ENDED_XACT = `(pg_snapshot_xmin(pg_current_snapshot())::text::bigint
  + book_xact_offset())`;
