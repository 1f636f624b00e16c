import fc from 'fast-check';
import {
  type Books,
  due,
  type Figures,
  figuresOf,
  type Invoice,
  kept,
  nowIn,
  onItsWay,
  post,
  shown,
  statusOf,
} from '../books.js';
import { assertFields, type Call, refused } from '../judge.js';
import { currency, type FieldsOf, type Need, operation, pick, wishOf } from './operation.js';
import { chosen, foreignCall, invoiceOf } from '../picks.js';
import { assertCharged, figuresIn, issued, takesNext } from '../issued.js';
import type { World } from '../world.js';

const LINE = fc.record({
  amount: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
    { weight: 1, arbitrary: fc.constant(0) },
  ),
  rate: fc.constantFrom(0, 7, 19),
  /** Something that comes back. */
  isBack: fc.constantFrom(false, false, false, false, true),
});
export const INVOICE = {
  customer: fc.nat({ max: 1 }),
  currency,
  lines: fc.array(LINE, { minLength: 1, maxLength: 3 }),
  coin: fc.constantFrom(null, null, 5),
  /** Issued so many days ago, with an agreed reduction; null: today, without one. */
  discounted: fc.constantFrom(null, null, 0, 6, 8, 13, 15),
};
/** An age of 6 days is in time, and 8 is late, also if midnight passes in between. */
const DISCOUNTS = [
  { percent: 3, days: 7 },
  { percent: 2, days: 14 },
];
const DAY_MS = 86_400_000;
const PICKED = { pick };

/** More than an invoice that is issued, such as money that came before. */
interface Also {
  /** Issued so many days ago, and due then. */
  daysAgo?: number;
  /** By what its lines come to, which the model knows before. */
  body(figures: Figures, customer: string): object;
  refusals(after: Books, figures: Figures, customer: string): (string | false)[];
  after(books: Books, made: Invoice): void;
}

export const NOTHING_ELSE: Also = { body: () => ({}), refusals: () => [], after: () => {} };

export function issueInvoice(
  world: World,
  books: Books,
  wish: FieldsOf<typeof INVOICE>,
  also: Also = NOTHING_ELSE,
): Call {
  const customer = books.customers[wish.customer] ?? '';
  const { currency, coin } = wish;
  const lines = wish.lines.map(({ amount, rate, isBack }) => ({
    amount: isBack ? -amount : amount,
    rate,
  }));
  const at = (days: number) =>
    new Date(nowIn(books).getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const issuedOn = at(-(also.daysAgo ?? wish.discounted ?? 0));
  const discounts = wish.discounted === null ? [] : DISCOUNTS;
  const alone = figuresOf(lines, coin);
  const request = world.request('documents', {
    customer_id: customer,
    currency,
    lines: lines.map(({ amount, rate }) => ({
      description: 'Work',
      quantity: amount < 0 ? '-1' : '1',
      unit_amount: Math.abs(amount),
      tax_rate: String(rate),
    })),
    ...(coin !== null && { cash_rounding: coin }),
    ...(wish.discounted !== null && {
      issue_date: issuedOn,
      // All are due on one day.
      due_date: at(30),
      cash_discounts: DISCOUNTS,
    }),
    ...(also.daysAgo !== undefined && { issue_date: issuedOn, due_date: issuedOn }),
    issue: true,
    ...also.body(alone, customer),
  });
  return {
    ...request,
    judge: (after, answer) => {
      const next = takesNext(after, customer, currency);
      const all = [...lines, ...next.lines];
      const figures = figuresOf(all, coin);
      const isBelow = figures.net < 0 || figures.tax < 0;
      const isClosed = issuedOn < `${after.openFrom}-01`;
      const broken = [isBelow && 'total_below_zero', isClosed && 'period_closed'];
      if (refused(answer, [...broken, ...also.refusals(after, figures, customer)])) return;
      const made = issued(after, answer.body, {
        customer,
        currency,
        lines: all,
        figures,
        day: issuedOn,
        discounts,
        charged: next.charged,
        chargedIn: next.chargedIn,
      });
      next.taken(made.id);
      also.after(after, made);
      assertCharged(answer.body, made);
      assertFields(answer.body, { ...figuresIn(figures), ...shown(made) });
    },
  };
}

function voidInvoice(world: World, books: Books, wish: FieldsOf<typeof PICKED>): Call {
  const id = chosen(books.invoices, wish.pick)?.id;
  const despite = wish.pick % 2 === 0;
  const body = despite ? { despite_processing: true } : {};
  const request = world.request(`documents/${id ?? world.foreign.document}/void`, body);
  if (id === undefined) return foreignCall(request, 'document_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const invoice = invoiceOf(after, id);
      const isTouched = kept(invoice) > 0 || invoice.creditNotes > 0;
      const broken = (invoice.lifecycle === 'void' || isTouched) && 'document_not_voidable';
      const waits = !broken && !despite && onItsWay(after, id) > 0 && 'payment_processing';
      if (refused(answer, [broken, waits])) return;
      const { currency, net, tax, rounding } = invoice;
      if (invoice.lifecycle === 'uncollectible') {
        post(after, currency, 'receivables', 'bad_debt', due(invoice), id);
      }
      if (invoice.lifecycle === 'rejected') {
        post(after, currency, 'receivables', 'rejected_receivables', invoice.total, id);
      }
      post(after, currency, 'revenue', 'receivables', net, id);
      post(after, currency, 'tax_payable', 'receivables', tax, id);
      post(after, currency, 'rounding', 'receivables', rounding, id);
      invoice.lifecycle = 'void';
      cancelLinks(after, id);
      assertFields(answer.body, { status: 'void' });
    },
  };
}

/** It takes no money any more. */
function cancelLinks({ links }: Books, invoice: string): void {
  for (const link of Object.values(links)) {
    if (link.invoice === invoice && link.status === 'open') link.status = 'canceled';
  }
}

/** By the client, through the portal. */
async function reject(world: World, books: Books, wish: FieldsOf<typeof PICKED>): Promise<Call> {
  const id = chosen(books.invoices, wish.pick)?.id;
  const token = id === undefined ? 'A'.repeat(43) : await portalToken(world, id);
  const path = `/v1/portal/${token}/reject`;
  const request = {
    text: `POST portal/.../reject of ${id}`,
    send: () => world.service.call(path, { method: 'POST', body: { reason: 'No.' } }),
  };
  if (id === undefined) return foreignCall(request, 'portal_link_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const invoice = invoiceOf(after, id);
      const isOpen =
        statusOf(invoice) === 'open' && kept(invoice) === 0 && invoice.creditNotes === 0;
      // The same answer again changes nothing.
      const may = isOpen || invoice.lifecycle === 'rejected';
      const waits = isOpen && onItsWay(after, id) > 0 && 'payment_processing';
      if (refused(answer, [!may && 'document_not_rejectable', waits])) return;
      if (isOpen) {
        const { currency, total } = invoice;
        post(after, currency, 'rejected_receivables', 'receivables', total, id);
        cancelLinks(after, id);
      }
      invoice.lifecycle = 'rejected';
    },
  };
}

async function portalToken(world: World, id: string): Promise<string> {
  const known = world.portalTokens.get(id);
  if (known !== undefined) return known;
  const token = await world.client.aPortalToken({ id });
  world.portalTokens.set(id, token);
  return token;
}

const invoicing = operation('invoice', { weight: 6, fields: INVOICE, call: issueInvoice });

export const AN_INVOICE = wishOf(invoicing, {
  customer: 0,
  currency: 'EUR',
  lines: [{ amount: 10_000, rate: 19, isBack: false }],
  coin: null,
  discounted: null,
});
export const ANY_INVOICE: Need = { of: (_world, { invoices }) => invoices, first: AN_INVOICE };

export const INVOICE_OPERATIONS = [
  invoicing,
  operation('voidInvoice', { weight: 2, fields: PICKED, needs: ANY_INVOICE, call: voidInvoice }),
  operation('reject', {
    weight: 1,
    fields: PICKED,
    needs: ANY_INVOICE,
    hasKey: false,
    call: reject,
  }),
];
