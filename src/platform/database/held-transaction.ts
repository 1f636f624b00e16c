/** A client of pg, or a runner of TypeORM. */
interface Session {
  query(text: string): Promise<unknown>;
}

/**
 * A transaction that stays open for the locks that it takes, as long as its holder likes. A lock of the
 * session would stay with a pooler. It writes nothing, so that nobody waits for its end.
 */
export async function beginHeld(session: Session): Promise<void> {
  await session.query('BEGIN');
  await session.query('SET LOCAL idle_in_transaction_session_timeout = 0');
}
