import { addDays, type IsoDate } from '../../kernel/clock.js';
import type { PublicId } from '../../kernel/ids.js';

/** The statement of account that a customer gets for one month. */
export interface StatedMonth {
  customer: PublicId;
  /** `2026-10` */
  month: string;
}

/** One message for a customer and month. */
export const factOfMonth = ({ customer, month }: StatedMonth) => `statement:${month}:${customer}`;

/** Both days belong to it. */
export function daysOfMonth(month: string): { from: IsoDate; to: IsoDate } {
  const from = `${month}-01`;
  const inTheNext = addDays(from, 31);
  return { from, to: addDays(`${inTheNext.slice(0, 7)}-01`, -1) };
}
