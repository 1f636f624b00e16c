import { createHmac } from 'node:crypto';
import { fresh, iso, plain, type Spoken, type Voice, written } from './voice.js';

const STEPS = {
  inquiry: { code: 'REQUEST_FOR_INFORMATION', order: 0, takes: false },
  open: { code: 'NOTIFICATION_OF_CHARGEBACK', order: 1, takes: false },
  lost: { code: 'CHARGEBACK', order: 2, takes: true },
  won: { code: 'CHARGEBACK_REVERSED', order: 3, takes: false },
} as const;
const HOUR = 3_600_000;

interface Item {
  eventCode: string;
  pspReference: string;
  originalReference?: string;
  merchantReference: string;
  amount: number;
  currency: string;
  success?: 'true' | 'false';
}

interface Means {
  key: string;
  account: string;
  user: string;
  password: string;
}

const reference = () => fresh('').toUpperCase();

/** docs.adyen.com/development-resources/webhooks: some fields of an item are signed, inside of it. */
export function adyenVoice({ key, account, user, password }: Means): Voice {
  const event = (at: number, item: Item): Spoken => {
    const { eventCode, pspReference, merchantReference, amount: value, currency } = item;
    const { originalReference = '', success = 'true' } = item;
    const fields = [pspReference, originalReference, account, merchantReference, value, currency];
    const signed = [...fields, eventCode, success].join(':');
    const mac = createHmac('sha256', Buffer.from(key, 'hex')).update(signed).digest('base64');
    const NotificationRequestItem = {
      pspReference,
      originalReference,
      merchantAccountCode: account,
      merchantReference,
      amount: { value, currency },
      eventCode,
      success,
      eventDate: iso(at),
      additionalData: { hmacSignature: mac },
    };
    const body = written({ live: 'false', notificationItems: [{ NotificationRequestItem }] });
    const basic = Buffer.from(`${user}:${password}`).toString('base64');
    return {
      body,
      headers: { 'content-type': 'application/json', authorization: `Basic ${basic}` },
    };
  };
  return {
    currencies: ['EUR', 'JPY', 'KWD'],
    // Its times are not signed, and one to come counts as now.
    ageMs: HOUR,
    isSilent: true,
    paymentId: reference,
    feeOf: () => 0,
    paid: ({ id, link, amount, currency }, _fee, at) =>
      event(at, {
        eventCode: 'AUTHORISATION',
        pspReference: id,
        merchantReference: link,
        amount,
        currency,
      }),
    processing: ({ id, link, amount, currency }, at) =>
      event(at, {
        eventCode: 'PENDING',
        pspReference: id,
        merchantReference: link,
        amount,
        currency,
      }),
    failed: {
      of: 'ofTry',
      namesPayment: true,
      isFinal: false,
      told: ({ id, link, amount, currency }, at) => {
        const item = { pspReference: id, merchantReference: link, amount, currency };
        return event(at, { eventCode: 'AUTHORISATION', success: 'false', ...item });
      },
    },
    reversed: {
      // Its event is known by this id: told again, it is the same one.
      names: { fresh: reference, isRetold: false, saysAmount: true },
      namesLink: true,
      told: ({ id: originalReference, link, amount, currency }, at, name) => {
        const item = { originalReference, merchantReference: link, amount, currency };
        return event(at, { eventCode: 'CAPTURE_FAILED', pspReference: name ?? '', ...item });
      },
    },
    dispute: {
      statuses: ['inquiry', 'open', 'won', 'lost'],
      saysOnce: true,
      id: (id, which) => `${which}D${id}`,
      told: ({ id: originalReference, link, currency }, id, word) => {
        const { code, order, takes } = STEPS[word.status as keyof typeof STEPS];
        const item = { pspReference: id, originalReference, merchantReference: link, currency };
        const spoken = event(word.at, { eventCode: code, ...item, amount: word.amount });
        const withdrawn = takes ? word.amount : 0;
        return { word: { ...word, fee: null, withdrawn, at: word.at + order }, spoken };
      },
    },
    refundId: (ours) => `R${plain(ours).toUpperCase()}`,
    refund: ({ id, ours, payment, amount, currency, status, at }) =>
      event(at, {
        eventCode: status === 'succeeded' ? 'REFUND' : 'REFUND_FAILED',
        pspReference: id,
        originalReference: payment,
        merchantReference: ours ?? 'of the dashboard',
        amount,
        currency,
      }),
  };
}
