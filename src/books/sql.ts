export { SPANS } from './infrastructure/transfer-sums.repository.js';
export { sumsUntil, summedThrough } from './infrastructure/summed-transfers.js';
