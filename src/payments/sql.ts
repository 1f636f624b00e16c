export { IS_UNDONE } from './infrastructure/refund-columns.js';
export { UNDECIDED_PARTS } from './infrastructure/refunds/refund-meaning-columns.js';
