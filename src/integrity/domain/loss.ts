/** What a database no longer has, though it was promised or sealed. */
export interface Loss {
  noticedAt: Date;
  /** How many facts; `facts` has the first of them. */
  count: number;
  /** `payment.recorded evt_... of doc_...`, or with the number of the document. */
  facts: string[];
  /** `seal 12 of acc_...` */
  seals: string[];
}
