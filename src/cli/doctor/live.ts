import type { Config } from '../../platform/config/config.js';
import type { Installation } from '../../extensions/installation.js';
import { examineSealHeads } from '../../integrity/index.js';
import { SystemClock } from '../../kernel/clock.js';
import { examineMailDomain } from '../../mail/index.js';
import type { DatabaseUrls } from '../../platform/database/roles.js';
import { type Finding, findingsWithin } from '../../platform/finding.js';
import { nameRecords, type NameRecords } from '../../platform/http/outgoing/name-records.js';
import { OutgoingClient } from '../../platform/http/outgoing/outgoing-client.js';
import { ownVersion } from '../../platform/own-version.js';
import { metricsAddress } from '../metrics-address.js';
import { examineCertificates } from './certificates.js';
import { examineClockSteps, examineDatabaseClock } from './clocks.js';
import { examineDisks } from './disks.js';
import { examine } from './doctor.js';
import { examineOutside } from './outside.js';
import { examineProgramAges } from './program-ages.js';
import { examineReplica, examineReplication } from './replication.js';
import { examineServer, readOnce } from './server.js';

/** Measured alone, as the others would be in its way. */
const MEASURED_WITHIN_MS = 9_000;
/** All others go on at once; the longest has an upload in it. */
const LOOK_MS = 18_000;

/** Means that tests replace. */
export interface LiveMeans {
  records?: NameRecords;
  /** An authority beside the system's. */
  ca?: string;
  now?: Date;
}

/**
 * Looks at an installation that runs: all that {@link examine} does, and what is seen from outside
 * and of others. It changes nothing, needs the role of the service alone, and ends in time.
 */
export async function examineLive(
  config: Config,
  urls: DatabaseUrls,
  installation: Installation,
  means: LiveMeans = {},
): Promise<Finding[]> {
  const { records = nameRecords(), now = new SystemClock().serverNow(), ca } = means;
  const outgoing = new OutgoingClient(config.outgoing, { ca });
  const { mail, sealHeadsFile, databaseUrl, databaseReplicaUrl } = config;
  const looks: Record<string, () => Promise<readonly Finding[]>> = {
    clock_steps: async () => [await examineClockSteps(config.metrics, fetchOf(outgoing, config))],
    replication: async () => examineReplication(urls.app, config.readOnly),
    replica: async () => examineReplica(urls.app, databaseReplicaUrl),
    disk: async () => examineDisks(config, urls.app),
    certificate: async () => examineCertificates(config, urls.app, { now, ca }),
    mail_domain: async () => (mail ? examineMailDomain(mail, records) : []),
    seal_heads: async () => [
      await examineSealHeads(sealHeadsFile, async (text, values) =>
        readOnce(urls.app, text, values),
      ),
    ],
    program_ages: async () =>
      examineProgramAges(urls.app, databaseUrl === null, await ownVersion(), now),
    public_address: async () => examineOutside(config, fetchOf(outgoing, config)),
  };
  const measured = await findingsWithin(MEASURED_WITHIN_MS, 'database_time', async () => [
    await examineDatabaseClock(urls.app),
    ...(await examineServer(urls.app, config)),
  ]);
  const [still, ...live] = await Promise.all([
    examine(config, urls, installation),
    ...Object.entries(looks).map(async ([check, look]) => findingsWithin(LOOK_MS, check, look)),
  ]);
  outgoing.onApplicationShutdown();
  return [...still, ...measured, ...live.flat()];
}

/** Calls of the operator's own places: the public address, and where the metrics are. */
function fetchOf(outgoing: OutgoingClient, { baseUrl, metrics }: Config): typeof fetch {
  const { hostname } = new URL(baseUrl);
  const atPort = metrics && metrics.port > 0 ? `http://${hostname}:${metrics.port}` : baseUrl;
  return outgoing.fetchFor([
    baseUrl,
    `http://${hostname}`,
    atPort,
    metricsAddress(metrics) ?? baseUrl,
  ]);
}
