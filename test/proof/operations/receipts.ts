import fc from 'fast-check';
import { asked, type Books, creditOf, due, type Invoice, statusOf, takesMoney } from '../books.js';
import { ANY_INVOICE } from './invoices.js';
import { assertFields, type Call, refused } from '../judge.js';
import { currency, type FieldsOf, operation, pick, quarters } from './operation.js';
import { book } from './payments.js';
import { chosen, invoiceOf, quartersOf } from '../picks.js';
import { byAge } from '../dunned.js';
import type { World } from '../world.js';

const RECEIPT = {
  pick,
  others: fc.array(pick, { maxLength: 2 }),
  quarters,
  how: fc.constantFrom(
    'shares' as const,
    'shares' as const,
    'amounts' as const,
    'oldest_first' as const,
    'none' as const,
  ),
  from: fc.constantFrom('hand' as const, 'hand' as const, 'hand' as const, 'credit' as const),
};
const TOLERANCE = { currency, amount: fc.integer({ min: 0, max: 3000 }) };

interface Share {
  invoice: string;
  /** As much as is due and there when null. */
  amount: number | null;
}

/** One payment of a customer, for several invoices or none. */
function receipt(world: World, books: Books, wish: FieldsOf<typeof RECEIPT>): Call {
  const invoice = chosen(books.invoices, wish.pick);
  const picks = [wish.pick, ...wish.others];
  const named = [...new Set(picks.flatMap((pick) => chosen(books.invoices, pick) ?? []))];
  const [first = invoice] = named;
  const customer = first?.customer ?? books.customers[0] ?? '';
  const currency = first?.currency ?? 'EUR';
  const owed = named.reduce((sum, one) => sum + due(one), 0);
  const amount = quartersOf(owed, wish.quarters);
  const shares =
    wish.how === 'shares' || wish.how === 'amounts'
      ? sharesOf(named, (index) => wish.how === 'amounts' && (index + wish.pick) % 3 > 0)
      : [];
  const request = world.request('payments', {
    amount,
    method: wish.from === 'credit' ? 'credit_balance' : 'cash',
    ...(shares.length > 0
      ? {
          allocations: shares.map(asAllocation),
        }
      : {
          customer_id: customer,
          currency,
          allocate: wish.how === 'none' ? 'none' : 'oldest_first',
        }),
  });
  return {
    ...request,
    judge: (after, answer) => {
      const asked =
        shares.length > 0 || wish.how === 'none'
          ? shares
          : oldest(after, customer, currency).map(({ id }) => ({ invoice: id, amount: null }));
      const { parts, broken } = allocated(after, { customer, currency }, amount, asked);
      const applied = parts.reduce((sum, { share }) => sum + share, 0);
      if (wish.from === 'credit') {
        const isShort = amount > creditOf(after, customer, currency);
        broken.push(isShort && 'insufficient_credit');
        broken.push(applied < amount && 'allocations_exceed_amount');
      }
      if (refused(answer, broken)) return;
      const { payment } = answer.body as { payment: { id: string } };
      book(after, { customer, currency }, amount, parts, { id: payment.id, from: wish.from });
      const rest = amount - applied;
      assertFields(payment, { amount, applied, credited: rest, currency, customer_id: customer });
      assertFields(answer.body, { credited: rest });
      assertFields(
        Object.fromEntries((answer.body['documents'] as { id: string }[]).map(shownPart)),
        Object.fromEntries(parts.map(expectedPart)),
      );
    },
  };
}

/** Of some invoices: as much as is due, or an exact part of that. */
export function sharesOf(
  invoices: readonly Invoice[],
  isExact: (index: number) => boolean,
): Share[] {
  return invoices.map((one, index) => ({
    invoice: one.id,
    amount: isExact(index) ? quartersOf(due(one), 3) : null,
  }));
}

export function asAllocation({ invoice, amount }: Share): object {
  return { document_id: invoice, ...(amount !== null && { amount }) };
}

function shownPart(part: Record<string, unknown> & { id: string }): [string, unknown[]] {
  return [part.id, ['applied', 'amount_paid', 'amount_due', 'status'].map((name) => part[name])];
}

function expectedPart({ invoice, share }: Part): [string, unknown[]] {
  return [invoice.id, [share, invoice.paid, asked(invoice), statusOf(invoice)]];
}

/** All that is due to a customer in one currency: the oldest first. */
function oldest(books: Books, customer: string, currency: string): Invoice[] {
  return books.invoices
    .filter((one) => one.customer === customer && one.currency === currency)
    .filter((one) => one.lifecycle === 'open' && due(one) > 0)
    .sort(byAge);
}

interface Part {
  invoice: Invoice;
  share: number;
}

export function allocated(
  books: Books,
  of: { customer: string; currency: string },
  amount: number,
  shares: readonly Share[],
): { parts: Part[]; broken: (string | false)[] } {
  const broken: (string | false)[] = [];
  const parts: Part[] = [];
  let left = amount;
  for (const { invoice: id, amount: wanted } of shares) {
    const invoice = invoiceOf(books, id);
    const share = wanted ?? Math.max(0, Math.min(left, due(invoice)));
    broken.push(
      invoice.customer !== of.customer && 'customer_mismatch',
      invoice.currency !== of.currency && 'currency_mismatch',
      !takesMoney(invoice) && 'document_not_payable',
      share > due(invoice) && 'amount_exceeds_due',
      share > left && 'allocations_exceed_amount',
    );
    left -= share;
    if (wanted !== null || share > 0) parts.push({ invoice, share });
  }
  return { parts, broken };
}

/** How much of a shortfall an account lets pass, by currency. */
function tolerance(world: World, _books: Books, wish: FieldsOf<typeof TOLERANCE>): Call {
  const body = { underpayment_tolerance: [wish] };
  return {
    ...world.request('payment-settings', body, { method: 'patch' }),
    judge: (after, answer) => {
      if (refused(answer, [])) return;
      after.tolerance = { [wish.currency]: wish.amount };
      assertFields(answer.body, body);
    },
  };
}

export const RECEIPT_OPERATIONS = [
  operation('receipt', { weight: 4, fields: RECEIPT, needs: ANY_INVOICE, call: receipt }),
  operation('tolerance', { weight: 1, fields: TOLERANCE, call: tolerance }),
];
