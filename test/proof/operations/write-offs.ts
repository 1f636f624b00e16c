import { type Books, due, post, shown, statusOf } from '../books.js';
import { ANY_INVOICE } from './invoices.js';
import { assertFields, type Call, refused } from '../judge.js';
import { type FieldsOf, operation, pick, wishOf } from './operation.js';
import { chosen, foreignCall, invoiceOf } from '../picks.js';
import type { World } from '../world.js';

const PICKED = { pick };

function writeOff(world: World, books: Books, wish: FieldsOf<typeof PICKED>): Call {
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
      assertFields(answer.body, shown(invoice));
    },
  };
}

const writingOff = operation('writeOff', {
  weight: 1,
  fields: PICKED,
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
      first: wishOf(writingOff, { pick: 0 }),
    },
    call: reverseWriteOff,
  }),
];
