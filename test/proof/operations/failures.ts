import fc from 'fast-check';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import type { Books } from '../books.js';
import { assertFields, type Call, refused } from '../judge.js';
import { chosen } from '../picks.js';
import { GATEWAY } from '../provider.js';
import { takeBackWhole } from '../taken-back.js';
import type { Delivery, World } from '../world.js';
import { ANY_LINK, deliveryOf, isKnown } from './gateway.js';
import { type FieldsOf, operation, pick } from './operation.js';

const FAILURE = {
  pick,
  kind: fc.constantFrom('reversed' as const, 'reversed' as const, 'failed' as const),
  /** By the provider's own times: of a try before the payment, or of the payment itself. */
  isLater: fc.integer({ min: 0, max: 3 }).map((number) => number > 0),
  /** Told before the payment is. */
  isEarly: fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
};
const PROCESSING = { pick, isOld: fc.boolean() };
const MINUTE = 60_000;

/** A provider says that money did not come, or takes it back. */
function fail(world: World, books: Books, wish: FieldsOf<typeof FAILURE>): Call {
  const { kind, isLater, isEarly } = wish;
  const known = [...world.deliveries, ...(wish.pick % 4 === 0 ? world.strays : [])];
  const stays = known.filter((one) => isKnown(books, one.paid.id) && !isGone(books, one));
  const delivery = isEarly
    ? undelivered(world, wish.pick)
    : chosen(wish.pick % 4 < 3 && stays.length > 0 ? stays : known, wish.pick);
  const { link, paid } = delivery ?? undelivered(world, 0);
  const at = paid.at + (isLater ? MINUTE : -MINUTE);
  const counts = kind === 'reversed' || isLater;
  return {
    ...telling(world, kind, link.id, paid.id, at),
    judge: (after, answer) => {
      refused(answer, []);
      const hasCome = isKnown(after, paid.id);
      assertFields(answer.body, { status: hasCome && counts ? 'ok' : 'ignored' });
      if (hasCome) {
        if (counts) takeBackWhole(after, paid, link.id, at, kind);
        return;
      }
      after.failures.push({ id: paid.id, counts, at, kind });
      const of = after.links[link.id];
      // That the page of a canceled link failed is no news.
      if (!of || ['paid', 'canceled'].includes(of.status) || of.processingAt > at) return;
      if (of.status !== 'failed') Object.assign(of, { status: 'failed', failedAt: at });
    },
  };
}

function isGone({ receipts, payments }: Books, { paid }: Delivery): boolean {
  return (
    receipts.some((one) => one.id === paid.id && one.gone > 0) ||
    payments.some((one) => one.provider === paid.id && one.gone > 0)
  );
}

/** A payment that its provider will tell of later, if at all. */
function undelivered(world: World, at: number): Delivery {
  const link = world.links[at % world.links.length]!;
  const delivery = deliveryOf(world, link, link.amount, { currency: link.currency, fee: 0 });
  world.deliveries.push(delivery);
  return delivery;
}

/** Money is on its way: nothing has moved yet, and another link asks first. */
function processing(world: World, _books: Books, wish: FieldsOf<typeof PROCESSING>): Call {
  const link = world.links[wish.pick % world.links.length]!;
  const at = world.service.clock.now().getTime() - (wish.isOld ? 10 * MINUTE : 0);
  return {
    ...telling(world, 'processing', link.id, 'sbx_on_its_way', at),
    judge: (after, answer) => {
      refused(answer, []);
      assertFields(answer.body, { status: 'ignored' });
      const of = after.links[link.id]!;
      if (of.paidAt >= at || of.failedAt >= at) return;
      if (of.status === 'paid' || of.status === 'processing') return;
      Object.assign(of, { status: 'processing', processingAt: at });
    },
  };
}

function telling({ service }: World, kind: string, link: string, payment: string, at: number) {
  const { body, headers } = sandboxDelivery(service, `payment.${kind}`, {
    payment_id: payment,
    payment_link_id: link,
    at: new Date(at).toISOString(),
  });
  const path = `/v1/webhooks/${GATEWAY}`;
  return {
    text: `webhook: ${payment} of ${link} ${kind}`,
    send: async () => service.call(path, { method: 'POST', body, headers }),
  };
}

/** With spent credit it is several transactions; so that nothing comes in between, it is alone. */
const ALONE = 1000;

export const FAILURE_OPERATIONS = [
  operation('fail', {
    weight: 4,
    fields: FAILURE,
    needs: ANY_LINK,
    transactions: ALONE,
    call: fail,
  }),
  operation('processing', { weight: 1, fields: PROCESSING, needs: ANY_LINK, call: processing }),
];
