export { IS_UNDONE } from './recording/infrastructure/undone-refunds.js';
export { UNDECIDED_PARTS } from './returning/infrastructure/refunds/refund-meaning-columns.js';
