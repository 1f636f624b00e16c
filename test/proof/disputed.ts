import { add, type Books, type Dispute, post, type Reversal, takenNothing } from './books.js';
import { askForLost, chargeOf, giveAgain, goneOf, placeDisputes, take } from './taken-back.js';

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
  const isHeld = status === 'open' || status === 'lost';
  const said = word.withdrawn ?? (isHeld ? word.amount : 0);
  // A word that is passed over says nothing of the money, if it is about the same.
  const isPassedOver = status !== word.status && known?.amount === word.amount;
  const wanted = isPassedOver
    ? known.withdrawn
    : status === word.status
      ? said
      : isHeld
        ? word.amount
        : 0;
  const reversed = looseReversals(books, paid.id);
  settle(books, paid, link, { ...word, status }, { wanted, reversed });
}

/**
 * A reversal that its provider reports while a dispute is open is that dispute's end. One over no
 * more than a lost dispute took is told once more.
 */
export function endByReversal(
  books: Books,
  paid: { id: string; amount: number },
  link: string,
  { at, name, told }: { at: number; name: string | null; told: number | null },
): boolean {
  const its = books.disputes.find(
    ({ payment, status, withdrawn, reversals }) =>
      payment === paid.id &&
      reversals.length === 0 &&
      (!isDecided(status) || (status === 'lost' && told !== null && told <= withdrawn)),
  );
  if (!its) return false;
  const { id, amount } = its;
  const whole = told ?? its.withdrawn + Math.max(0, leftOf(books, paid));
  const wanted = isDecided(its.status) ? its.withdrawn : whole;
  const word = { id, status: 'lost' as const, amount, fee: null, at: Math.max(at, its.at) };
  settle(books, paid, link, word, { wanted, reversed: [] });
  if (name !== null) its.reversals.push(name);
  return true;
}

function settle(
  books: Books,
  paid: { id: string; amount: number },
  link: string,
  { id, status, amount, fee, at }: Word,
  { wanted: withdrawn, reversed }: { wanted: number; reversed: readonly Reversal[] },
): void {
  let one = books.disputes.find((known) => known.id === id);
  if (!one) {
    const none = { withdrawn: 0, taken: 0, adopted: 0, fee: 0, disputed: 0, on: {}, reversals: [] };
    one = { id, payment: paid.id, status, amount, at, ...none, ...takenNothing() };
    books.disputes.push(one);
  }
  const { currency, payment } = chargeOf(books, paid.id);
  let known = 0;
  for (const from of reversed) known += takeOver(one, from, withdrawn - one.withdrawn - known);
  const more = withdrawn - one.withdrawn - known;
  post(books, currency, 'disputed_funds', 'gateway_clearing', more);
  const charged = fee ?? one.fee;
  post(books, currency, 'gateway_fees', 'gateway_clearing', charged - one.fee);
  // A reversal's part is decided; all else is only held until the dispute is.
  const decided = status === 'lost' ? withdrawn : Math.min(withdrawn, one.adopted);
  const disputed = Math.max(withdrawn - decided, status === 'open' ? amount - decided : 0);
  Object.assign(one, { status, amount, at, withdrawn, fee: charged, disputed });
  const change = decided - one.taken;
  if (change > 0) take(books, paid, link, { amount: change, at, of: one, taken: one });
  if (change < 0) giveAgain(books, one, link, -change);
  if (change < 0 && payment) askForLost(books, payment);
  if (payment) placeDisputes(books, payment);
}

/**
 * Reversals that were told before their dispute, and are no other's money. The first with a name, or
 * all without one, which are of the money as a whole.
 */
function looseReversals({ disputes, reversals }: Books, payment: string): Reversal[] {
  const its = disputes.filter((one) => one.payment === payment);
  const known = new Set(its.flatMap((one) => one.reversals));
  const own = reversals.filter((one) => one.payment === payment);
  const named = own.find(({ name }) => name !== null && !known.has(name));
  if (named) return [named];
  return own.filter(({ name, amount, adopted }) => name === null && amount > adopted);
}

/**
 * A reversal took the money before its dispute was told: nothing moves. If it comes back, it goes to
 * the places that gave it then.
 * @returns the part of the dispute that it is
 */
function takeOver(one: Dispute, from: Reversal, wanted: number): number {
  const part = Math.min(from.amount - from.adopted, wanted);
  if (part <= 0) return 0;
  for (const [id, gave] of Object.entries(from.gave)) add(one.gave, id, gave);
  for (const [id, waived] of Object.entries(from.waived)) add(one.waived, id, waived);
  const ofReceipt = Math.min(from.receiptGave, part);
  one.receiptGave += ofReceipt;
  one.receiptLost += Math.min(from.receiptLost, ofReceipt);
  one.taken += part;
  one.adopted += part;
  from.adopted += part;
  if (from.name !== null) one.reversals.push(from.name);
  return part;
}
