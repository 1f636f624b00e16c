import type { EntryWish } from '../support/bank-files.js';
import { aBankCsv, aCamt053 } from '../support/bank-files.js';
import type { Answer } from '../support/http.js';
import { type BankEntry, type Books, due, type Invoice, takesMoney } from './books.js';
import { chosen, fitting, foreignCall, invoiceOf, quartersOf } from './document-operations.js';
import { assertFields, type Call, Disagreement, refused } from './judge.js';
import { book } from './payment-operations.js';
import { allocated, asAllocation, sharesOf } from './receipt-operations.js';
import type { WishOf } from './wishes.js';
import type { BankFile, World } from './world.js';

/** Entries of a file that comes again. */
export const MOST_AGAIN = 3;
/** Well formed, and nobody's. */
export const NO_ENTRY = 'bentry_01h455vb4pex5vsknk084sn02q';
const DIGITS: Record<string, number> = { EUR: 2, JPY: 0, KWD: 3 };

type Made = Omit<BankEntry, 'id' | 'status' | 'account'>;
type EntryAnswer = Pick<BankEntry, 'id' | 'status'> & {
  remittance: string;
  payment_id: string | null;
};

interface StatementAnswer {
  items: EntryAnswer[];
  counts: { known_before: number };
}

/** A bank's file; or the last one again, as it was or with more in it. */
export function statement(world: World, books: Books, wish: WishOf<'statement'>): Call {
  const last = world.files.findLast(({ entries }) => entries.length <= MOST_AGAIN);
  const file =
    wish.again === 'same' && last
      ? last
      : fileOf(world, books, wish, wish.again === 'longer' ? last : undefined);
  if (file !== last) world.files.push(file);
  const type = file.format === 'csv' ? 'text/csv' : 'application/xml';
  return {
    text: `import of ${file.format}: ${JSON.stringify(file.entries)}`,
    send: async () => {
      const path = '/v1/finance/bank-statements?decimal=point';
      const url = file.format === 'csv' ? path : path.split('?')[0]!;
      return withEntries(world, await world.client.post(url, file.text, { 'content-type': type }));
    },
    judge: (_after, answer) => {
      refused(answer, []);
      const { items, counts } = answer.body as unknown as StatementAnswer;
      const sum = items.length + counts.known_before;
      assertFields({ sum }, { sum: file.entries.length });
    },
    later: file.entries.map((made): Call['judge'] => (after, answer) => {
      const { items } = answer.body as unknown as StatementAnswer;
      const found = items.find(({ remittance }) => remittance.split(' ')[0] === made.label);
      const known = after.entries.find(({ label }) => label === made.label);
      // Of another file: it is judged there.
      if (!found) return;
      if (known) assertFields(found, { id: known.id, status: known.status });
      else judgeNew(after, made, found);
    }),
  };
}

/** With what became of its entries. */
async function withEntries({ client }: World, answer: Answer): Promise<Answer> {
  if (answer.status >= 400) return answer;
  const path = `/v1/finance/bank-entries?limit=100&statement_id=${String(answer.body['id'])}`;
  const { body } = await client.get<{ data: EntryAnswer[] }>(path);
  return { ...answer, body: { ...answer.body, items: body.data } };
}

function fileOf(
  world: World,
  books: Books,
  wish: WishOf<'statement'>,
  before: BankFile | undefined,
): BankFile {
  const format = before?.format ?? (wish.csv ? 'csv' : 'camt');
  const made = wish.entries.map((one) => entryOf(world, books, one, format));
  const entries = [...(before?.entries ?? []), ...made.map(([entry]) => entry)];
  const rows = [...(before?.rows ?? []), ...made.map(([, row]) => row)];
  const text = format === 'csv' ? aBankCsv(rows) : aCamt053(rows, `S-${world.nextLabel()}`);
  return { format, text, entries, rows };
}

function entryOf(
  world: World,
  books: Books,
  { kind, pick, and, quarters }: WishOf<'statement'>['entries'][number],
  format: BankEntry['format'],
): [Made, EntryWish] {
  const owed = fitting(books.invoices, (one) => takesMoney(one) && due(one) > 0);
  const invoices = pick % 4 > 0 ? owed : books.invoices;
  const first = chosen(invoices, pick);
  const second = kind === 'numbers' && and !== null ? chosen(invoices, and) : undefined;
  const named = [...new Set([first, second])].filter((one) => one !== undefined);
  const sum = named.reduce((all, one) => all + due(one), 0);
  const currency = first?.currency ?? 'EUR';
  const near = paymentNear(books, kind, currency, pick);
  const asDue = kind === 'numbers' || kind === 'amount';
  const amount = near ?? (asDue ? Math.max(sum, 1) : quartersOf(sum, quarters));
  const label = world.nextLabel();
  const isNamed = kind !== 'amount';
  const byReference = isNamed && kind !== 'numbers';
  const words = isNamed ? named.map((one) => (byReference ? one.reference : one.number)) : [];
  const direction = kind === 'debit' ? 'debit' : 'credit';
  const digits = DIGITS[currency] ?? 2;
  const on = new Date(world.service.clock.now().getTime() - 86_400_000 * (1 + (pick % 2)));
  const day = on.toISOString().slice(0, 10);
  const isReversal =
    (kind === 'reversal' || (kind === 'debit' && pick % 3 > 0)) && format === 'camt';
  const row: EntryWish = {
    amount: (amount / 10 ** digits).toFixed(digits),
    direction,
    currency,
    on: day,
    text: [label, ...words].join(' '),
    bankReference: label,
    isReversal,
  };
  const names = isNamed ? named.map(({ id }) => id) : [];
  return [{ label, format, day, amount, currency, direction, isReversal, names, byReference }, row];
}

/** The amount of a payment that the entry may be, or may take back with a fee; often none. */
function paymentNear(
  { payments }: Books,
  kind: WishOf<'statement'>['entries'][number]['kind'],
  currency: string,
  pick: number,
): number | undefined {
  if (pick % 2 === 0) return undefined;
  const isBack = kind === 'debit';
  const fit = payments.filter(
    (one) => one.currency === currency && one.from === 'hand' && (one.day !== null) === isBack,
  );
  const amount = chosen(fit, pick)?.amount;
  return amount === undefined || !isBack ? amount : amount + (pick % 4);
}

/** Entries are booked that the documentation calls sure, and no others. */
function judgeNew(books: Books, made: Made, { id, status, payment_id }: EntryAnswer): void {
  const { currency, amount, direction, isReversal } = made;
  const invoices = made.names.map((name) => invoiceOf(books, name));
  const parts = direction === 'debit' || isReversal ? null : surePartsOf(books, made, invoices);
  const entry: BankEntry = { ...made, id, status, account: null };
  books.entries.push(entry);
  if (parts) {
    assertFields({ status }, { status: 'booked' });
    const { customer } = parts[0]!.invoice;
    book(books, { customer, currency }, amount, parts, {
      id: payment_id ?? '',
      from: 'hand',
      entry: made,
    });
    return;
  }
  assertFields({ payment_id }, { payment_id: null });
  const may = statusesOf(books, made, invoices);
  if (may.includes(status)) return;
  throw new Disagreement(`${made.label} is ${status} instead of ${may.join(' or ')}`);
}

/** The statuses that an entry may get that is not booked. */
function statusesOf(books: Books, made: Made, invoices: readonly Invoice[]): string[] {
  const { amount, currency, direction, isReversal } = made;
  if (direction === 'debit') return ['debit'];
  if (isReversal) return ['unmatched'];
  const isOwed = (one: Invoice) => takesMoney(one) && due(one) > 0 && one.currency === currency;
  const isAlike = (one: Invoice) => isOwed(one) && one.lifecycle === 'open' && due(one) === amount;
  if (invoices.some(isOwed) || isRecorded(books, made)) return ['proposed'];
  // By its amount alone an invoice is found by its total; one that was named and is paid in this
  // moment may be proposed still.
  if (books.invoices.some((one) => isAlike(one) && one.total === amount)) return ['proposed'];
  const maybe = invoices.length > 0 || books.invoices.some(isAlike);
  return maybe ? ['unmatched', 'proposed'] : ['unmatched'];
}

/** A person recorded a payment in this amount on a document that the entry names. */
function isRecorded(books: Books, { amount, currency, names }: Made): boolean {
  return books.payments.some(
    (one) =>
      one.from === 'hand' &&
      one.entry === null &&
      !one.isLongAgo &&
      !one.reversed &&
      one.amount === amount &&
      one.currency === currency &&
      one.everOn.some((id) => names.includes(id)),
  );
}

function surePartsOf(books: Books, made: Made, invoices: readonly Invoice[]) {
  const { amount, currency, day, format } = made;
  const isTwin = books.entries.some(
    (one) =>
      IS_A_PAYMENT.has(one.status) &&
      one.direction === made.direction &&
      one.format !== format &&
      daysBetween(one.day, day) <= 3 &&
      one.amount === amount &&
      one.currency === currency,
  );
  const [first] = invoices;
  if (isTwin || !first || isRecorded(books, made)) return null;
  const isEachOwed = invoices.every(
    (one) =>
      takesMoney(one) &&
      due(one) > 0 &&
      one.currency === currency &&
      one.customer === first.customer,
  );
  if (!isEachOwed) return null;
  if (made.byReference) return [{ invoice: first, share: Math.min(due(first), amount) }];
  const sum = invoices.reduce((all, one) => all + due(one), 0);
  return sum === amount ? invoices.map((invoice) => ({ invoice, share: due(invoice) })) : null;
}

const IS_A_PAYMENT = new Set(['booked', 'recorded', 'returned']);

function daysBetween(one: string, other: string): number {
  return Math.abs(Date.parse(one) - Date.parse(other)) / 86_400_000;
}

/** Neither a payment nor on an account of the chart. */
export function isSettled({ status }: BankEntry): boolean {
  return IS_A_PAYMENT.has(status) || status === 'posted';
}

function isOpen(entry: BankEntry): boolean {
  return !isSettled(entry) && entry.status !== 'debit';
}

/** One that somebody may have to look at, or for some picks any. */
function pickedEntry({ entries }: Books, pick: number): BankEntry | undefined {
  return chosen(pick % 4 > 0 ? fitting(entries, isOpen) : entries, pick);
}

function brokenFor(entry: BankEntry, isBooking: boolean) {
  const { direction, isReversal } = entry;
  return [
    isSettled(entry) && 'bank_entry_booked',
    (direction === 'debit' || (isBooking && isReversal)) && 'bank_entry_not_bookable',
  ];
}

/** Somebody says what an entry is for. */
export function confirm(world: World, books: Books, wish: WishOf<'confirm'>): Call {
  const entry = pickedEntry(books, wish.pick);
  const near = fitting(books.invoices, ({ currency }) => currency === entry?.currency);
  const first = chosen(near, wish.to);
  const others = wish.others.flatMap((pick) => chosen(books.invoices, pick) ?? []);
  const named = wish.how === 'shares' ? [...new Set([first, ...others])] : [first];
  const known = named.filter((one) => one !== undefined);
  const isForeign = wish.how !== 'customer' && known.length === 0;
  const shares =
    wish.how === 'customer'
      ? []
      : sharesOf(known, (index) => wish.how === 'shares' && (index + wish.pick) % 3 === 0);
  const customer = shares.length > 0 ? known[0]!.customer : (books.customers[wish.to % 2] ?? '');
  const body =
    wish.how === 'customer'
      ? { customer_id: customer }
      : wish.how === 'document' || isForeign
        ? { document_id: first?.id ?? world.foreign.document }
        : { allocations: shares.map(asAllocation) };
  const request = world.request(`bank-entries/${entry?.id ?? NO_ENTRY}/confirm`, body);
  if (!entry) return foreignCall(request, 'bank_entry_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const of = after.entries.find(({ id }) => id === entry.id)!;
      const { amount, currency } = of;
      const whose = { customer, currency };
      const { parts, broken } = allocated(after, whose, amount, shares);
      const all = [...brokenFor(of, true), isForeign && 'unknown_document', ...broken];
      if (refused(answer, all)) return;
      const { payment_id: id } = answer.body as { payment_id: string };
      of.status = 'booked';
      assertFields(answer.body, { status: 'booked', amount });
      book(after, whose, amount, parts, { id, from: 'hand', entry: of });
    },
  };
}

/** It pays nothing here. */
export function ignore(world: World, books: Books, { pick }: WishOf<'ignore'>): Call {
  const entry = pickedEntry(books, pick);
  const request = world.request(`bank-entries/${entry?.id ?? NO_ENTRY}/ignore`, {});
  if (!entry) return foreignCall(request, 'bank_entry_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const of = after.entries.find(({ id }) => id === entry.id)!;
      if (refused(answer, brokenFor(of, false))) return;
      of.status = 'ignored';
      assertFields(answer.body, { status: 'ignored', payment_id: null });
    },
  };
}
