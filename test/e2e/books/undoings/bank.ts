import { post, disputed, providersPayment, entry, payout, type UndoingsOf } from './shop.js';

export const BANK_UNDONE: UndoingsOf<'bank_entry' | 'payout' | 'dispute'> = {
  'bank_entry.booked': [
    {
      by: 'bank_entry.unbooked',
      ways: {
        'taking a fee back': async function* (shop) {
          const id = await entry(shop, '3.00', { direction: 'debit' });
          yield;
          await post(shop, `bank-entries/${id}/book`, { ledger_account: 'bank_fees' });
          yield;
          await post(shop, `bank-entries/${id}/unbook`);
        },
        'taking a credit back': async function* (shop) {
          const id = await entry(shop, '3.00');
          yield;
          await post(shop, `bank-entries/${id}/book`, { ledger_account: 'other_income' });
          yield;
          await post(shop, `bank-entries/${id}/unbook`);
        },
        'taking a payout back': async function* (shop) {
          const { id: payout_id } = await payout(shop);
          const id = await entry(shop, '9.00');
          yield;
          await post(shop, `bank-entries/${id}/confirm`, { payout_id });
          yield;
          await post(shop, `bank-entries/${id}/unbook`);
        },
      },
    },
  ],
  'bank_entry.unbooked': [
    {
      by: 'bank_entry.booked',
      ways: {
        'booking it again': async function* (shop) {
          const id = await entry(shop, '3.00', { direction: 'debit' });
          const book = async () =>
            post(shop, `bank-entries/${id}/book`, { ledger_account: 'bank_fees' });
          await book();
          yield;
          await post(shop, `bank-entries/${id}/unbook`);
          yield;
          await book();
        },
      },
    },
  ],
  'payout.sent': [
    {
      by: 'payout.failed',
      ways: {
        'its failure': async function* (shop) {
          yield;
          const { id } = await payout(shop);
          yield;
          await post(shop, `payouts/${id}/fail`, { reason: 'closed account' });
        },
      },
    },
    {
      by: 'payout.reversed',
      ways: {
        'a reversal, with its fee': async function* (shop) {
          yield;
          const { id } = await payout(shop, { fee: 30 });
          yield;
          await post(shop, `payouts/${id}/reverse`, { reason: 'wrong' });
        },
      },
    },
  ],
  'payout.failed': [
    {
      by: 'payout.sent',
      ways: {
        'another payout': async function* (shop) {
          const { id } = await payout(shop);
          yield;
          await post(shop, `payouts/${id}/fail`, { reason: 'closed account' });
          yield;
          await payout(shop, { provider_payout_id: `again_${shop.invoice}` });
        },
      },
    },
  ],
  'payout.reversed': [
    {
      by: 'payout.sent',
      ways: {
        'another payout': async function* (shop) {
          const { id } = await payout(shop);
          yield;
          await post(shop, `payouts/${id}/reverse`, { reason: 'wrong' });
          yield;
          await payout(shop, { provider_payout_id: `again_${shop.invoice}` });
        },
      },
    },
  ],
  'dispute.opened': [
    {
      by: 'dispute.won',
      ways: {
        'its provider, with its fee': async function* (shop) {
          const payment = await providersPayment(shop, 1000);
          await payment.tell();
          yield;
          await disputed(shop, 'opened', payment, { fee: 150 });
          yield;
          await disputed(shop, 'won', payment, { fee: 0 });
        },
      },
    },
  ],
  'dispute.lost': [
    {
      by: 'dispute.won',
      ways: {
        'its provider, who gives it back': async function* (shop) {
          const payment = await providersPayment(shop, 1000);
          await payment.tell();
          yield;
          await disputed(shop, 'opened', payment);
          await disputed(shop, 'lost', payment);
          yield;
          await disputed(shop, 'won', payment);
        },
      },
    },
  ],
  'dispute.won': [
    {
      by: 'dispute.opened',
      ways: {
        'another dispute': async function* (shop) {
          const payment = await providersPayment(shop, 1000);
          await payment.tell();
          await disputed(shop, 'opened', payment);
          yield;
          await disputed(shop, 'won', payment);
          yield;
          await disputed(shop, 'opened', payment, { dispute_id: `again_${shop.invoice}` });
        },
      },
    },
  ],
};
