import fc from 'fast-check';
import { type Books, nowIn } from '../books.js';
import { assertFields, type Call, isSaid, refused } from '../judge.js';
import { type FieldsOf, operation } from './operation.js';
import type { World } from '../world.js';

/** One of the last months, which have ended. */
const PERIOD = { pick: fc.nat({ max: 2 }), closes: fc.boolean() };

/** The month so many months before the one of now. */
function monthBefore(now: Date, months: number): string {
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
  return day.toISOString().slice(0, 7);
}

/** Closes a month with all before it, or opens it with all after it. */
function period(world: World, books: Books, wish: FieldsOf<typeof PERIOD>): Call {
  const now = nowIn(books);
  const month = monthBefore(now, wish.pick + 1);
  const next = monthBefore(now, wish.pick);
  const step = wish.closes ? 'close' : 'reopen';
  const request = world.request(`periods/${month}/${step}`, {});
  if (wish.closes) {
    return {
      ...request,
      judge: (after) => {
        if (after.openFrom < next) after.openFrom = next;
      },
      // Somebody may have opened it again while this one waited.
      later: [
        (after, answer) => {
          // A transaction on the server, of another database too, has not ended: nothing new gets in.
          if (answer.status === 503 && isSaid(answer, 'period_closing')) return;
          const status = after.openFrom < next ? 'open' : 'closed';
          if (!refused(answer, [])) assertFields(answer.body, { month, status });
        },
      ],
    };
  }
  return {
    ...request,
    judge: (after, answer) => {
      if (refused(answer, [after.openFrom < next && 'period_not_closed'])) return;
      after.openFrom = month;
      assertFields(answer.body, { month, status: 'open' });
    },
  };
}

export const PERIOD_OPERATIONS = [
  operation('period', { weight: 1, fields: PERIOD, transactions: 2, call: period }),
];
