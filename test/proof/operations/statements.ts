import fc from 'fast-check';
import type { EntryWish } from '../../support/bank-files.js';
import { aBankCsv, aCamt053 } from '../../support/bank-files.js';
import type { Answer } from '../../support/http.js';
import { judgeNew, type EntryAnswer, type MadeEntry } from '../entry-judgement.js';
import { type BankEntry, type Books, due, nowIn, takesMoney } from '../books.js';
import { ANY_INVOICE } from './invoices.js';
import { assertFields, type Call, refused } from '../judge.js';
import { moneyOf } from './payments.js';
import { type FieldsOf, type Need, operation, pick, quarters, wishOf } from './operation.js';
import { chosen, fitting, quartersOf } from '../picks.js';
import type { BankFile, World } from '../world.js';

const ENTRY = {
  kind: fc.constantFrom(
    'reference' as const,
    'reference' as const,
    'numbers' as const,
    'numbers' as const,
    'amount' as const,
    'debit' as const,
    'reversal' as const,
  ),
  pick,
  and: fc.option(pick, { freq: 2 }),
  quarters,
};
const STATEMENT = {
  entries: fc.array(fc.record(ENTRY), { minLength: 1, maxLength: 3 }),
  csv: fc.boolean(),
  again: fc.constantFrom('no' as const, 'no' as const, 'same' as const, 'longer' as const),
};
/** Entries of a file that comes again. */
const MOST_AGAIN = 3;
const DIGITS: Record<string, number> = { EUR: 2, JPY: 0, KWD: 3 };

interface StatementAnswer {
  items: EntryAnswer[];
  counts: { known_before: number };
}

/** A bank's file; or the last one again, as it was or with more in it. */
function statement(world: World, books: Books, wish: FieldsOf<typeof STATEMENT>): Call {
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
      else judgeNew(after, made, found, othersThan(world, made));
    }),
  };
}

/** Entries of files that do not tell of this one. */
function othersThan({ files }: World, { label }: MadeEntry): MadeEntry[] {
  const tells = ({ entries }: BankFile) => entries.some((one) => one.label === label);
  const beside = new Set(
    files.filter(tells).flatMap(({ entries }) => entries.map((one) => one.label)),
  );
  return files.flatMap(({ entries }) => entries.filter((one) => !beside.has(one.label)));
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
  wish: FieldsOf<typeof STATEMENT>,
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
  { kind, pick, and, quarters }: FieldsOf<typeof ENTRY>,
  format: BankEntry['format'],
): [MadeEntry, EntryWish] {
  const owed = fitting(books.invoices, (one) => takesMoney(one) && due(one) > 0);
  const invoices = pick % 4 > 0 ? owed : books.invoices;
  const first = chosen(invoices, pick);
  const second = kind === 'numbers' && and !== null ? chosen(invoices, and) : undefined;
  const named = [...new Set([first, second])].filter((one) => one !== undefined);
  const sum = named.reduce((all, one) => all + due(one), 0);
  const currency = first?.currency ?? 'EUR';
  const near = payoutNear(books, kind, currency, pick) ?? paymentNear(books, kind, currency, pick);
  const asDue = kind === 'numbers' || kind === 'amount';
  const amount = near ?? (asDue ? Math.max(sum, 1) : quartersOf(sum, quarters));
  const label = world.nextLabel();
  const isNamed = kind !== 'amount';
  const byReference = isNamed && kind !== 'numbers';
  const words = isNamed ? named.map((one) => (byReference ? one.reference : one.number)) : [];
  const direction = kind === 'debit' ? 'debit' : 'credit';
  const digits = DIGITS[currency] ?? 2;
  const on = new Date(nowIn(books).getTime() - 86_400_000 * (1 + (pick % 2)));
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
  kind: FieldsOf<typeof ENTRY>['kind'],
  currency: string,
  pick: number,
): number | undefined {
  if (pick % 2 === 0) return undefined;
  const isBack = kind === 'debit';
  const fit = payments.filter(
    (one) =>
      moneyOf(one).currency === currency && one.from === 'hand' && (one.day !== null) === isBack,
  );
  const payment = chosen(fit, pick);
  const amount = payment && moneyOf(payment).amount;
  return amount === undefined || !isBack ? amount : amount + (pick % 4);
}

/** The amount of a payout on its way, for money that names nothing. */
function payoutNear(
  { payouts }: Books,
  kind: FieldsOf<typeof ENTRY>['kind'],
  currency: string,
  pick: number,
): number | undefined {
  if ((kind !== 'amount' && kind !== 'debit') || pick % 3 === 0) return undefined;
  const fit = payouts.filter(
    (one) =>
      one.currency === currency && one.status === 'sent' && one.amount < 0 === (kind === 'debit'),
  );
  const payout = chosen(fit, pick);
  return payout && Math.abs(payout.amount);
}

const importing = operation('statement', {
  weight: 2,
  fields: STATEMENT,
  needs: ANY_INVOICE,
  transactions: ({ entries, again }) => 1 + entries.length + (again === 'no' ? 0 : MOST_AGAIN),
  call: statement,
});

export const ANY_ENTRY: Need = {
  of: (_world, { entries }) => entries,
  first: wishOf(importing, {
    entries: [{ kind: 'amount', pick: 0, and: null, quarters: 4 }],
    csv: false,
    again: 'no',
  }),
};

export const STATEMENT_OPERATIONS = [importing];
