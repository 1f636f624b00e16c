import type { DomainError } from '../../kernel/domain-error.js';
import { type IdPrefix, publicId, type Uuid } from '../../kernel/ids.js';
import { PrivacyRefusal } from './privacy-refusals.js';

/** Something that needs to know who the customer is, and how it ends. */
const OPEN_BUSINESS = {
  draft: ['doc', 'delete or issue the draft'],
  quote: ['doc', 'void or convert the quote, or let it be answered'],
  invoice: ['doc', 'have it paid, write it off or void it:'],
  processing: ['doc', 'wait for the money on its way for'],
  undecided: ['doc', 'say what the refund means of'],
  credit: [null, 'give back the credit in'],
  refund: ['rfnd', 'wait for the refund'],
  receipt: ['rcpt', 'assign or give back the unmatched receipt'],
  dispute: ['dsp', 'wait for the end of the dispute'],
  mandate: ['mand', 'cancel the mandate'],
  schedule: ['sch', 'end the schedule'],
} as const satisfies Record<string, readonly [IdPrefix | null, string]>;

export interface OpenBusiness {
  what: keyof typeof OPEN_BUSINESS;
  /** Of credit its currency. */
  id: Uuid;
}

/** So many are named. */
export const MOST_NAMED = 20;

export function notErasable(open: readonly OpenBusiness[]): DomainError {
  const named = open.slice(0, MOST_NAMED).map(({ what, id }) => {
    const [prefix, todo] = OPEN_BUSINESS[what];
    return `${todo} ${prefix === null ? id : publicId(prefix, id)}`;
  });
  const more = open.length > MOST_NAMED ? '; and more' : '';
  return PrivacyRefusal.customer_not_erasable.of(
    `Something of this customer is still open, and has to be ended first: ${named.join('; ')}${more}.`,
  );
}
