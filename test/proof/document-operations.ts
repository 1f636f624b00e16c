import {
  asked,
  type Books,
  creditOf,
  type CreditNote,
  due,
  dueAccount,
  figuresOf,
  giveCredit,
  type Invoice,
  kept,
  post,
  statusOf,
  takesMoney,
} from './books.js';
import { assertFields, type Call, Disagreement, refused } from './judge.js';
import { FOREIGN, type WishOf } from './wishes.js';
import type { World } from './world.js';

/** One of ours, or for the last pick none: then something of another account is named. */
export function chosen<Thing>(things: readonly Thing[], pick: number): Thing | undefined {
  return pick === FOREIGN ? undefined : things[pick % Math.max(things.length, 1)];
}

/** Those that suit, if there are any. */
export function fitting<Thing>(
  things: readonly Thing[],
  isFit: (one: Thing) => boolean,
): readonly Thing[] {
  const fit = things.filter(isFit);
  return fit.length > 0 ? fit : things;
}

/** As many quarters of an amount, and at least the smallest that can be sent. */
export function quartersOf(amount: number, quarters: number): number {
  return Math.max(1, Math.floor((amount * quarters) / 4));
}

export function invoiceOf(books: Books, id: string): Invoice {
  const invoice = books.invoices.find((one) => one.id === id);
  if (!invoice) throw new Disagreement(`there is no invoice ${id}`);
  return invoice;
}

/** A call about something that another account has. */
export function foreignCall(request: Pick<Call, 'text' | 'send'>, code: string): Call {
  return { ...request, judge: (_books, answer) => void refused(answer, [code]) };
}

export function createInvoice(world: World, books: Books, wish: WishOf<'invoice'>): Call {
  const customer = books.customers[wish.customer] ?? '';
  const { currency, lines, coin } = wish;
  const request = world.request('documents', {
    customer_id: customer,
    currency,
    lines: lines.map(({ amount, rate }) => ({
      description: 'Work',
      unit_amount: amount,
      tax_rate: String(rate),
    })),
    ...(coin !== null && { cash_rounding: coin }),
    issue: true,
  });
  return {
    ...request,
    judge: (after, answer) => {
      if (refused(answer, [])) return;
      const figures = figuresOf(lines, coin);
      const made: Invoice = {
        id: String(answer.body['id']),
        number: String(answer.body['number']),
        reference: String(answer.body['payment_reference']),
        customer,
        currency,
        ...figures,
        lifecycle: 'open',
        paid: 0,
        refunded: 0,
        waived: 0,
        credited: 0,
        creditNotes: 0,
      };
      assertFields(answer.body, {
        total: figures.total,
        net_total: figures.net,
        tax_total: figures.tax,
        rounding_amount: figures.rounding,
        ...shown(made),
      });
      after.invoices.push(made);
      post(after, currency, 'receivables', 'revenue', figures.net, made.id);
      post(after, currency, 'receivables', 'tax_payable', figures.tax, made.id);
      post(after, currency, 'receivables', 'rounding', figures.rounding, made.id);
    },
  };
}

/** The answer that an invoice must give. */
function shown(invoice: Invoice): Record<string, unknown> {
  return {
    status: statusOf(invoice),
    amount_due: asked(invoice),
    amount_written_off: invoice.lifecycle === 'uncollectible' ? due(invoice) : 0,
    amount_paid: invoice.paid,
    amount_credited: invoice.credited,
  };
}

/** Quarters of what may be credited; none for all that is left. */
export function createCreditNote(world: World, books: Books, wish: WishOf<'creditNote'>): Call {
  const invoice = chosen(books.invoices, wish.pick);
  const id = invoice?.id ?? world.foreign.document;
  const left = invoice ? invoice.total - invoice.creditNotes : 0;
  const amount = wish.quarters === 0 ? null : quartersOf(left, wish.quarters);
  const request = world.request(`documents/${id}/credit-notes`, amount === null ? {} : { amount });
  if (!invoice) return foreignCall(request, 'document_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const of = invoiceOf(after, id);
      const creditable = of.total - of.creditNotes;
      const total = amount ?? creditable;
      const broken = [
        (!takesMoney(of) || creditable <= 0) && 'document_not_creditable',
        total > creditable && 'amount_exceeds_creditable',
      ];
      if (refused(answer, broken)) return;
      const waived = Math.min(total, of.waived);
      const applied = Math.min(total, due(of) + waived);
      const { body } = answer as { body: Record<string, number> };
      const note: CreditNote = {
        id: String(body['id']),
        invoice: id,
        currency: of.currency,
        net: body['net_total'] ?? NaN,
        tax: body['tax_total'] ?? NaN,
        rounding: body['rounding_amount'] ?? NaN,
        total,
        lifecycle: 'open',
        applied,
      };
      // How an amount is split over taxes is proved elsewhere; here it must come to the amount.
      assertFields(body, {
        total,
        amount_applied: applied,
        status: applied === total ? 'applied' : 'open',
      });
      assertFields({ sum: note.net + note.tax + note.rounding }, { sum: total });
      post(after, of.currency, dueAccount(of), 'payment_differences', waived, of.id);
      of.waived -= waived;
      of.credited += applied;
      of.creditNotes += total;
      after.creditNotes.push(note);
      postCreditNote(after, note, of, 1);
      giveCredit(after, of.customer, of.currency, total - applied);
    },
  };
}

function postCreditNote(books: Books, note: CreditNote, invoice: Invoice, sign: 1 | -1): void {
  const { currency, net, tax, rounding, total, applied } = note;
  post(books, currency, 'revenue', 'credit_notes', sign * net);
  post(books, currency, 'tax_payable', 'credit_notes', sign * tax);
  post(books, currency, 'rounding', 'credit_notes', sign * rounding);
  post(books, currency, 'credit_notes', dueAccount(invoice), sign * applied, invoice.id);
  post(books, currency, 'credit_notes', 'customer_credit', sign * (total - applied));
}

export function voidInvoice(world: World, books: Books, wish: WishOf<'voidInvoice'>): Call {
  const id = chosen(books.invoices, wish.pick)?.id;
  const request = world.request(`documents/${id ?? world.foreign.document}/void`, {});
  if (id === undefined) return foreignCall(request, 'document_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const invoice = invoiceOf(after, id);
      const isTouched = kept(invoice) > 0 || invoice.creditNotes > 0;
      const broken = (invoice.lifecycle === 'void' || isTouched) && 'document_not_voidable';
      if (refused(answer, [broken])) return;
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
      assertFields(answer.body, { status: 'void' });
    },
  };
}

/** Those that gave the customer credit. */
export function givingNotes({ creditNotes }: Books): CreditNote[] {
  return creditNotes.filter(
    ({ lifecycle, total, applied }) => lifecycle === 'open' && total > applied,
  );
}

/** Those of which the credit is not there any more. */
export function spentNotes(books: Books): CreditNote[] {
  return givingNotes(books).filter(
    ({ invoice, currency, total, applied }) =>
      creditOf(books, invoiceOf(books, invoice).customer, currency) < total - applied,
  );
}

export function voidCreditNote(world: World, books: Books, wish: WishOf<'voidCreditNote'>): Call {
  // Mostly one that gave credit, which may be spent by now.
  const giving = givingNotes(books);
  const spent = spentNotes(books);
  const likely = wish.pick % 2 === 1 && spent.length > 0 ? spent : giving;
  const notes = wish.pick % 4 > 0 && likely.length > 0 ? likely : books.creditNotes;
  const id = chosen(notes, wish.pick)?.id;
  const request = world.request(`documents/${id ?? world.foreign.document}/void`, {});
  if (id === undefined) return foreignCall(request, 'document_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const note = after.creditNotes.find((one) => one.id === id)!;
      const invoice = invoiceOf(after, note.invoice);
      const { currency, total, applied } = note;
      const rest = total - applied;
      const broken = [
        note.lifecycle === 'void' && 'document_not_voidable',
        creditOf(after, invoice.customer, currency) < rest && 'customer_credit_spent',
      ];
      if (refused(answer, broken)) return;
      postCreditNote(after, note, invoice, -1);
      takeWaiverBack(after, invoice);
      giveCredit(after, invoice.customer, currency, -rest);
      invoice.credited -= applied;
      invoice.creditNotes -= total;
      note.lifecycle = 'void';
      assertFields(answer.body, { status: 'void' });
    },
  };
}

/** A shortfall was let pass because nothing else was due; now something is. */
export function takeWaiverBack(books: Books, invoice: Invoice): number {
  const { waived } = invoice;
  post(
    books,
    invoice.currency,
    dueAccount(invoice),
    'payment_differences',
    invoice.waived,
    invoice.id,
  );
  invoice.waived = 0;
  return waived;
}

export function writeOff(world: World, books: Books, wish: WishOf<'writeOff'>): Call {
  const id = chosen(books.invoices, wish.pick)?.id;
  const request = world.request(`documents/${id ?? world.foreign.document}/write-off`, {});
  if (id === undefined) return foreignCall(request, 'document_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const invoice = invoiceOf(after, id);
      const isDue = invoice.lifecycle === 'open' && due(invoice) > 0;
      if (refused(answer, [!isDue && 'nothing_to_write_off'])) return;
      post(after, invoice.currency, 'bad_debt', 'receivables', due(invoice), id);
      invoice.lifecycle = 'uncollectible';
      assertFields(answer.body, shown(invoice));
    },
  };
}

export function reverseWriteOff(world: World, books: Books, wish: WishOf<'reverseWriteOff'>): Call {
  const lost = books.invoices.filter(({ lifecycle }) => lifecycle === 'uncollectible');
  const id = chosen(lost.length > 0 ? lost : books.invoices, wish.pick)?.id;
  const path = `documents/${id ?? world.foreign.document}/write-off/reverse`;
  const request = world.request(path, {});
  if (id === undefined) return foreignCall(request, 'document_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const invoice = invoiceOf(after, id);
      const isLost = statusOf(invoice) === 'uncollectible';
      if (refused(answer, [!isLost && 'document_not_written_off'])) return;
      post(after, invoice.currency, 'receivables', 'bad_debt', due(invoice), id);
      invoice.lifecycle = 'open';
      assertFields(answer.body, shown(invoice));
    },
  };
}

/** By the client, through the portal. */
export async function reject(world: World, books: Books, wish: WishOf<'reject'>): Promise<Call> {
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
      if (refused(answer, [!may && 'document_not_rejectable'])) return;
      if (isOpen) {
        const { currency, total } = invoice;
        post(after, currency, 'rejected_receivables', 'receivables', total, id);
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
