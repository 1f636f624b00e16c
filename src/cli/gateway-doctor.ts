import { AccountProviderCatalogue, configuredGateways, type Providers } from '../gateways/index.js';
import { SystemClock } from '../kernel/clock.js';
import { type Gateway, type GatewayCheck, surveyAccountGateways } from '../payments/index.js';
import { OutgoingClient } from '../platform/http/outgoing/outgoing-client.js';
import type { Config } from '../platform/config/config.js';

const AT_ONCE = 8;

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
  const configured = configuredGateways(config, { clock, outgoing }, all).values();
  const examined = await examineAll([...configured, ...survey.opened]);
  const failed = saying(examined, 'failed');
  if (failed.length > 0) throw new Error(failed.join('; '));
  const warnings = [...survey.warnings, ...saying(examined, 'warning')];
  if (warnings.length > 0) return { warning: warnings.join('; ') };
  const asked = examined.filter(({ checks }) => checks.some(({ status }) => status === 'ok'));
  return asked.map(({ name }) => `${name} works`).join(', ') || 'none could be asked';
}

async function examineAll(gateways: readonly Gateway[]): Promise<Examined[]> {
  const examined: Examined[] = [];
  for (let from = 0; from < gateways.length; from += AT_ONCE) {
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
