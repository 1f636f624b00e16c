export { AccountProviderCatalogue } from './account-provider-catalogue.js';
export { configuredGateways } from './configured-gateways.js';
export { GatewaysModule } from './gateways.module.js';
export type { Provider } from './provider.js';
export { Providers } from './providers.js';
