import type { IsoDate } from '../../../kernel/clock.js';
import type { Money } from '../../../kernel/money.js';

/** Both days are in it (BG-14, BG-26). */
export interface SemanticPeriod {
  start: IsoDate | null;
  end: IsoDate | null;
}

/** BG-20, BG-21, and without tax also BG-27, BG-28. */
export interface SemanticAdjustment {
  /** BT-92, BT-99, BT-136, BT-141. */
  amount: Money;
  /** BT-93, BT-100, BT-137, BT-142: with a percentage only. */
  baseAmount: Money | null;
  /** BT-94, BT-101, BT-138, BT-143: with a base only. */
  percent: string | null;
  /** BT-97, BT-104, BT-139, BT-144. */
  reason: string | null;
  /** BT-98, BT-105, BT-140, BT-145. */
  reasonCode: string | null;
  /** BT-95 and BT-96, BT-102 and BT-103; a line has its own. */
  tax: SemanticTax | null;
}

export interface SemanticTax {
  /** UNTDID 5305. */
  category: string;
  /** Percent. */
  rate: string;
}
