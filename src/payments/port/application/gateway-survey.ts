import type { Config } from '../../../platform/config/config.js';
import { type ProviderCatalogue, keyOfGateway, settingTexts } from '../domain/account-gateway.js';
import type { Gateway } from '../domain/gateway.js';
import { allAccountGateways } from '../infrastructure/account-gateway.repository.js';
import { GatewaySettingsCipher } from './gateway-settings-cipher.js';

type Query = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

/** The gateways of all accounts, and what keeps some from opening; for the operator. */
export async function surveyAccountGateways(
  query: Query,
  config: Config,
  catalogue: ProviderCatalogue,
): Promise<{ opened: Gateway[]; warnings: string[] }> {
  const cipher = new GatewaySettingsCipher(config);
  const configured = new Set(config.gateways.map(({ name }) => name));
  const opened: Gateway[] = [];
  const warnings: string[] = [];
  for (const stored of await allAccountGateways(query)) {
    const name = keyOfGateway(stored);
    const { settings } = cipher.read(stored);
    if (!settings) {
      warnings.push(`${name} was encrypted with a secret that QUITTANCE_SECRET does not have`);
      continue;
    }
    if (cipher.resealed(stored)) warnings.push(`${name} is encrypted with an older secret`);
    if (configured.has(stored.name))
      warnings.push(`${name} is called ${stored.name}, as a gateway of the configuration`);
    const { accountId, provider } = stored;
    const texts = settingTexts(settings, false);
    const gateway = catalogue.open({ name, accountId, provider, settings: texts });
    if (!Array.isArray(gateway)) opened.push(gateway);
    else warnings.push(`${name} does not open: ${gateway[0]?.setting} ${gateway[0]?.reason}`);
  }
  return { opened, warnings };
}
