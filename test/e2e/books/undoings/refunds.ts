import {
  pay,
  takenBack,
  providersPayment,
  homeless,
  refund,
  reverseRefund,
  bounce,
  type UndoingsOf,
} from './shop.js';

export const REFUNDS_UNDONE: UndoingsOf<'refund' | 'receipt'> = {
  'refund.reversed': [
    {
      by: 'payment.refunded',
      ways: {
        'another refund': async function* (shop) {
          const path = `payments/${await pay(shop, 1000)}`;
          const made = await refund(shop, path, { amount: 400 });
          yield;
          await reverseRefund(shop, made);
          yield;
          await refund(shop, path, { amount: 400 });
        },
      },
    },
  ],
  'refund.returned': [
    {
      by: 'payment.refunded',
      ways: {
        'another refund': async function* (shop) {
          const payment = await providersPayment(shop, 1000);
          const path = await payment.arrive();
          const made = await refund(shop, path, { amount: 400, method: 'gateway' });
          yield;
          await bounce(shop, made, payment.payment_id);
          yield;
          await refund(shop, path, { amount: 400, method: 'gateway' });
        },
      },
    },
  ],
  'receipt.unmatched': [
    {
      by: 'receipt.closed',
      ways: {
        'its provider': async function* (shop) {
          const money = await homeless(shop, 1000);
          yield;
          await money.tell();
          yield;
          await takenBack(shop, money);
        },
      },
    },
    {
      by: 'receipt.refunded',
      ways: {
        'a refund': async function* (shop) {
          const money = await homeless(shop, 1000);
          yield;
          const path = await money.arrive();
          yield;
          await refund(shop, path, {});
        },
      },
    },
  ],
  'receipt.refunded': [
    {
      by: 'refund.reversed',
      ways: {
        'a reversal': async function* (shop) {
          const money = await homeless(shop, 1000);
          const path = await money.arrive();
          yield;
          const made = await refund(shop, path, { amount: 400, method: 'bank_transfer' });
          yield;
          await reverseRefund(shop, made);
        },
      },
    },
    {
      by: 'refund.returned',
      ways: {
        'its provider': async function* (shop) {
          const money = await homeless(shop, 1000);
          const path = await money.arrive();
          yield;
          const made = await refund(shop, path, { amount: 400 });
          yield;
          await bounce(shop, made, money.payment_id);
        },
      },
    },
  ],
  'receipt.closed': { never: 'The provider has its money; what comes again is another payment.' },
};
