import { expect, it } from 'vitest';
import { statementName } from '../../../src/platform/tracing/statement-name.js';

it.each([
  ['BEGIN', 'BEGIN', 'BEGIN'],
  ['COMMIT', 'COMMIT', 'COMMIT'],
  ['SELECT d.id FROM documents d WHERE d.id = $1', 'SELECT documents', 'SELECT'],
  [
    'SELECT k.member, found.* FROM unnest($1::uuid[]) WITH ORDINALITY AS k (v1, member), LATERAL (SELECT status FROM idempotency_keys WHERE key = k.v1 OFFSET 0) found',
    'SELECT idempotency_keys',
    'SELECT',
  ],
  ['SELECT pg_advisory_lock($1)', 'SELECT', 'SELECT'],
  [
    'WITH w0 AS (INSERT INTO payments (id) VALUES ($1)), w1 AS (UPDATE documents SET status = $2 WHERE id = $3) INSERT INTO events (id) VALUES ($4)',
    'INSERT payments UPDATE documents INSERT events',
    'INSERT',
  ],
  ['SELECT id FROM documents FOR NO KEY UPDATE SKIP LOCKED', 'SELECT documents', 'SELECT'],
  [
    'INSERT INTO presence (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen_at = $2',
    'INSERT presence',
    'INSERT',
  ],
  ['DELETE FROM portal_tokens WHERE ctid = ANY ($1)', 'DELETE portal_tokens', 'DELETE'],
])('names %s', (text, name, operation) => {
  expect(statementName(text)).toMatchObject({ name, operation });
});

it('shows no literal, which an extension may have made of a value, and no endless text', () => {
  const text = `SELECT 1 FROM notes WHERE a = 'it''s a secret' ${'-'.repeat(9000)}`;
  const shown = statementName(text).text;
  expect(shown).toMatch(/^SELECT 1 FROM notes WHERE a = '\?'/);
  expect(shown).not.toContain('secret');
  expect(shown.length).toBeLessThan(2001);
});

it.each([`SELECT E'a\\'secret'`, 'SELECT $$secret$$', 'SELECT $of$secret$of$'])(
  'shows nothing of %s, whose end is not sure',
  (text) => {
    expect(statementName(text)).toMatchObject({ name: 'SELECT', text: '' });
  },
);
