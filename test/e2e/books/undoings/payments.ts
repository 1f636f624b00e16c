import {
  post,
  pay,
  reverse,
  due,
  takenBack,
  providersPayment,
  homeless,
  refund,
  reverseRefund,
  bounce,
  entry,
  type UndoingsOf,
} from './shop.js';

export const PAYMENTS_UNDONE: UndoingsOf<'payment'> = {
  'payment.recorded': [
    {
      by: 'payment.reversed',
      ways: {
        'a reversal': async function* (shop) {
          yield;
          const id = await pay(shop, 1000);
          yield;
          await reverse(shop, id);
        },
        'a reversal, of what leaves a shortfall': async function* (shop) {
          yield;
          const id = await pay(shop, (await due(shop)) - 100);
          yield;
          await reverse(shop, id);
        },
        'a reversal, of more than is due': async function* (shop) {
          yield;
          const id = await pay(shop, (await due(shop)) + 700, { on_overpayment: 'credit' });
          yield;
          await reverse(shop, id);
        },
        'a reversal, of what credit paid': async function* (shop) {
          await pay(shop, (await due(shop)) + 700, { on_overpayment: 'credit' });
          const ofOther = { ...shop, invoice: shop.other };
          yield;
          const id = await pay(ofOther, 700, { method: 'credit_balance' });
          yield;
          await reverse(shop, id);
        },
        'its provider': async function* (shop) {
          const payment = await providersPayment(shop, 1000);
          yield;
          await payment.tell();
          yield;
          await takenBack(shop, payment);
        },
        'its bank': async function* (shop) {
          yield;
          const id = await pay(shop, 1000);
          yield;
          const back = await entry(shop, '10.00', { direction: 'debit', isReversal: true });
          await post(shop, `bank-entries/${back}/confirm`, { payment_id: id });
        },
        'taking back what was confirmed': async function* (shop) {
          const id = await entry(shop, '10.00');
          yield;
          await post(shop, `bank-entries/${id}/confirm`, { document_id: shop.invoice });
          yield;
          await post(shop, `bank-entries/${id}/unbook`);
        },
        'a reversal, of what was assigned': async function* (shop) {
          const money = await homeless(shop, 1000);
          const path = `${await money.arrive()}/assign`;
          yield;
          type Made = { payment: { id: string } };
          const { payment } = await post<Made>(shop, path, { document_id: shop.invoice });
          yield;
          await reverse(shop, payment.id);
        },
      },
    },
  ],
  'payment.reversed': [
    {
      by: 'payment.recorded',
      ways: {
        'another payment': async function* (shop) {
          const id = await pay(shop, 1000);
          yield;
          await reverse(shop, id);
          yield;
          await pay(shop, 1000);
        },
      },
    },
  ],
  'payment.moved': [
    {
      by: 'payment.moved',
      ways: {
        'a move back, from another document': async function* (shop) {
          const path = `payments/${await pay(shop, 1000)}/allocations`;
          const [from, to] = [shop.invoice, shop.other];
          yield;
          await post(shop, path, { from, to, amount: 600 });
          yield;
          await post(shop, path, { from: to, to: from, amount: 600 });
        },
        'a move back, from credit': async function* (shop) {
          const path = `payments/${await pay(shop, 1000)}/allocations`;
          yield;
          await post(shop, path, { from: shop.invoice, to: 'credit', amount: 600 });
          yield;
          await post(shop, path, { from: 'credit', to: shop.invoice, amount: 600 });
        },
      },
    },
  ],
  'payment.refunded': [
    {
      by: 'refund.reversed',
      ways: {
        'a reversal': async function* (shop) {
          const path = `payments/${await pay(shop, 1000)}`;
          yield;
          const made = await refund(shop, path, { amount: 400 });
          yield;
          await reverseRefund(shop, made);
        },
        'a reversal, of credit': async function* (shop) {
          const all = (await due(shop)) + 700;
          const path = `payments/${await pay(shop, all, { on_overpayment: 'credit' })}`;
          yield;
          const made = await refund(shop, path, { amount: 400, from: 'credit' });
          yield;
          await reverseRefund(shop, made);
        },
        'a reversal, where a shortfall was let pass': async function* (shop) {
          const path = `payments/${await pay(shop, (await due(shop)) - 100)}`;
          yield;
          const made = await refund(shop, path, { amount: 400, from: shop.invoice });
          yield;
          await reverseRefund(shop, made);
        },
      },
    },
    {
      by: 'refund.returned',
      ways: {
        'its provider': async function* (shop) {
          const payment = await providersPayment(shop, 1000);
          const path = await payment.arrive();
          yield;
          const made = await refund(shop, path, { amount: 400, method: 'gateway' });
          yield;
          await bounce(shop, made, payment.payment_id);
        },
      },
    },
  ],
};
