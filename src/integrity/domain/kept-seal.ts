import type { Uuid } from '../../kernel/ids.js';

/** A seal that somebody kept elsewhere: the chain must still have it. */
export interface KeptSeal {
  accountId: Uuid;
  sequence: bigint;
  /** 64 hexadecimal digits. */
  digest: string;
}
