export { IS_UNDONE } from './infrastructure/refund-columns.js';
