export {
  CONTRACT_CURRENCIES,
  type ContractCheck,
  type GatewayContractOptions,
} from './contract/contract-options.js';
export { gatewayContract } from './contract/gateway-contract.js';
export type { MandateStandIn, MandateTrial } from './contract/mandate-stand-in.js';
export type { RefundFault, RefundStandIn, RefundTrial } from './contract/refund-stand-in.js';
export { TestClock } from './test-clock.js';
