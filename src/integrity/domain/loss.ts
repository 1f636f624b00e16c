import { publicId } from '../../kernel/ids.js';
import type { KeptSeal } from './kept-seal.js';

/** Facts and seals that the database had, and has no more; of many, a part. */
export interface Loss {
  noticedAt: Date;
  count: number;
  /** `document.paid evt_... of INV-2026-00001` */
  facts: string[];
  /** `seal 12 of acc_...` */
  seals: string[];
}

export function sealName({
  accountId,
  sequence,
}: Pick<KeptSeal, 'accountId' | 'sequence'>): string {
  return `seal ${sequence} of ${publicId('acc', accountId)}`;
}
