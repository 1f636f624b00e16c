import fc from 'fast-check';
import { type Books, creditOf, due, type Figures } from '../books.js';
import { type Call, Disagreement } from '../judge.js';
import { quartersOf } from '../picks.js';
import type { World } from '../world.js';
import { INVOICE, issueInvoice } from './invoices.js';
import { type FieldsOf, operation } from './operation.js';
import { book } from './payments.js';

const PREPAYMENT = fc.record({
  quarters: fc.constantFrom(1, 1, 1, 2, 4, 5),
  from: fc.constantFrom('hand' as const, 'hand' as const, 'hand' as const, 'credit' as const),
  over: fc.constantFrom('reject' as const, 'credit' as const, 'credit' as const),
});
const PREPAID = { ...INVOICE, before: fc.array(PREPAYMENT, { minLength: 1, maxLength: 3 }) };

type Wish = FieldsOf<typeof PREPAID>;

const METHODS = { hand: 'bank_transfer', credit: 'credit_balance' } as const;

/** Money that came before an invoice is recorded with its issue, in the order in which it is told. */
function issuePrepaid(world: World, books: Books, wish: Wish): Call {
  let ids: string[] = [];
  let amounts: number[] = [];
  const { currency } = wish;
  const call = issueInvoice(world, books, wish, {
    body: ({ total }: Figures) => {
      amounts = wish.before.map((one) => quartersOf(total, one.quarters));
      const prepayments = amounts.map((amount, index) => ({
        amount,
        method: METHODS[wish.before[index]!.from],
        on_overpayment: wish.before[index]!.over,
      }));
      return { prepayments };
    },
    refusals: (after, figures, customer) => [
      isAbove(wish, amounts, figures.total) && 'amount_exceeds_due',
      spentOf(wish, amounts) > creditOf(after, customer, currency) && 'insufficient_credit',
    ],
    after: (after, made) => {
      amounts.forEach((amount, index) => {
        const id = ids[index];
        const { from } = wish.before[index]!;
        if (id === undefined) throw new Disagreement(`${made.id} has ${ids.length} payments`);
        const parts = [{ invoice: made, share: Math.min(amount, due(made)) }];
        book(after, made, amount, parts, { id, from, isPrepaid: true });
      });
    },
  });
  const send = async () => {
    const answer = await call.send();
    if (answer.status === 201) ids = await paymentsOf(world, String(answer.body['id']));
    return answer;
  };
  return { ...call, send };
}

/** Credit pays no more than is due, and other money only where its rest may be credit. */
function isAbove({ before }: Wish, amounts: readonly number[], total: number): boolean {
  let left = total;
  return before.some(({ from, over }, index) => {
    left -= amounts[index]!;
    return left < 0 && (from === 'credit' || over === 'reject');
  });
}

function spentOf({ before }: Wish, amounts: readonly number[]): number {
  return amounts.reduce(
    (sum, amount, index) => sum + (before[index]!.from === 'credit' ? amount : 0),
    0,
  );
}

/** The first is told first. */
async function paymentsOf(world: World, invoice: string): Promise<string[]> {
  const path = `/v1/finance/documents/${invoice}/payments`;
  const { body } = await world.client.get<{ data: { id: string }[] }>(path);
  return body.data.map(({ id }) => id);
}

export const PREPAID_OPERATIONS = [
  operation('prepaid', { weight: 2, fields: PREPAID, call: issuePrepaid }),
];
