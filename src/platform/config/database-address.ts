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
