import type { Uuid } from '../../kernel/ids.js';

/** A seal that somebody kept elsewhere: the chain must still have it. */
export interface KeptSeal {
  accountId: Uuid;
  sequence: bigint;
  /** 64 hexadecimal digits. */
  digest: string;
}

/** A customer who was erased, as the same place has it: a restore brings it back. */
export interface KeptErasure {
  accountId: Uuid;
  customerId: Uuid;
}

/** A number that was given, as the same place has it: no other document may get it. */
export interface KeptNumber {
  accountId: Uuid;
  series: string;
  period: string;
  sequence: bigint;
}
