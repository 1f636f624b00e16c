import type { IsoDate } from '../../kernel/clock.js';

/** A schedule that its client wants ended, as its seller is told of it. */
export interface AskedEnd {
  /** `sch_...` */
  schedule: string;
  name: string;
  /** Its customer, by name. */
  client: string;
  email: string | null;
  /** The day of its next document. */
  nextOn: IsoDate | null;
}
