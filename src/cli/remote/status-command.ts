import type { Command } from 'commander';
import type { CommandContext, Json } from '../command-context.js';
import { ConfigError } from '../../platform/config/config-error.js';
import { loadConfig } from '../../platform/config/config.js';
import type { MetricsPlace } from '../../platform/config/metrics-place.js';
import { fetchAt } from '../../platform/http/outgoing/outgoing-client.js';
import type { StatusReport } from '../../platform/observability/service-status.js';
import { metricsAddress } from '../metrics-address.js';
import { statusText } from '../../platform/observability/status-page.js';
import { RemoteSilent } from './remote-service.js';

/** Longer than the service takes to read all of it. */
const ANSWER_MS = 8000;

/** How the running service stands: it is asked at the port of its metrics. */
export function addStatusCommand(program: Command, { caller, print, fail }: CommandContext): void {
  program
    .command('status')
    .description(
      'what waits, failed or is behind in the running service; exit 1 if any failed or is',
    )
    .option('--json', 'print JSON')
    .action(async (options: Json) => {
      const { metrics } = await loadConfig(caller.environment, caller.folder);
      const report = await reportAt(metrics);
      print(options, report, statusText(report));
      if (report.state === 'failed' || report.state === 'behind') fail();
    });
}

/** @throws ConfigError, RemoteSilent */
async function reportAt(place: MetricsPlace | null): Promise<StatusReport> {
  const base = metricsAddress(place);
  if (base === null) {
    const value = place ? '0, which is any port' : 'off, so that the service tells no status';
    throw new ConfigError(`QUITTANCE_METRICS_PORT: is ${value}; name a port for both.`);
  }
  const ask = fetchAt(base);
  try {
    const answer = await ask(`${base}/status.json`, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (answer.status === 200) return (await answer.json()) as StatusReport;
    throw new Error(`status ${answer.status}`);
  } catch {
    throw new RemoteSilent(
      `no service tells its status at ${base}: start it, or run this beside it with its variables; doctor looks without one`,
    );
  }
}
