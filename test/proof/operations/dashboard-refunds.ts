import fc from 'fast-check';
import { publicId } from '../../../src/kernel/ids.js';
import { type Books, creditOf, type Payment } from '../books.js';
import { assertFields, assertOutcome, type Call, Disagreement, refused } from '../judge.js';
import { chosen, paymentOf, quartersOf } from '../picks.js';
import { comeBack, goBack } from '../refund-steps.js';
import type { MadeRefund, World } from '../world.js';
import { paidByProvider, timeAt } from './gateway.js';
import { disputedOf, leftToRefund } from './moves.js';
import { type FieldsOf, operation, pick } from './operation.js';
import { begin, type RefundAnswer } from './refunds.js';

const MADE = { pick, quarters: fc.integer({ min: 1, max: 4 }), bounces: fc.boolean() };
const PICKED = { pick };

/** Somebody gives money back in the provider's dashboard, or such a refund fails later. */
function refundElsewhere(world: World, books: Books, wish: FieldsOf<typeof MADE>): Call {
  const gone = world.made.filter(({ id }) =>
    books.refunds.some((one) => one.id === id && one.status === 'succeeded'),
  );
  const earlier = wish.bounces ? chosen(gone, wish.pick) : undefined;
  if (earlier) return bounced(world, earlier);
  const payments = books.payments.filter((one) => isFree(books, one));
  const payment = payments[wish.pick % payments.length]!;
  const amount = quartersOf(leftToRefund(books, payment), wish.quarters);
  const { currency, provider: of = '' } = payment;
  const gateway = world.gatewayOf(of);
  const word = { payment: of ?? '', amount, currency, gateway };
  const { spoken, name } = said(world, word, 'succeeded');
  return {
    text: `${gateway}: ${amount} ${currency} of ${of} go back by ${name}`,
    send: async () => {
      const answer = await world.hears(gateway, spoken);
      world.heard.push({ gateway, spoken });
      const id = await idOf(world, name);
      if (id === null) throw new Disagreement(`${name} is no refund here`);
      if (!world.made.some((one) => one.id === id)) world.made.push({ ...word, id, name });
      world.provider.madeElsewhere(id, word.payment, amount);
      const refund = await world.client.get(`/v1/finance/refunds/${id}`);
      return { ...answer, body: { ...answer.body, refund: refund.body } };
    },
    judge: (after, answer) => {
      refused(answer, []);
      assertOutcome(answer.body, 'ok');
      const { refund: made } = answer.body as unknown as RefundAnswer;
      assertFields(made, { amount, status: 'succeeded' });
      goBack(
        after,
        begin(after, paymentOf(after, payment.id).id, made, { byGateway: true }),
        'gateway_clearing',
      );
    },
  };
}

function bounced(world: World, made: MadeRefund): Call {
  const { id, gateway, name } = made;
  const { spoken } = said(world, made, 'failed', name);
  return {
    text: `${gateway}: ${name} failed`,
    send: async () => {
      const answer = await world.hears(gateway, spoken);
      world.heard.push({ gateway, spoken });
      world.provider.cameBack(id);
      const refund = await world.client.get(`/v1/finance/refunds/${id}`);
      return { ...answer, body: { ...answer.body, refund: refund.body } };
    },
    judge: (after, answer) => {
      refused(answer, []);
      assertOutcome(answer.body, 'ok');
      assertFields(answer.body['refund'], { status: 'returned' });
      comeBack(
        after,
        after.refunds.find((one) => one.id === id)!,
        'returned',
      );
    },
  };
}

function said(
  world: World,
  { payment, amount, currency, gateway }: Omit<MadeRefund, 'id' | 'name'>,
  status: 'succeeded' | 'failed',
  known?: string,
) {
  const voice = world.voiceOf(gateway);
  const name = known ?? voice.refundId(`${voice.paymentId()}${world.nextLabel()}`);
  const at = timeAt(world, gateway);
  const spoken = voice.refund({ id: name, ours: null, payment, amount, currency, status, at });
  return { name, spoken };
}

async function idOf({ service }: World, name: string): Promise<string | null> {
  const [row] = await service.database.query<{ refund_id: string }>(
    'SELECT refund_id FROM refunds WHERE provider_refund_id = $1',
    [name],
  );
  return row ? publicId('rfnd', row.refund_id) : null;
}

/** All that it has left can go back, and nothing else is to be said about the same money. */
function isFree(books: Books, payment: Payment): boolean {
  const { customer, currency, inCredit, provider, reversed } = payment;
  const own = books.refunds.filter((one) => one.of === payment.id);
  return (
    provider !== null &&
    !reversed &&
    payment.gone === 0 &&
    leftToRefund(books, payment) > 0 &&
    disputedOf(books, payment) === 0 &&
    inCredit >= 0 &&
    inCredit <= creditOf(books, customer, currency) &&
    own.every(({ byGateway, status }) => byGateway && status === 'succeeded')
  );
}

/** A delivery that came before: nothing changes. */
function repeat(world: World, _books: Books, wish: FieldsOf<typeof PICKED>): Call {
  const { gateway, spoken } = world.heard[wish.pick % world.heard.length]!;
  return {
    text: `${gateway}: again ${spoken.body}`,
    send: async () => world.hears(gateway, spoken),
    judge: (_after, answer) => void refused(answer, []),
  };
}

/** With spent credit it is several transactions; so that nothing comes in between, it is alone. */
const ALONE = 1000;

export const DASHBOARD_OPERATIONS = [
  operation('refundElsewhere', {
    weight: 2,
    fields: MADE,
    needs: (wish) => ({
      of: (_world, books) => books.payments.filter((one) => isFree(books, one)),
      first: paidByProvider(wish),
    }),
    transactions: ALONE,
    call: refundElsewhere,
  }),
  operation('repeat', {
    weight: 1,
    fields: PICKED,
    needs: (wish) => ({ of: ({ heard }) => heard, first: paidByProvider(wish) }),
    call: repeat,
  }),
];
