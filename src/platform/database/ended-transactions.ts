/**
 * SQL: transactions below it have all ended, whichever began first, so nobody writes below it any
 * more (decision 32). Counted as `book_xact()` does, which goes on after a restore.
 */
export const ENDED_XACT = `(pg_snapshot_xmin(pg_current_snapshot())::text::bigint
  + book_xact_offset())`;

/**
 * SQL: names the history of the database, the same in all processes and on all replicas. A dump makes
 * its tables anew, in another database or cluster; a folder that was copied back has another
 * `book_history()`. A server that was restored to an instant, or whose standby took over, has another
 * timeline than `book_timeline()` (decision 286).
 */
export const HISTORY = `left(md5(concat_ws(' ', book_history(),
    (SELECT system_identifier FROM pg_control_system()),
    (SELECT oid FROM pg_database WHERE datname = current_database()), 'events'::regclass::oid,
    nullif((SELECT timeline_id FROM pg_control_checkpoint()), book_timeline()))), 12)`;
