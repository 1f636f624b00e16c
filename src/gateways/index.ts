export { configuredGateways, gatewayRefusals } from './configured-gateways.js';
export { GatewaysModule } from './gateways.module.js';
