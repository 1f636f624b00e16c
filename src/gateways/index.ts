export { AccountProviderCatalogue } from './account-provider-catalogue.js';
export {
  configuredGateways,
  openProvider,
  settingComplaints,
  unknownSetting,
} from './configured-gateways.js';
export { GatewayWithApi, type RefundApi } from './gateway-with-api.js';
export { GatewaysModule } from './gateways.module.js';
export {
  accepted as acceptedAnswer,
  ProviderApi,
  type ProviderAnswer,
  unavailable as providerUnavailable,
} from './provider-api.js';
export {
  type GatewayContext,
  type Provider,
  type SettingKinds,
  SettingRefused,
} from './provider.js';
export { pinnedCertificates } from './paypal/paypal-certificates.js';
export { type ProviderMaker, providerMade, Providers } from './providers.js';
