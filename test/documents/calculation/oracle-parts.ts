import type { AdjustmentRequest } from '../../../src/documents/domain/calculation/calculation-request.js';
import { plain, type Ratio } from './ratio.js';
import type { ExpectedShare, Tax } from './verdict.js';

export interface Group extends Tax {
  key: string;
  percent: Ratio;
  /** Indexes of its lines. */
  lines: number[];
}

export interface Part {
  group: Group;
  amount: bigint;
  net: bigint;
  /** By index of the document's line; empty for a charge with a tax of its own. */
  onLines: Map<number, bigint>;
}

export function termsOf({ percent, reason }: AdjustmentRequest) {
  return { percent: percent === undefined ? null : plain(percent), reason: reason ?? null };
}

export function sharesOf(parts: Part[]): ExpectedShare[] {
  return parts
    .map(({ group: { category, rate }, amount, net }) => ({ category, rate, amount, net }))
    .filter((share) => share.amount !== 0n || share.net !== 0n);
}
