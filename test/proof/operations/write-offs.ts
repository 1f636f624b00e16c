import fc from 'fast-check';
import {
  type Books,
  due,
  type Invoice,
  onItsWay,
  post,
  shown,
  statusOf,
  takesMoney,
} from '../books.js';
import { lossOf } from '../reliefs.js';
import { ANY_INVOICE } from './invoices.js';
import { assertFields, type Call, refused } from '../judge.js';
import { type FieldsOf, operation, pick, wishOf } from './operation.js';
import { chosen, fitting, foreignCall, invoiceOf } from '../picks.js';
import type { World } from '../world.js';

const PICKED = { pick };
const WRITE_OFF = { pick, relieved: fc.boolean() };

function writeOff(world: World, books: Books, wish: FieldsOf<typeof WRITE_OFF>): Call {
  const fit = wish.pick % 4 > 0 ? books.invoices : fitting(books.invoices, mayBeWrittenOff);
  const id = chosen(fit, wish.pick)?.id;
  const path = `documents/${id ?? world.foreign.document}/write-off`;
  const despite = wish.pick % 2 === 0;
  const request = world.request(path, {
    ...(wish.relieved && { tax_relief: true }),
    ...(despite && { despite_processing: true }),
  });
  if (id === undefined) return foreignCall(request, 'document_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const invoice = invoiceOf(after, id);
      const may = mayBeWrittenOff(invoice);
      const waits = may && !despite && onItsWay(after, id) > 0 && 'payment_processing';
      if (refused(answer, [!may && 'nothing_to_write_off', waits])) return;
      post(after, invoice.currency, 'bad_debt', 'receivables', due(invoice), id);
      invoice.lifecycle = 'uncollectible';
      invoice.isRelieved = wish.relieved;
      assertFields(answer.body, shown(invoice));
    },
  };
}

function reverseWriteOff(world: World, books: Books, wish: FieldsOf<typeof PICKED>): Call {
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
      invoice.isRelieved = false;
      assertFields(answer.body, shown(invoice));
    },
  };
}

/** Later than the write-off, or of a shortfall that was let pass. */
function claimTaxRelief(world: World, books: Books, wish: FieldsOf<typeof PICKED>): Call {
  const id = chosen(fitting(books.invoices, mayClaim), wish.pick)?.id;
  const request = world.request(`documents/${id ?? world.foreign.document}/tax-relief`, {});
  if (id === undefined) return foreignCall(request, 'document_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const invoice = invoiceOf(after, id);
      if (refused(answer, [!mayClaim(invoice) && 'no_tax_to_relieve'])) return;
      invoice.isRelieved = true;
      assertFields(answer.body, shown(invoice));
    },
  };
}

function mayBeWrittenOff(invoice: Invoice): boolean {
  return invoice.lifecycle === 'open' && due(invoice) > 0;
}

function mayClaim(invoice: Invoice): boolean {
  return isLost(invoice) && invoice.tax > 0 && !invoice.isRelieved;
}

function isLost(invoice: Invoice): boolean {
  return takesMoney(invoice) && Object.values(lossOf(invoice)).some((lost) => lost > 0);
}

const writingOff = operation('writeOff', {
  weight: 1,
  fields: WRITE_OFF,
  needs: ANY_INVOICE,
  call: writeOff,
});

export const WRITE_OFF_OPERATIONS = [
  writingOff,
  operation('reverseWriteOff', {
    weight: 1,
    fields: PICKED,
    needs: {
      of: (_world, { invoices }) => invoices.filter((one) => one.lifecycle === 'uncollectible'),
      first: wishOf(writingOff, { pick: 0, relieved: true }),
    },
    call: reverseWriteOff,
  }),
  operation('claimTaxRelief', {
    weight: 3,
    fields: PICKED,
    needs: {
      of: (_world, { invoices }) => invoices.filter(mayClaim),
      first: wishOf(writingOff, { pick: 0, relieved: false }),
    },
    call: claimTaxRelief,
  }),
];
