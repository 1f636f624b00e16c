import fc from 'fast-check';
import { addDays } from '../../../src/kernel/clock.js';
import type { Answer } from '../../support/http.js';
import { type Books, nowIn } from '../books.js';
import { type Call, refused } from '../judge.js';
import { passDays, type ToldOfDays } from '../rounds.js';
import type { World } from '../world.js';
import { INVOICE, issueInvoice, NOTHING_ELSE } from './invoices.js';
import { type FieldsOf, operation, wishOf } from './operation.js';
import { A_REVIEWED } from './schedules.js';

const LATE = { ...INVOICE, daysAgo: fc.constantFrom(1, 6, 25, 50) };
const DAYS = {
  days: fc.constantFrom(1, 5, 9, 13),
  /** Without anything that may be due then, there is this first. */
  first: fc.constantFrom('late' as const, 'schedule' as const),
};
/** Payment links and pages of the portal last longer. */
const MOST_DAYS = 28;
/** Nothing else is done meanwhile: it takes no turns with others. */
const ALONE = 1000;

/** An invoice that is due since some days. */
function issueLate(world: World, books: Books, wish: FieldsOf<typeof LATE>): Call {
  const { daysAgo, ...fields } = wish;
  const also = { ...NOTHING_ELSE, daysAgo };
  return issueInvoice(world, books, { ...fields, discounted: null }, also);
}

/** The account's clock goes on, and all is done that is due on its way. */
function passTime(world: World, books: Books, wish: FieldsOf<typeof DAYS>): Call {
  const ahead = (nowIn(books).getTime() - world.service.clock.now().getTime()) / 86_400_000;
  // Less than a day is none.
  const days = ahead + wish.days > MOST_DAYS ? 0 : wish.days;
  const send = async () => {
    const answer = await world.client.post('/v1/test-clock/advance', { days });
    return answer.status < 400 ? withTold(world, books, answer) : answer;
  };
  return {
    text: `${days} days pass`,
    send,
    judge: (after, answer) => {
      if (refused(answer, [days === 0 && 'invalid_integer'])) return;
      const told = answer.body as unknown as ToldOfDays;
      const last = told.now.slice(0, 10);
      passDays(after, addDays(last, -days), last, told);
      after.standsAt = told.now;
    },
  };
}

/** With the documents, periods and letters that there are now. */
async function withTold({ client }: World, books: Books, answer: Answer): Promise<Answer> {
  const listOf = async (path: string) => {
    const { body } = await client.get<{ data: Record<string, unknown>[] }>(
      `/v1/finance/${path}?limit=100`,
    );
    return body.data;
  };
  const [periods, letters, listed] = [
    await listOf('schedule-periods'),
    await listOf('reminders'),
    await listOf('documents'),
  ];
  const known = new Set([...books.invoices, ...books.creditNotes].map(({ id }) => id));
  const fresh = listed.map(({ id }) => String(id)).filter((id) => !known.has(id));
  const documents: Record<string, object> = {};
  for (const id of fresh) {
    documents[id] = (await client.get(`/v1/finance/documents/${id}`)).body;
  }
  return { ...answer, body: { ...answer.body, periods, letters, documents } };
}

const late = operation('lateInvoice', { weight: 2, fields: LATE, call: issueLate });

const A_LATE_INVOICE = wishOf(late, {
  customer: 0,
  currency: 'EUR',
  lines: [{ amount: 123_456, rate: 19, isBack: false }],
  coin: null,
  discounted: null,
  daysAgo: 25,
});

const passing = operation('days', {
  weight: 5,
  fields: DAYS,
  needs: ({ first }) => {
    if (first === 'schedule') {
      return { of: (_world, { schedules }) => schedules, first: A_REVIEWED };
    }
    return {
      of: (_world, { invoices, standsAt }) => (standsAt ? invoices : invoices.filter(isLate)),
      first: A_LATE_INVOICE,
    };
  },
  transactions: ALONE,
  hasKey: false,
  call: passTime,
});

const isLate = ({ dueDate }: { dueDate: string }) => dueDate < new Date().toISOString();

export const A_LETTER = wishOf(passing, { days: 9, first: 'late' });

export const DAY_OPERATIONS = [late, passing];
