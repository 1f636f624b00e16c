import { add, type Books, type Dispute, type Payment, post } from './books.js';
import { chargeOf, freeOf, giveAgain, goneOf, newestFirst, take } from './taken-back.js';

/*
 * A payer disputes a payment: the provider may hold it, and then gives it back or keeps it. The
 * provider's last word counts, whatever order its words come in.
 */

/** A word of the provider on a dispute. */
export interface Word {
  id: string;
  status: Dispute['status'];
  amount: number;
  /** All that it charges for it, if it says so. */
  fee: number | null;
  at: number;
  /** The part that the provider has by now, if it says so. */
  withdrawn?: number;
}

function heldBy(books: Books, payment: string): number {
  return books.disputes
    .filter((one) => one.payment === payment)
    .reduce((sum, { withdrawn, taken }) => sum + withdrawn - taken, 0);
}

/** The part of a provider's payment that nothing has taken, and no dispute holds. */
export function leftOf(books: Books, paid: { id: string; amount: number }): number {
  return paid.amount - goneOf(books, paid.id) - heldBy(books, paid.id);
}

const isDecided = (status: Dispute['status']) => status !== 'open' && status !== 'inquiry';

/** Of two words of one instant the one that decides is the last. */
const decidedBy = (known: Dispute, word: Word) =>
  isDecided(word.status) ? word.status : known.status;

export function dispute(
  books: Books,
  paid: { id: string; amount: number },
  link: string,
  word: Word,
): void {
  const known = books.disputes.find(({ id }) => id === word.id);
  if (known && word.at < known.at) return;
  const status =
    known?.at === word.at && isDecided(known.status) ? decidedBy(known, word) : word.status;
  const isStill = known?.status === status && known.amount === word.amount;
  const isHeld = status === 'open' || status === 'lost';
  const expected = isStill ? known.withdrawn : isHeld ? word.amount : 0;
  const wanted = word.withdrawn ?? expected;
  settle(books, paid, link, { ...word, status }, wanted);
}

/** A reversal that its provider reports while a dispute is open is that dispute's end. */
export function endByReversal(
  books: Books,
  paid: { id: string; amount: number },
  link: string,
  at: number,
): boolean {
  const open = books.disputes.find(
    ({ payment, status }) => payment === paid.id && (status === 'open' || status === 'inquiry'),
  );
  if (!open) return false;
  const { id, amount } = open;
  const wanted = open.withdrawn + leftOf(books, paid);
  const word = { id, status: 'lost' as const, amount, fee: null, at: Math.max(at, open.at) };
  settle(books, paid, link, word, wanted);
  return true;
}

function settle(
  books: Books,
  paid: { id: string; amount: number },
  link: string,
  { id, status, amount, fee, at }: Word,
  wanted: number,
): void {
  let one = books.disputes.find((known) => known.id === id);
  if (!one) {
    one = { id, payment: paid.id, status, amount, at, withdrawn: 0, taken: 0, fee: 0 } as Dispute;
    Object.assign(one, {
      on: {},
      disputed: 0,
      gave: {},
      waived: {},
      receiptGave: 0,
      receiptLost: 0,
    });
    books.disputes.push(one);
  }
  const { currency, payment } = chargeOf(books, paid.id);
  const withdrawn = Math.min(wanted, one.withdrawn + leftOf(books, paid));
  post(books, currency, 'disputed_funds', 'gateway_clearing', withdrawn - one.withdrawn);
  const charged = fee ?? one.fee;
  post(books, currency, 'gateway_fees', 'gateway_clearing', charged - one.fee);
  Object.assign(one, { status, amount, at, withdrawn, fee: charged });
  const held = withdrawn - one.taken;
  if (held < 0) giveAgain(books, one, link);
  else if (status === 'lost' && held > 0) {
    take(books, paid, link, { amount: held, at, of: one });
  }
  const disputed = Math.max(withdrawn - one.taken, status === 'open' ? amount - one.taken : 0);
  const on = payment ? disputedOn(books, payment, one, disputed) : {};
  Object.assign(one, { disputed, on });
}

/** The documents whose money is disputed: credit is first, as it goes first. */
function disputedOn(books: Books, payment: Payment, of: Dispute, disputed: number) {
  const on: Record<string, number> = {};
  let rest = disputed - Math.min(disputed, freeOf(books, payment, 'credit', of));
  for (const document of newestFirst(payment)) {
    const part = Math.min(rest, freeOf(books, payment, document, of));
    if (part > 0) add(on, document, part);
    rest -= part;
  }
  return on;
}
