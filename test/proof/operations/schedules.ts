import fc from 'fast-check';
import type { Rule } from '../../schedules/plain-days.js';
import { type Planned, requestOf } from '../../schedules/planned-year.js';
import { addDays } from '../../../src/kernel/clock.js';
import { type Books, dayIn } from '../books.js';
import { assertIssued, figuresIn, issued } from '../issued.js';
import { assertFields, type Call, refused } from '../judge.js';
import { chosen, fitting, foreignCall } from '../picks.js';
import { periodsTo, type Schedule, scheduleOf } from '../scheduled.js';
import type { World } from '../world.js';
import { currency, type FieldsOf, type Need, operation, pick, wishOf } from './operation.js';

const SCHEDULE = {
  customer: fc.nat({ max: 1 }),
  currency,
  price: fc.integer({ min: 1, max: 20_000 }),
  quantity: fc.integer({ min: 1, max: 3 }),
  rate: fc.constantFrom(0, 7, 19),
  rule: fc.constantFrom<Rule>(
    { every: 'day', interval: 3 },
    { every: 'day', interval: 5 },
    { every: 'week', interval: 1, weekday: 'FR' },
    { every: 'month', interval: 1, day: 31 },
  ),
  timing: fc.constantFrom('in_advance' as const, 'in_advance' as const, 'in_arrears' as const),
  isMetered: fc.constantFrom(false, false, true),
  action: fc.constantFrom('issue' as const, 'issue' as const, 'issue' as const, 'draft' as const),
  reviewHours: fc.constantFrom(0, 0, 24),
  oneOff: fc.constantFrom(0, 0, 777),
};
const USAGE = { pick, quantity: fc.integer({ min: 1, max: 9 }) };
const PAUSE = { pick, pauses: fc.boolean(), missed: fc.boolean() };
const DRAFT = { pick, deletes: fc.constantFrom(false, false, true) };
const PICKED = { pick };
const NO_SCHEDULE = 'sch_01h455vb4pex5vsknk084sn02q';
/** At least the next 24 periods. */
const FAR_DAYS = 800;

function makeSchedule(world: World, books: Books, wish: FieldsOf<typeof SCHEDULE>): Call {
  const customer = books.customers[wish.customer] ?? '';
  const { currency, rate, isMetered, rule, price, action, reviewHours } = wish;
  const planned: Planned = {
    rule,
    start: dayIn(books),
    timing: isMetered ? 'in_arrears' : wish.timing,
    proration: 'none',
    missed: 'all',
    action,
    reviewHours: action === 'draft' ? 0 : reviewHours,
    quantity: isMetered ? 0 : wish.quantity,
    price,
    raise: null,
    oneOff: isMetered ? 0 : wish.oneOff,
    minimum: 0,
    end: null,
    periods: null,
    trialEnd: null,
    business: null,
    used: isMetered ? [] : null,
  };
  const asked = requestOf(planned, customer, world.nextLabel()) as {
    document: { lines: object[] };
  };
  const lines = asked.document.lines.map((line) => ({ ...line, tax_rate: String(rate) }));
  const body = { ...asked, document: { ...asked.document, currency, lines } };
  return {
    ...world.request('schedules', body),
    judge: (after, answer) => {
      if (refused(answer, [])) return;
      const [first] = periodsTo({ planned, passed: 0 }, addDays(planned.start, FAR_DAYS));
      const next = answer.body['next'] as { period_start: string; runs_on: string };
      assertFields(next, { period_start: first?.start, runs_on: first?.runsOn });
      after.schedules.push({
        id: String(answer.body['id']),
        customer,
        currency,
        rate,
        planned,
        status: 'active',
        passed: 0,
        skips: [],
        isSetUp: false,
        used: [],
      });
    },
  };
}

const isMetered = ({ planned }: Schedule) => planned.used !== null;

function reportUsage(world: World, books: Books, wish: FieldsOf<typeof USAGE>): Call {
  const id = chosen(fitting(books.schedules, isMetered), wish.pick)?.id;
  const { quantity } = wish;
  const on = dayIn(books);
  const body = { meter: 'use', quantity: String(quantity) };
  const request = world.request(`schedules/${id ?? NO_SCHEDULE}/usage`, body);
  if (id === undefined) return foreignCall(request, 'schedule_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const of = scheduleOf(after, id);
      if (refused(answer, [!isMetered(of) && 'unknown_meter'])) return;
      assertFields(answer.body, { used_on: on });
      of.used.push({ on, quantity, isBilled: false });
    },
  };
}

/** Pauses, or goes on: with what its pause has left out, or without. */
function pause(world: World, books: Books, wish: FieldsOf<typeof PAUSE>): Call {
  const isFit = ({ status }: Schedule) => (status === 'paused') !== wish.pauses;
  const id = chosen(fitting(books.schedules, isFit), wish.pick)?.id;
  const step = wish.pauses ? 'pause' : 'resume';
  const body = wish.pauses ? {} : { make_missed: wish.missed };
  const request = world.request(`schedules/${id ?? NO_SCHEDULE}/${step}`, body);
  if (id === undefined) return foreignCall(request, 'schedule_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const of = scheduleOf(after, id);
      const isGoing = of.status === 'active' && !wish.pauses;
      if (refused(answer, [isGoing && 'schedule_not_paused'])) return;
      of.status = wish.pauses ? 'paused' : 'active';
      const yesterday = addDays(dayIn(after), -1);
      if (!wish.pauses && !wish.missed) of.passed += periodsTo(of, yesterday).length;
      assertFields(answer.body, { status: of.status });
    },
  };
}

/** The next period that nobody has left out has no document. */
function skipPeriod(world: World, books: Books, wish: FieldsOf<typeof PICKED>): Call {
  const id = chosen(books.schedules, wish.pick)?.id;
  const request = world.request(`schedules/${id ?? NO_SCHEDULE}/skip`, {});
  if (id === undefined) return foreignCall(request, 'schedule_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const of = scheduleOf(after, id);
      const coming = periodsTo(of, addDays(dayIn(after), FAR_DAYS)).slice(0, 24);
      const next = coming.find(({ start }) => !of.skips.includes(start));
      if (refused(answer, [!next && 'period_out_of_reach']) || !next) return;
      of.skips.push(next.start);
    },
  };
}

/** A person issues or deletes a draft of a schedule; what letters asked for waits again then. */
function settleDraft(world: World, books: Books, wish: FieldsOf<typeof DRAFT>): Call {
  const id = chosen(books.drafts, wish.pick)?.id;
  const path = `documents/${id ?? world.foreign.document}${wish.deletes ? '' : '/issue'}`;
  const method = wish.deletes ? 'delete' : 'post';
  const request = world.request(path, {}, { keyed: false, method });
  if (id === undefined) return foreignCall(request, 'document_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const draft = after.drafts.find((one) => one.id === id);
      const isIssued = after.invoices.some((one) => one.id === id);
      const gone = isIssued ? 'document_not_draft' : 'document_not_found';
      if (refused(answer, [!draft && gone]) || !draft) return;
      after.drafts = after.drafts.filter((one) => one !== draft);
      if (wish.deletes) {
        const charges = after.letters.flatMap((one) => one.charges);
        for (const one of charges) if (one.billedBy === id) one.billedBy = null;
        return;
      }
      const issue = { ...draft, figures: draft, day: dayIn(after) };
      const made = issued(after, answer.body, issue);
      assertFields(answer.body, figuresIn(draft));
      assertIssued(answer.body, made);
    },
  };
}

const scheduling = operation('schedule', { weight: 2, fields: SCHEDULE, call: makeSchedule });

function aSchedule(isMetered: boolean) {
  return wishOf(scheduling, {
    customer: 0,
    currency: 'EUR',
    price: 4321,
    quantity: 1,
    rate: 19,
    rule: { every: 'day', interval: 3 },
    timing: 'in_advance',
    isMetered,
    action: 'issue',
    reviewHours: 24,
    oneOff: 0,
  });
}
const ANY_SCHEDULE: Need = { of: (_world, { schedules }) => schedules, first: aSchedule(false) };
export const A_REVIEWED = aSchedule(false);

export const SCHEDULE_OPERATIONS = [
  scheduling,
  operation('usage', {
    weight: 2,
    fields: USAGE,
    needs: {
      of: (_world, { schedules }) => schedules.filter(({ planned }) => planned.used),
      first: aSchedule(true),
    },
    call: reportUsage,
  }),
  operation('pauseSchedule', { weight: 1, fields: PAUSE, needs: ANY_SCHEDULE, call: pause }),
  operation('skipPeriod', { weight: 1, fields: PICKED, needs: ANY_SCHEDULE, call: skipPeriod }),
  operation('settleDraft', { weight: 1, fields: DRAFT, hasKey: false, call: settleDraft }),
];
