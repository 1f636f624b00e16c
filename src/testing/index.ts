export {
  CONTRACT_CURRENCIES,
  type ContractCheck,
  type GatewayContractOptions,
} from './contract/contract-options.js';
export { gatewayContract } from './contract/gateway-contract.js';
export type { MandateStandIn, MandateTrial } from './contract/mandate-stand-in.js';
export type { RefundFault, RefundStandIn, RefundTrial } from './contract/refund-stand-in.js';
export {
  type EmbeddedService,
  type EmbeddedServiceOptions,
  startEmbeddedService as startService,
  type TriedGateway,
} from './service/embedded-service.js';
export type { ServiceAnswer, ServiceCall } from './service/http-call.js';
export { customerRequest, documentRequest, type DocumentWish } from './service/request-bodies.js';
export type { ClientWish, LinkToPay } from './service/running-service.js';
export { ServiceClient } from './service/service-client.js';
export { TestClock } from './test-clock.js';
