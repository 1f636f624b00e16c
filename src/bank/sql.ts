export { gatewayMovements } from './infrastructure/gateway-movements-sql.js';
