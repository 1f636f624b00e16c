import type { Config } from '../../../platform/config/config.js';
import { type ProviderCatalogue, keyOfGateway, settingTexts } from '../domain/account-gateway.js';
import type { Gateway } from '../domain/gateway.js';
import { allAccountGateways } from '../infrastructure/account-gateway.repository.js';
import { publicId } from '../../../kernel/ids.js';
import { allExtensionSettings } from '../infrastructure/extension-settings.repository.js';
import { GatewaySettingsCipher } from './gateway-settings-cipher.js';

type Query = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

/** Gateways of all accounts and what keeps some from opening, and settings of extensions that age; for the operator. */
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
  for (const stored of await allExtensionSettings(query)) {
    const of = `settings of ${stored.extension} of ${publicId('acc', stored.accountId)}`;
    if (!cipher.read(stored).settings)
      warnings.push(`${of} were encrypted with a secret that QUITTANCE_SECRET does not have`);
    else if (cipher.resealed(stored)) warnings.push(`${of} are encrypted with an older secret`);
  }
  return { opened, warnings };
}
