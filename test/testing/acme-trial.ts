import { Money } from '../../src/kernel/money.js';
import { gatewayContract, type GatewayContractOptions } from '../../src/testing/index.js';
import type { AcmeFault } from './acme-faults.js';
import { ACME_API, acmeMac, acmeProvider } from './acme-provider.js';
import { acmeStandIn } from './acme-stand-in.js';

export const ACME_SETTINGS = { webhook_secret: 'a secret of the tests' };

/** Acme, as the contract is told of it. */
export const ACME_OPTIONS: GatewayContractOptions = {
  settings: ACME_SETTINGS,
  sign: (body) => ({
    'content-type': 'application/json',
    'acme-signature': acmeMac(ACME_SETTINGS.webhook_secret, body),
  }),
  events: { refunded: 'refund', others: 'untold' },
  api: { host: ACME_API, settings: () => ({ api_key: 'key' }) },
  refunds: {
    open: async () => acmeStandIn(ACME_SETTINGS),
    unsayable: Money.of(1250n, 'HUF'),
    refusal: 'too_old',
  },
  mandates: { open: async () => acmeStandIn(ACME_SETTINGS) },
};

/** The checks that fail, each with its sentence. */
export async function failuresOf(
  fault: AcmeFault | undefined,
  given: Partial<GatewayContractOptions> = {},
): Promise<Record<string, string>> {
  const failed: Record<string, string> = {};
  for (const { name, run } of gatewayContract(acmeProvider(fault), { ...ACME_OPTIONS, ...given })) {
    await run().catch((error: unknown) => {
      failed[name] = error instanceof Error ? error.message : String(error);
    });
  }
  return failed;
}

/** Acme forgets the ids of refunds where the mistake is about that. */
export function failuresWith(fault: AcmeFault): Promise<Record<string, string>> {
  if (fault !== 'a refund needs no id') return failuresOf(fault);
  return failuresOf(fault, {
    refunds: { open: async () => acmeStandIn(ACME_SETTINGS, { forgetsIds: true }) },
  });
}
