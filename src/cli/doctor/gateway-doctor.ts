import {
  AccountProviderCatalogue,
  configuredGateways,
  type Providers,
} from '../../gateways/index.js';
import { SystemClock } from '../../kernel/clock.js';
import { type Gateway, type GatewayCheck, surveyAccountGateways } from '../../payments/index.js';
import { OutgoingClient } from '../../platform/http/outgoing/outgoing-client.js';
import type { Config } from '../../platform/config/config.js';

const AT_ONCE = 8;
/** Providers that answer slowly leave the others for the next time. */
const LONGEST_MS = 6_000;

type Query = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

interface Examined {
  name: string;
  checks: readonly GatewayCheck[];
}

/**
 * Asks the provider of every gateway, of the configuration and of accounts, whether it works.
 * @throws Error that names those that do not
 */
export async function examineGateways(
  config: Config,
  { all }: Providers,
  query: Query,
): Promise<string | { warning: string }> {
  const clock = new SystemClock();
  const outgoing = new OutgoingClient(config.outgoing);
  const catalogue = new AccountProviderCatalogue(all, config, clock, outgoing);
  const survey = await surveyAccountGateways(query, config, catalogue).catch(() => ({
    opened: [],
    warnings: [],
  }));
  const configured = [...configuredGateways(config, { clock, outgoing }, all).values()];
  const examined = await examineAll([...configured, ...survey.opened]);
  const failed = saying(examined, 'failed');
  if (failed.length > 0) throw new Error(failed.join('; '));
  const left = configured.length + survey.opened.length - examined.length;
  const warnings = [
    ...survey.warnings,
    ...saying(examined, 'warning'),
    ...(left > 0 ? [`${left} gateways could not be asked in ${LONGEST_MS} ms`] : []),
  ];
  if (warnings.length > 0) return { warning: warnings.join('; ') };
  const asked = examined.filter(({ checks }) => checks.some(({ status }) => status === 'ok'));
  return asked.map(({ name }) => `${name} works`).join(', ') || 'none could be asked';
}

async function examineAll(gateways: readonly Gateway[]): Promise<Examined[]> {
  const examined: Examined[] = [];
  const until = performance.now() + LONGEST_MS;
  for (let from = 0; from < gateways.length && performance.now() < until; from += AT_ONCE) {
    const some = gateways.slice(from, from + AT_ONCE);
    examined.push(
      ...(await Promise.all(
        some.map(async (gateway) => ({ name: gateway.name, checks: await gateway.check() })),
      )),
    );
  }
  return examined;
}

function saying(examined: readonly Examined[], status: GatewayCheck['status']): string[] {
  return examined.flatMap(({ name, checks }) =>
    checks
      .filter((check) => check.status === status)
      .map(({ check, detail }) => `${name}: ${check}: ${detail}`),
  );
}
