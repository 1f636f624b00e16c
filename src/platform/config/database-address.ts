import { z } from 'zod';
import { refusedPooler, refusedTarget, serverUrls } from '../database/servers/server-urls.js';

/** `postgres://...`, with one server or with several, as libpq has it. */
export const databaseAddress = z
  .string()
  .refine((url) => serverUrls(url).every(isPostgresUrl), 'Invalid URL')
  .refine(
    (url) => refusedTarget(url) === undefined,
    'target_session_attrs must be read-write or primary, as everything here writes',
  )
  .refine(
    (url) => refusedPooler(url) === undefined,
    'pooler must be transaction; leave it out for a pooler of whole sessions',
  );

function isPostgresUrl(url: string): boolean {
  return URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol);
}

/** Settings beside which a replica cannot be read: a line each. */
export function refusedReplica(given: Readonly<Record<string, string | undefined>>): string[] {
  const name = 'DATABASE_REPLICA_URL';
  const url = given[name];
  if (url === undefined) return [];
  const refusals: (string | false)[] = [
    given['DATABASE_URL'] === undefined &&
      `${name}: needs DATABASE_URL; the embedded database has no standby.`,
    serverUrls(url).length > 1 && `${name}: has to name one server, or a proxy before several.`,
    /^(true|1)$/.test(given['QUITTANCE_READ_ONLY'] ?? '') &&
      `${name}: a service that only reads has its standby in DATABASE_URL.`,
  ];
  return refusals.filter((line) => line !== false);
}
