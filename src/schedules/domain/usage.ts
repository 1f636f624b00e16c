import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';

/** A quantity that was reported for lines with a meter. */
export interface ReportedUsage {
  id: Uuid;
  meter: string;
  /** Decimal. */
  quantity: string;
  usedOn: IsoDate;
  /** The first day of a period; null: not yet. */
  billedBy: IsoDate | null;
  createdAt: Date;
}

/** By meter: decimals. */
export type UsageSums = ReadonlyMap<string, string>;
