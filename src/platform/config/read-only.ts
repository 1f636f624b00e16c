import { z } from 'zod';
import { serverUrls } from '../database/servers/server-urls.js';
import { type JobSettings, withoutJobs } from './roles.js';

const FLAGS = { '0': false, false: false, '1': true, true: true } as const;
const NAMES = ['0', '1', 'false', 'true'] as const;

/** A flag that many write as a word. */
export const readOnlyFlag = z
  .enum(NAMES)
  .default('false')
  .transform((word) => FLAGS[word]);

/** Settings beside which a process cannot only read: a line each. */
export function refusedReadingOnly(given: Readonly<Record<string, string | undefined>>): string[] {
  const name = 'QUITTANCE_READ_ONLY';
  if (given[name] !== 'true' && given[name] !== '1') return [];
  const url = given['DATABASE_URL'];
  const refusals: (string | false)[] = [
    url === undefined &&
      `${name}: needs DATABASE_URL, the address of a standby; the embedded database has none.`,
    url !== undefined &&
      serverUrls(url).length > 1 &&
      `${name}: DATABASE_URL has to name one server, or a proxy before several standbys.`,
    given['QUITTANCE_ROLES'] === 'worker' && `${name}: a worker writes; leave QUITTANCE_ROLES out.`,
    given['QUITTANCE_DEMO'] === '1' &&
      `${name}: a demo account would be written; unset QUITTANCE_DEMO.`,
  ];
  return refusals.filter((line) => line !== false);
}

interface WritingSettings extends JobSettings {
  readOnly: boolean;
  demo: boolean;
  sealHeadsFile: string | null;
}

/** All that would write is off, whatever else is set. */
export function withoutWrites<Settings extends WritingSettings>(settings: Settings): Settings {
  if (!settings.readOnly) return settings;
  return { ...withoutJobs(settings), demo: false, sealHeadsFile: null };
}
