import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomOf } from '../../schedules/planned-year.js';
import { tries } from '../../support/share.js';
import type { TestClient } from '../../support/client.js';
import { expectBooksToAgree } from '../documents/document-calls.js';
import {
  aCustomer,
  anInvoiceDue,
  type DunningStage,
  dunningStage,
  plan,
  remindersOf,
  say,
} from './dunning-stage.js';
import { type LateDebt, plannedLetters, type PlannedStep } from './planned-letters.js';

const DAYS = 130;
const FIRST = Date.UTC(2026, 3, 20) / 86_400_000;
const SEED = Number(process.env['SEED'] ?? Math.trunc(Date.now() % 1e9));

let stage: DunningStage;
let client: TestClient;
beforeAll(async () => {
  stage = await dunningStage(instantOfDay(FIRST));
  client = await stage.service.aClient();
  await client.patch('/v1/finance/seller', { name: 'Acme', country: 'DE' });
});
afterAll(() => stage.close());

const STEPS: Record<LateDebt['kind'], PlannedStep[]> = {
  business: [
    { days: -2, fee: 0, interest: false, lumpSum: false },
    { days: 6, fee: 0, interest: false, lumpSum: false },
    { days: 17, fee: 0, interest: true, lumpSum: true },
    { days: 31, fee: 0, interest: true, lumpSum: false },
  ],
  consumer: [
    { days: 4, fee: 0, interest: false, lumpSum: false },
    { days: 15, fee: 250, interest: true, lumpSum: false },
    { days: 29, fee: 0, interest: true, lumpSum: false },
  ],
};

const told = ({ days, fee, interest, lumpSum }: PlannedStep) => ({
  days,
  interest,
  lump_sum: lumpSum,
  fees: fee > 0 ? [{ currency: 'EUR', amount: fee }] : [],
});

/** The base rates that the test says: 1.27 until June, 1.52 from July on. */
const rateOf = (kind: LateDebt['kind']) => (day: number) => {
  const isSecondHalf = day >= Date.UTC(2026, 6, 1) / 86_400_000;
  return (isSecondHalf ? 152n : 127n) + (kind === 'business' ? 900n : 500n);
};

describe(`months of debts of seed ${SEED}`, () => {
  it('have each letter that an independent calculation expects, once, and no other', async () => {
    const { below: random } = randomOf(SEED);
    await plan(client, {
      business_steps: STEPS.business.map(told),
      consumer_steps: STEPS.consumer.map(told),
      base_rates: [{ from: '2026-07-01', percent: '1.52' }],
      due_from: '2026-01-01',
      // An invoice of charges would be dunned itself.
      charges_on: 'next_document',
    });
    const debts = await Promise.all(
      Array.from({ length: tries({ pushed: 10, full: 100 }) }, () => aDebt(random)),
    );
    const rounds: number[] = [];
    for (let day = FIRST; day < FIRST + DAYS; day += random(4) + 1) {
      rounds.push(day);
      stage.service.clock.set(`${instantOfDay(day)}T10:00:00Z`);
      await Promise.all([stage.round(), stage.round()]);
      await stage.mails();
      for (const debt of debts) await live(debt, day, random);
    }
    let count = 0;
    for (const { id, debt } of debts) {
      const letters = await remindersOf(client, `&document_id=${id}`);
      count += letters.length;
      const amountOf = (kind: string, { charges }: (typeof letters)[number]) =>
        charges.find((one) => one.kind === kind)?.amount ?? 0;
      const sent = letters.map((one) => ({
        day: Date.parse(one.made_on) / 86_400_000,
        step: one.step,
        asked: one.amount,
        fee: amountOf('fee', one),
        interest: amountOf('interest', one),
        lumpSum: amountOf('lump_sum', one),
      }));
      expect(letters.map(({ status }) => status)).toEqual(letters.map(() => 'sent'));
      expect(sent).toEqual(plannedLetters(debt, STEPS[debt.kind], rounds, rateOf(debt.kind)));
    }
    expect(count).toBeGreaterThan(debts.length);
    await expectBooksToAgree(stage.service);
  });
});

/** `YYYY-MM-DD` of a number of days since 1970. */
const instantOfDay = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

interface Living {
  id: string;
  debt: LateDebt;
  owed: number;
}

async function aDebt(random: (below: number) => number): Promise<Living> {
  const kind = random(2) === 0 ? 'business' : 'consumer';
  const due = FIRST + random(60);
  const amount = 1000 + random(3_000_000);
  const { id } = await anInvoiceDue(client, instantOfDay(due), {
    customer: undefined,
    customer_id: await aCustomer(client, { kind }),
    lines: [{ description: 'Work', unit_amount: amount, tax_rate: '0', tax_category: 'Z' }],
  });
  const [payments, promises, pauses] = [new Map(), new Map(), new Map()];
  return { id, owed: amount, debt: { due, amount, kind, payments, promises, pauses } };
}

/** Payments, promises and pauses of a debt, behind the round of a day. */
async function live(one: Living, day: number, random: (below: number) => number): Promise<void> {
  const { id, debt } = one;
  const chance = random(100);
  if (one.owed > 0 && chance < 6) {
    const amount = chance === 0 ? one.owed : 1 + random(one.owed);
    await client.pay({ id }, { amount });
    debt.payments.set(day, amount);
    one.owed -= amount;
  } else if (chance < 9) {
    const until = day + random(12);
    await say(client, { id }, { promised_until: instantOfDay(until) });
    debt.promises.set(day, until);
  } else if (chance < 13) {
    const paused = random(3) === 0;
    await say(client, { id }, { paused });
    debt.pauses.set(day, paused);
  }
}
