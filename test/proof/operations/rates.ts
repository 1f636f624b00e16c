import fc from 'fast-check';
import { type Books, nowIn } from '../books.js';
import { assertFields, type Call, refused } from '../judge.js';
import { type FieldsOf, type Need, operation, wishOf } from './operation.js';
import type { World } from '../world.js';

const RATE = {
  /** Mostly the two of most payments, in either direction. */
  pair: fc.constantFrom<readonly [string, string]>(
    ['EUR', 'JPY'],
    ['JPY', 'EUR'],
    ['EUR', 'KWD'],
    ['KWD', 'JPY'],
  ),
  /** The last one holds no more. None is at either end, where midnight and time zones would tell. */
  daysAgo: fc.constantFrom(1, 1, 5, 8, 8),
  rate: fc.constantFrom('1.25', '0.8', '2'),
};

/** The price of a day, for all money that is told of without one; what is booked stays. */
function putRate(world: World, books: Books, wish: FieldsOf<typeof RATE>): Call {
  const [base, quote] = wish.pair;
  const { rate } = wish;
  const on = new Date(nowIn(books).getTime() - wish.daysAgo * 86_400_000);
  const day = on.toISOString().slice(0, 10);
  const told = { base, quote, day, rate, source: 'ECB' };
  return {
    ...world.request('exchange-rates', { rates: [told] }, { method: 'put' }),
    judge: (after, answer) => {
      if (refused(answer, [])) return;
      let known = after.rates.find(
        (one) => one.base === base && one.quote === quote && one.day === day,
      );
      if (!known) {
        known = { base, quote, day, rate: '', revision: 0 };
        after.rates.push(known);
      }
      if (known.rate !== rate) Object.assign(known, { rate, revision: known.revision + 1 });
      const { data } = answer.body as { data: object[] };
      assertFields(data[0], { ...told, revision: known.revision });
    },
  };
}

const rating = operation('rate', { weight: 2, fields: RATE, call: putRate });

export const ANY_RATE: Need = {
  of: (_world, { rates }) => rates,
  first: wishOf(rating, { pair: ['JPY', 'EUR'], daysAgo: 1, rate: '1.25' }),
};

export const RATE_OPERATIONS = [rating];
