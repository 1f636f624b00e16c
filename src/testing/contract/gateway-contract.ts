import { AssertionError, ok } from 'node:assert';
import { type Provider, type ProviderMaker, providerMade } from '../../gateways/index.js';
import {
  assertOptions,
  type ContractCheck,
  type GatewayContractOptions,
} from './contract-options.js';
import { ContractTrial, shown } from './contract-trial.js';
import { hostChecks } from './host-checks.js';
import { mandateChecks } from './mandate-checks.js';
import { mutantChecks } from './mutant-checks.js';
import { nonsenseChecks } from './nonsense-checks.js';
import { refundChecks } from './refund-checks.js';
import { sampleChecks } from './sample-checks.js';
import { signatureChecks } from './signature-checks.js';

/**
 * All that a provider promises, as checks for any test runner:
 *
 *   for (const { name, run } of gatewayContract(acme, { settings, sign })) test(name, run);
 *
 * @param given a provider, or the default export of the module that makes one
 * @throws TypeError with a sentence, if an option is missing
 * @throws ConfigError that names the parts of a provider that is none
 */
export function gatewayContract(
  given: Provider | ProviderMaker,
  options: GatewayContractOptions,
): ContractCheck[] {
  assertOptions(options);
  const provider = providerMade(given);
  const trial = new ContractTrial(provider, options);
  const checks: ContractCheck[] = [
    ...sampleChecks(trial),
    ...signatureChecks(trial),
    ...mutantChecks(trial),
    ...nonsenseChecks(trial),
    ...hostChecks(trial),
    ...refundChecks(trial),
    ...mandateChecks(trial),
    {
      name: 'has each of its secrets tried',
      run: async () => triesSecrets(provider, options),
    },
  ];
  return checks.map((check) => ({ ...check, run: async () => inWords(provider.name, check) }));
}

/** An error of the provider's own says where it came from, not that it is the provider's. */
async function inWords(provider: string, { name, run }: ContractCheck): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    const message = `${provider} throws ${shown(error)} where it has to answer: ${name}.`;
    throw Object.assign(new AssertionError({ message }), { cause: error });
  }
}

/** A key that nobody gives opens calls that nobody sees. */
function triesSecrets({ name, kinds = {} }: Provider, { settings, api }: GatewayContractOptions) {
  const given = { ...settings, ...api?.settings('https://api.example') };
  const untried = Object.entries(kinds).flatMap(([setting, kind]) =>
    ['secret', 'rotated'].includes(kind) && !(setting in given) ? [setting] : [],
  );
  ok(
    untried.length === 0,
    `${name} has the secret settings ${untried.join(', ')}, which no check gives it; give those of ` +
      'its API in `api: { settings: (base) => ({ ... }) }`, and others in `settings`.',
  );
}
