import {
  type Books,
  creditable,
  creditOf,
  type CreditNote,
  due,
  dueAccount,
  giveCredit,
  type Invoice,
  post,
  takeWaiverBack,
} from '../books.js';
import { ANY_INVOICE } from './invoices.js';
import { assertFields, type Call, refused } from '../judge.js';
import { type FieldsOf, type Need, operation, pick, quartersOrAll, wishOf } from './operation.js';
import { FROM_CREDIT } from './payments.js';
import { chosen, foreignCall, invoiceOf, quartersOf } from '../picks.js';
import { netsIn } from '../issued.js';
import type { World } from '../world.js';

const NOTE = { pick, quarters: quartersOrAll };
const PICKED = { pick };

/** Quarters of what may be credited; none for all that is left. */
function createCreditNote(world: World, books: Books, wish: FieldsOf<typeof NOTE>): Call {
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
      const most = creditable(of);
      const total = amount ?? most;
      const broken = [
        most <= 0 && 'document_not_creditable',
        most > 0 && total > most && 'amount_exceeds_creditable',
      ];
      if (refused(answer, broken)) {
        // The refusal tells the same figure as the invoice.
        if (most > 0) assertFields(answer.body, { amount_creditable: most });
        return;
      }
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
        taxes: taxesIn(answer.body),
        nets: netsIn(answer.body),
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
      takeTaxes(of, note, 1);
      if (of.creditNotes === of.total) assertNoTaxLeft(of);
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

function taxesIn(body: unknown): Record<string, number> {
  const groups = (body as { tax_groups: { tax_rate: string; tax_amount: number }[] }).tax_groups;
  return Object.fromEntries(groups.map(({ tax_rate, tax_amount }) => [tax_rate, tax_amount]));
}

function takeTaxes(invoice: Invoice, { taxes }: CreditNote, sign: 1 | -1): void {
  for (const [rate, tax] of Object.entries(taxes)) {
    invoice.taxes[rate] = (invoice.taxes[rate] ?? 0) - sign * tax;
  }
}

function assertNoTaxLeft({ taxes }: Invoice): void {
  const none = Object.keys(taxes).map((rate) => [rate, 0]);
  assertFields({ taxes }, { taxes: Object.fromEntries(none) });
}

/** Those that gave the customer credit. */
function givingNotes({ creditNotes }: Books): CreditNote[] {
  return creditNotes.filter(
    ({ lifecycle, total, applied }) => lifecycle === 'open' && total > applied,
  );
}

/** Those of which the credit is not there any more. */
function spentNotes(books: Books): CreditNote[] {
  return givingNotes(books).filter(
    ({ invoice, currency, total, applied }) =>
      creditOf(books, invoiceOf(books, invoice).customer, currency) < total - applied,
  );
}

function voidCreditNote(world: World, books: Books, wish: FieldsOf<typeof PICKED>): Call {
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
      takeTaxes(invoice, note, -1);
      takeWaiverBack(after, invoice);
      giveCredit(after, invoice.customer, currency, -rest);
      invoice.credited -= applied;
      invoice.creditNotes -= total;
      note.lifecycle = 'void';
      assertFields(answer.body, { status: 'void' });
    },
  };
}

const crediting = operation('creditNote', {
  weight: 3,
  fields: NOTE,
  needs: ANY_INVOICE,
  call: createCreditNote,
});

const ANY_NOTE: Need = {
  of: (_world, { creditNotes }) => creditNotes,
  first: wishOf(crediting, { pick: 0, quarters: 0 }),
};
/** If a credit note gave credit, it is spent first. */
const SPENT_NOTE: Need = {
  of: (_world, books) => (givingNotes(books).length > 0 ? spentNotes(books) : books.creditNotes),
  first: FROM_CREDIT,
};

export const CREDIT_NOTE_OPERATIONS = [
  crediting,
  operation('voidCreditNote', {
    weight: 3,
    fields: PICKED,
    needs: (wish) => (wish.pick % 2 === 1 ? SPENT_NOTE : ANY_NOTE),
    call: voidCreditNote,
  }),
];
