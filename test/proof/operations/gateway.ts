import fc from 'fast-check';
import type { Answer } from '../../support/http.js';
import { type Books, due, onItsWay, post, takesMoney } from '../books.js';
import { ANY_INVOICE } from './invoices.js';
import { assertFields, assertOutcome, type Call, refused } from '../judge.js';
import { keep } from './moves.js';
import {
  type FieldsOf,
  type Need,
  operation,
  pick,
  quarters,
  type Wish,
  wishOf,
} from './operation.js';
import { take } from './payments.js';
import { goOn, toldIn, withPayouts } from './payout-books.js';
import { chosen, fitting, foreignCall, invoiceOf, quartersOf } from '../picks.js';
import { SANDBOX } from '../provider.js';
import { takeBackWhole } from '../taken-back.js';
import type { Delivery, World } from '../world.js';

/** Each provider, and the sandbox where one cannot take the amount. */
const PROVIDERS = [
  ...(['sandbox', 'stripe', 'paypal', 'mollie', 'gocardless'] as const),
  ...(['adyen', 'razorpay', 'standard-webhooks'] as const),
] as const;
const provider = fc.constantFrom(...PROVIDERS);

const LINK = { pick, quarters, despite: fc.boolean(), provider };
const DELIVERY = {
  pick,
  quarters: fc.constantFrom(4, 4, 2, 6),
  currency: fc.constantFrom('own' as const, 'own' as const, 'other' as const),
  fee: fc.constantFrom(0, 0, 3),
};
const PICKED = { pick };
const NOBODYS = { amount: fc.integer({ min: 1, max: 9999 }), provider };

/** Well formed, and nobody's. */
const NO_LINK = 'plink_01h455vb4pex5vsknk084sn02q';

/** A place to pay; no money moves. */
function createLink(world: World, books: Books, wish: FieldsOf<typeof LINK>): Call {
  const asks = (one: { id: string }) => !wish.despite && onItsWay(books, one.id) > 0;
  const invoice = chosen(fitting(books.invoices, asks), wish.pick);
  const id = invoice?.id ?? world.foreign.document;
  const amount = quartersOf(invoice ? due(invoice) : 100, wish.quarters);
  const gateway = gatewayFor(world, wish.provider, amount, invoice?.currency ?? 'EUR');
  const request = world.request(`documents/${id}/payment-links`, {
    gateway,
    amount,
    ...(wish.despite && { despite_processing: true }),
  });
  if (!invoice) return foreignCall(request, 'document_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const of = invoiceOf(after, id);
      const broken = [
        (!takesMoney(of) || due(of) === 0) && 'document_not_payable',
        amount > due(of) && 'amount_exceeds_due',
        !wish.despite && amount > due(of) - onItsWay(after, id) && 'payment_processing',
      ];
      if (refused(answer, broken)) return;
      assertFields(answer.body, { amount, status: 'open' });
      const link = String(answer.body['id']);
      after.links[link] ??= {
        invoice: id,
        amount,
        isCollection: false,
        status: 'open',
        processingAt: 0,
        paidAt: 0,
        failedAt: 0,
      };
      if (world.links.some((one) => one.id === link)) return;
      world.links.push({ id: link, invoice: id, amount, currency: of.currency, gateway });
    },
  };
}

/** Its own, if it is there and its pay pages take that. */
function gatewayFor(world: World, wanted: string, amount: number, currency: string): string {
  // Of fewer, the last one is as good.
  const name = world.voices.has(wanted) ? wanted : [...world.voices.keys()].at(-1);
  const voice = world.voices.get(name ?? SANDBOX);
  const isRound = !voice?.hasShortThousandths || currency !== 'KWD' || amount % 10 === 0;
  return voice?.currencies.includes(currency) && isRound ? (name ?? SANDBOX) : SANDBOX;
}

/** The provider says that somebody paid, whatever became of the invoice meanwhile. */
function deliver(world: World, books: Books, wish: FieldsOf<typeof DELIVERY>): Call {
  const link = chosen(world.links, wish.pick);
  if (!link) return unknownLink(world, books, { amount: 100, provider: SANDBOX });
  const amount = quartersOf(link.amount, wish.quarters);
  const other = world.voiceOf(link.gateway).currencies.find((one) => one !== link.currency);
  const currency = (wish.currency === 'other' && other) || link.currency;
  const delivery = deliveryOf(world, link, amount, { currency, fee: Math.min(wish.fee, amount) });
  world.deliveries.push(delivery);
  return {
    ...sending(world, delivery),
    judge: (after, answer) => {
      refused(answer, []);
      receive(after, delivery, answer.body['status']);
    },
    later: [(after, answer) => goOnAfter(world, after, delivery, answer)],
  };
}

function goOnAfter(world: World, after: Books, { paid }: Delivery, { body }: Answer): void {
  goOn(world, after, paid.id, toldIn(body));
}

function receive(books: Books, { link, paid }: Delivery, status: unknown): void {
  if (isKnown(books, paid.id)) {
    // A payment stays known as one, also if somebody took it off its invoice.
    assertOutcome({ status }, books.payments.some(isPaid(paid.id)) ? 'ok' : 'ignored');
    return;
  }
  if (link.id === NO_LINK) {
    assertOutcome({ status }, 'ignored');
    if (!books.nobodys.some(isPaid(paid.id))) books.nobodys.push(paid);
    return;
  }
  const invoice = invoiceOf(books, link.invoice);
  const reason =
    paid.currency !== link.currency
      ? 'currency_mismatch'
      : takesMoney(invoice)
        ? null
        : 'document_not_payable';
  assertOutcome({ status }, reason === null ? 'ok' : 'ignored');
  // Webhooks name no payment: the provider's own id stands for it.
  post(books, paid.currency, 'gateway_fees', 'gateway_clearing', paid.fee);
  const of = books.links[link.id]!;
  if (reason !== null) {
    keep(books, paid);
    if (of.status !== 'paid') Object.assign(of, { status: 'unmatched', paidAt: paid.at });
  } else {
    const { id } = paid;
    const day = new Date(paid.at).toISOString().slice(0, 10);
    const given = { id, from: 'gateway' as const, provider: id, link: link.id, day };
    take(books, invoice, paid.amount, given);
    if (of.status !== 'paid') Object.assign(of, { status: 'paid', paidAt: paid.at });
  }
}

const isPaid = (id: string) => (receipt: { id: string }) => receipt.id === id;

export function isKnown(books: Books, id: string): boolean {
  return books.payments.some((payment) => payment.id === id) || books.receipts.some(isPaid(id));
}

/** The same delivery, byte for byte; or the first one of a payment of which a failure was told. */
function redeliver(world: World, books: Books, wish: FieldsOf<typeof PICKED>): Call {
  const known = wish.pick % 4 === 0 ? [...world.strays, ...world.deliveries] : world.deliveries;
  const delivery = chosen(known, wish.pick);
  if (!delivery) return unknownLink(world, books, { amount: 100, provider: SANDBOX });
  const { text, send } = sending(world, delivery);
  return {
    text: `again ${text}`,
    send,
    judge: (after, answer) => {
      refused(answer, []);
      receive(after, delivery, answer.body['status']);
    },
    later: [
      (after) => meet(after, delivery),
      (after, answer) => goOnAfter(world, after, delivery, answer),
    ],
  };
}

/** Nobody's money: it is acknowledged, and kept apart from every account's books. */
function unknownLink(world: World, _books: Books, wish: FieldsOf<typeof NOBODYS>): Call {
  const gateway = gatewayFor(world, wish.provider, wish.amount, 'EUR');
  const link = { id: NO_LINK, invoice: '', amount: wish.amount, currency: 'EUR', gateway };
  const delivery = deliveryOf(world, link, wish.amount, { currency: 'EUR', fee: 0 });
  world.strays.push(delivery);
  return {
    ...sending(world, delivery),
    judge: (after, answer) => {
      refused(answer, []);
      receive(after, delivery, answer.body['status']);
    },
  };
}

/** A payment that failed before it was reported is taken back then. */
function meet(books: Books, { link, paid }: Delivery): void {
  const failures = books.failures.filter(({ id, counts }) => id === paid.id && counts);
  if (failures.length === 0 || !isKnown(books, paid.id)) return;
  // In the order in which they happened, whatever their order here.
  for (const failure of failures.toSorted((a, b) => a.at - b.at)) {
    takeBackWhole(books, paid, link.id, failure);
  }
}

export function deliveryOf(
  world: World,
  link: Delivery['link'],
  amount: number,
  { currency, fee }: { currency: string; fee: number },
): Delivery {
  const voice = world.voiceOf(link.gateway);
  const charge = { id: voice.paymentId(), link: link.id, amount, currency };
  const at = timeAt(world, link.gateway);
  const told = voice.feeOf(fee);
  const spoken = voice.paid(charge, told, at);
  return { link, spoken, paid: { id: charge.id, amount, currency, fee: told, at } };
}

/** Now, in whole seconds: some providers know no smaller unit. */
export function timeAt(world: World, gateway: string): number {
  const { ageMs = 0 } = world.voiceOf(gateway);
  return Math.floor((world.service.clock.now().getTime() - ageMs) / 1000) * 1000;
}

function sending(world: World, { spoken, link, paid }: Delivery) {
  const { told } = world;
  const money = `${paid.amount} ${paid.currency}`;
  return {
    text: `${link.gateway}: ${paid.id}, ${money} through ${link.id} of ${link.invoice}`,
    send: async () => {
      if (!told.includes(paid.id)) told.push(paid.id);
      return withPayouts(world, await world.hears(link.gateway, spoken));
    },
  };
}

const linking = operation('link', {
  weight: 3,
  fields: LINK,
  needs: ANY_INVOICE,
  hasKey: false,
  call: createLink,
});
/** Another provider for each pick. */
export function anyLink({ pick: number }: { pick: number }): Need {
  const provider = PROVIDERS[number % PROVIDERS.length]!;
  return {
    of: ({ links }) => links,
    first: wishOf(linking, { pick: 0, quarters: 4, despite: true, provider }),
  };
}
const delivering = operation('deliver', {
  weight: 3,
  fields: DELIVERY,
  needs: anyLink,
  transactions: 2,
  call: deliver,
});
const nobodys = operation('unknownLink', { weight: 1, fields: NOBODYS, call: unknownLink });

export function paidByProvider({ pick: number }: { pick: number }): Wish {
  const pick = number % PROVIDERS.length;
  return wishOf(delivering, { pick, quarters: 4, currency: 'own', fee: 0 });
}
export const ANY_RECEIPT: Need = {
  of: (_world, { receipts }) => receipts,
  first: wishOf(delivering, { pick: 1, quarters: 4, currency: 'other', fee: 0 }),
};
function anyDelivery(wish: { pick: number }): Need {
  return { of: ({ deliveries }) => deliveries, first: paidByProvider(wish) };
}
export const ANY_NOBODYS: Need = {
  of: (_world, books) => books.nobodys,
  first: wishOf(nobodys, { amount: 4321, provider: SANDBOX }),
};

export const GATEWAY_OPERATIONS = [
  linking,
  delivering,
  operation('redeliver', {
    weight: 1,
    fields: PICKED,
    needs: anyDelivery,
    transactions: 2,
    call: redeliver,
  }),
  nobodys,
];
