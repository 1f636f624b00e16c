import {
  post,
  anInvoice,
  due,
  pay,
  refund,
  rejected,
  reverseRefund,
  type UndoingsOf,
} from './shop.js';

export const DOCUMENTS_UNDONE: UndoingsOf<'document' | 'credit_note'> = {
  'document.issued': [
    {
      by: 'document.voided',
      ways: {
        'a void': async function* (shop) {
          yield;
          const id = await anInvoice(shop);
          yield;
          await shop.client.void({ id });
        },
      },
    },
  ],
  'document.rejected': [
    {
      by: 'document.voided',
      ways: {
        'a void': async function* (shop) {
          yield;
          const id = await anInvoice(shop);
          await rejected(shop, id);
          yield;
          await shop.client.void({ id });
        },
        'a revision': async function* (shop) {
          const id = await anInvoice(shop);
          yield;
          await rejected(shop, id);
          yield;
          const { id: revision } = await post(shop, `documents/${id}/revise`);
          await post(shop, `documents/${revision}/issue`);
        },
      },
    },
  ],
  'document.voided': { never: 'A void is final: what is owed after all is another invoice.' },
  'document.written_off': [
    {
      by: 'document.write_off_reversed',
      ways: {
        'taking it back': async function* (shop) {
          yield;
          await post(shop, `documents/${shop.invoice}/write-off`);
          yield;
          await post(shop, `documents/${shop.invoice}/write-off/reverse`);
        },
      },
    },
  ],
  'document.write_off_reversed': [
    {
      by: 'document.written_off',
      ways: {
        'another write-off': async function* (shop) {
          await post(shop, `documents/${shop.invoice}/write-off`);
          yield;
          await post(shop, `documents/${shop.invoice}/write-off/reverse`);
          yield;
          await post(shop, `documents/${shop.invoice}/write-off`);
        },
      },
    },
  ],
  'document.tax_relieved': [
    {
      by: 'document.tax_relieved',
      ways: {
        'taking the write-off back': async function* (shop) {
          const path = `documents/${shop.invoice}/write-off`;
          yield;
          await post(shop, path, { tax_relief: true });
          yield;
          await post(shop, `${path}/reverse`);
        },
      },
    },
  ],
  'credit_note.issued': [
    {
      by: 'credit_note.voided',
      ways: {
        'a void, of a part': async function* (shop) {
          yield;
          const note = await post(shop, `documents/${shop.invoice}/credit-notes`, { amount: 1000 });
          yield;
          await shop.client.void(note);
        },
        'a void, of all that is left': async function* (shop) {
          yield;
          const note = await post(shop, `documents/${shop.invoice}/credit-notes`);
          yield;
          await shop.client.void(note);
        },
      },
    },
  ],
  'credit_note.moved': [
    {
      by: 'credit_note.moved',
      ways: {
        'a reversal of the refund': async function* (shop) {
          const path = `payments/${await pay(shop, await due(shop))}`;
          await post(shop, `documents/${shop.invoice}/credit-notes`, { amount: 1000 });
          yield;
          const made = await refund(shop, path, { amount: 400 });
          yield;
          await reverseRefund(shop, made);
        },
        'a reversal of a refund above the note': async function* (shop) {
          const path = `payments/${await pay(shop, await due(shop))}`;
          await post(shop, `documents/${shop.invoice}/credit-notes`, { amount: 1000 });
          yield;
          const made = await refund(shop, path, { amount: 1400 });
          yield;
          await reverseRefund(shop, made);
        },
      },
    },
  ],
  'credit_note.voided': [
    {
      by: 'credit_note.issued',
      ways: {
        'another note': async function* (shop) {
          const path = `documents/${shop.invoice}/credit-notes`;
          const note = await post(shop, path, { amount: 1000 });
          yield;
          await shop.client.void(note);
          yield;
          await post(shop, path, { amount: 1000 });
        },
      },
    },
  ],
};
