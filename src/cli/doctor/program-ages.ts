import { daysUntil, failed, fine, type Finding, warned } from '../../platform/finding.js';
import { releasedOn } from '../../platform/own-version.js';
import { askServer } from './server.js';

/** The last day with updates, by major version: https://github.com/nodejs/Release. */
const NODE_ENDS: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
};
/** The same: https://www.postgresql.org/support/versioning/. */
const POSTGRES_ENDS: Readonly<Record<number, string>> = {
  15: '2027-11-11',
  16: '2028-11-09',
  17: '2029-11-08',
  18: '2030-11-14',
};
/** The embedded server, and the day of its release: a spec compares it with the package. */
export const BUNDLED_POSTGRES = { version: '18.4', releasedOn: '2026-05-14' };

/** A minor release mends holes each three months, and a package follows it. */
const OLD_MINOR_DAYS = 180;
const OLD_OWN_DAYS = 180;
const SOON_DAYS = 180;

export interface ProgramVersions {
  /** `v24.21.0` */
  node: string;
  /** `18.4`, as the server says it; more may follow. */
  postgres: string;
  isEmbedded: boolean;
  /** `0.2.0`, or of a checkout `0.3.0-dev`. */
  own: string;
  ownReleasedOn: string | null;
}

export async function examineProgramAges(
  databaseUrl: string,
  isEmbedded: boolean,
  own: string,
  now: Date,
): Promise<Finding[]> {
  const postgres = await askServer(databaseUrl, async (client) => {
    const { rows } = await client.query<{ version: string }>(
      `SELECT current_setting('server_version') AS version`,
    );
    return rows[0]?.version ?? '';
  });
  const ownReleasedOn = await releasedOn(own);
  return judgeProgramAges({ node: process.version, postgres, isEmbedded, own, ownReleasedOn }, now);
}

export function judgeProgramAges(
  { node, postgres, isEmbedded, own, ownReleasedOn }: ProgramVersions,
  now: Date,
): Finding[] {
  return [
    ageOfMajor('node', `Node ${node}`, NODE_ENDS[majorIn(node)], now),
    ageOfMajor('postgresql', `PostgreSQL ${postgres}`, POSTGRES_ENDS[majorIn(postgres)], now),
    ...(isEmbedded ? [ageOfEmbedded(postgres, now)] : []),
    ageOfOwn(own, ownReleasedOn, now),
  ];
}

const majorIn = (version: string) => Number(/\d+/.exec(version)?.[0]);

function ageOfMajor(check: string, name: string, end: string | undefined, now: Date): Finding {
  if (end === undefined) {
    const detail = `${name} is not among the versions whose end is known here`;
    return warned(check, detail, 'look up until when it is kept, and update Quittance');
  }
  const days = daysUntil(new Date(end), now);
  const next = 'update it to a newer major version';
  if (days < 0) return failed(check, `${name} has had no updates since ${end}`, next);
  const detail = `${name} gets updates until ${end}`;
  return days < SOON_DAYS ? warned(check, detail, next) : fine(check, detail);
}

function ageOfEmbedded(version: string, now: Date): Finding {
  const check = 'embedded_postgresql';
  const { version: bundled, releasedOn: day } = BUNDLED_POSTGRES;
  if (!version.startsWith(bundled)) return fine(check, `${version} is not the bundled ${bundled}`);
  const days = -daysUntil(new Date(day), now);
  const detail = `the embedded PostgreSQL ${bundled} is ${days} days old`;
  if (days <= OLD_MINOR_DAYS) return fine(check, detail);
  return warned(check, detail, 'update Quittance, or run a server of your own');
}

function ageOfOwn(version: string, day: string | null, now: Date): Finding {
  const check = 'quittance';
  if (day === null) return fine(check, `Quittance ${version} is not released`);
  const days = -daysUntil(new Date(day), now);
  const detail = `Quittance ${version} is ${days} days old`;
  if (days <= OLD_OWN_DAYS) return fine(check, detail);
  return warned(check, detail, 'look for a newer release, and run upgrade --check with it');
}
