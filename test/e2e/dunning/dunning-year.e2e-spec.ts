import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  dayOfIso,
  DUNNED_BY,
  germanRate,
  isoOfDay,
  type LateDebt,
  plannedLetters,
  planRequest,
} from '../../dunning/planned-letters.js';
import { randomOf } from '../../support/random.js';
import { RUN_SEED, tries } from '../../support/share.js';
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

const DAYS = 130;
const FIRST = Date.UTC(2026, 3, 20) / 86_400_000;

let stage: DunningStage;
let client: TestClient;
beforeAll(async () => {
  stage = await dunningStage(isoOfDay(FIRST));
  client = await stage.service.aClient();
  await client.patch('/v1/finance/seller', { name: 'Acme', country: 'DE' });
});
afterAll(() => stage.close());

/** As ours has it until June; from July on as the test says. */
const BASES = [
  { from: '2026-01-01', base: 127n },
  { from: '2026-07-01', base: 152n },
];

describe(`months of debts of seed ${RUN_SEED}`, () => {
  it('have each letter that an independent calculation expects, once, and no other', async () => {
    const { below: random } = randomOf(RUN_SEED);
    await plan(client, {
      ...planRequest(),
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
      stage.service.clock.set(`${isoOfDay(day)}T10:00:00Z`);
      await Promise.all([stage.round(), stage.round()]);
      await stage.mails();
      for (const debt of debts) await live(debt, { day, round: rounds.length - 1 }, random);
    }
    let count = 0;
    for (const { id, debt } of debts) {
      const letters = await remindersOf(client, `&document_id=${id}`);
      count += letters.length;
      const amountOf = (kind: string, { charges }: (typeof letters)[number]) =>
        charges.find((one) => one.kind === kind)?.amount ?? 0;
      const sent = letters.map((one) => ({
        day: dayOfIso(one.made_on),
        step: one.step,
        asked: one.amount,
        fee: amountOf('fee', one),
        interest: amountOf('interest', one),
        lumpSum: amountOf('lump_sum', one),
      }));
      expect(letters.map(({ status }) => status)).toEqual(letters.map(() => 'sent'));
      const { kind } = debt;
      const planned = plannedLetters(debt, DUNNED_BY[kind], rounds, germanRate(kind, BASES));
      expect(sent.map((one, at) => ({ ...one, round: planned[at]?.round }))).toEqual(planned);
    }
    expect(count).toBeGreaterThan(debts.length);
    await expectBooksToAgree(stage.service);
  });
});

interface Living {
  id: string;
  debt: LateDebt;
  owed: number;
}

async function aDebt(random: (below: number) => number): Promise<Living> {
  const kind = random(2) === 0 ? 'business' : 'consumer';
  const due = FIRST + random(60);
  const amount = 1000 + random(3_000_000);
  const { id } = await anInvoiceDue(client, isoOfDay(due), {
    customer: undefined,
    customer_id: await aCustomer(client, { kind }),
    lines: [{ description: 'Work', unit_amount: amount, tax_rate: '0', tax_category: 'Z' }],
  });
  return { id, owed: amount, debt: { due, amount, kind, happened: [] } };
}

/** Payments, promises and pauses of a debt, behind the round of a day. */
async function live(
  one: Living,
  { day, round }: { day: number; round: number },
  random: (below: number) => number,
): Promise<void> {
  const { id, debt } = one;
  const chance = random(100);
  if (one.owed > 0 && chance < 6) {
    const amount = chance === 0 ? one.owed : 1 + random(one.owed);
    await client.pay({ id }, { amount });
    debt.happened.push({ round, paid: amount });
    one.owed -= amount;
  } else if (chance < 9) {
    const until = day + random(12);
    await say(client, { id }, { promised_until: isoOfDay(until) });
    debt.happened.push({ round, promised: until });
  } else if (chance < 13) {
    const paused = random(3) === 0;
    await say(client, { id }, { paused });
    debt.happened.push({ round, paused });
  }
}
