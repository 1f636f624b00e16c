/** Numbers that were given and whose documents the database lost, as ranges of a series and period. */
export function skippedNumbers(where: string): string {
  return `SELECT s.account_id, s.subject AS series, s.after ->> 'period' AS period,
      (s.after -> 'from')::bigint AS first, (s.after -> 'to')::bigint AS last
    FROM audit_entries s WHERE s.action = 'numbering.skipped' AND ${where}`;
}
