import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import { DebitRetryRepository } from '../../../src/payments/collecting/infrastructure/mandates/debit-retry.repository.js';
import type { StubDebit } from '../../support/gocardless-api.js';
import { runsOf } from '../../support/share.js';
import {
  actAs,
  aPayer,
  anInvoiceOf,
  bank,
  client,
  collect,
  debits,
  deliver,
  linksOf,
  look,
  other,
  round,
  service,
  tells,
  withDebits,
} from './debits.js';

// Plans of retries against whatever happens in between, by a model that knows the rules alone.

withDebits();

const plan = async (days: number[]) =>
  expect(
    (await client.patch('/v1/finance/payment-settings', { debit_retry_days: days })).status,
  ).toBe(200);

/** An account with so many debits that failed, and are tried again. */
async function failures(many: number): Promise<string> {
  actAs(await service.aClient());
  await plan([1]);
  const { customer } = await aPayer();
  for (let made = 0; made < many; made += 1) await anInvoiceOf(customer, 5);
  expect(await round()).toBe(many);
  for (const debit of debits().slice(-many)) await bank(debit, 'submitted', 'failed');
  return uuidOf('acc', client.accountId) ?? '';
}

describe('a round', () => {
  it('gives each account its turn', async () => {
    const accounts = [await failures(4), await failures(1)];
    service.clock.advance({ days: 1 });
    const due = await service.app.get(DebitRetryRepository).due(null, service.clock.now(), 2);
    expect(due.map(({ accountId }) => accountId).toSorted()).toEqual(accounts.toSorted());
    expect(await round()).toBe(5);
  });
});

type Step =
  | { do: 'wait'; days: number }
  | { do: 'pay'; amount: number }
  | { do: 'plan'; days: number[] }
  | { do: 'fail' | 'replay' | 'confirm' | 'collect' | 'rounds' | 'look' };

const days = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.nat(9) }) },
    { weight: 4, arbitrary: fc.constant<Step>({ do: 'fail' }) },
    { weight: 4, arbitrary: fc.constant<Step>({ do: 'rounds' }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('pay' as const), amount: fc.constant(1000) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('plan' as const), days }) },
    ...(['replay', 'confirm', 'collect', 'look'] as const).map((one) => ({
      weight: 1,
      arbitrary: fc.constant<Step>({ do: one }),
    })),
  ),
  { minLength: 8, maxLength: 25 },
);

describe('a document', () => {
  it('is debited by its plan alone, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(days, steps, async (first, all) => {
        await service.database.query('UPDATE mandates SET automatic_since = NULL');
        await service.database.query(
          "UPDATE debit_retries SET status = 'dropped', settled_at = now() WHERE status = 'planned'",
        );
        await new Course(await aPayer(), first).run(all);
      }),
      runsOf(16),
    );
  }, 120_000);
});

/** The course of one invoice, and all that has to hold after each step. */
class Course {
  private invoice: { id: string } = { id: '' };
  private paid = 0;
  private mostPlanned: number;
  private byHand = 0;
  private told: object[] = [];

  constructor(
    private readonly payer: Awaited<ReturnType<typeof aPayer>>,
    private readonly first: number[],
  ) {
    this.mostPlanned = first.length;
  }

  async run(all: readonly Step[]): Promise<void> {
    await plan(this.first);
    this.invoice = await anInvoiceOf(this.payer.customer, 5);
    await round();
    for (const step of all) {
      const before = this.own().length;
      await this.take(step);
      await this.judge(before);
    }
  }

  private async take(step: Step): Promise<void> {
    const debit = this.own().at(-1);
    const isOpen = debit && ['pending_submission', 'submitted'].includes(debit.status);
    if (step.do === 'wait') service.clock.advance({ days: step.days });
    if (step.do === 'rounds') await Promise.all([round(), round(other)]);
    if (step.do === 'look') await look();
    if (step.do === 'replay' && this.told.length > 0) await deliver(this.told);
    if (step.do === 'fail' && isOpen) await this.fail(debit);
    if (step.do === 'confirm' && isOpen) {
      await bank(debit, 'submitted', 'confirmed');
      this.paid += debit.amount;
    }
    if (step.do === 'pay') {
      const { status } = await client.pay(this.invoice, { amount: step.amount });
      if (status === 201) this.paid += step.amount;
    }
    if (step.do === 'plan') {
      await plan(step.days);
      this.mostPlanned = Math.max(this.mostPlanned, step.days.length);
    }
    if (step.do === 'collect' && (await collect(this.invoice)).status === 201) this.byHand += 1;
  }

  private async fail(debit: StubDebit): Promise<void> {
    debit.status = 'failed';
    const event = tells('payments.failed', { payment: debit.id });
    this.told = [event];
    await deliver(this.told);
  }

  private async judge(before: number): Promise<void> {
    const own = this.own();
    const links = await linksOf(this.invoice);
    const onTheirWay = own.filter(({ status }) =>
      ['pending_submission', 'submitted'].includes(status),
    );
    expect(onTheirWay.length).toBeLessThan(2);
    expect(own.length - before).toBeLessThan(2);
    // Withdrawn ones are made again for the rest, and are no tries of their own.
    const withdrawn = links.filter(({ status }) => status === 'canceled').length;
    expect(own.length - withdrawn).toBeLessThanOrEqual(1 + this.mostPlanned + this.byHand);
    if (own.length > before) expect(own.at(-1)?.amount).toBe(11_900 - this.paid);
    const { amount_paid } = await client.read(this.invoice);
    expect(amount_paid).toBe(Math.min(11_900, this.paid));
    const [doubled] = await service.database.query(
      `SELECT retry FROM collections WHERE document_id = $1 AND withdrawn_at IS NULL
       AND retry IS NOT NULL GROUP BY retry HAVING count(*) > 1`,
      [uuidOf('doc', this.invoice.id)],
    );
    expect(doubled).toBeUndefined();
  }

  /** Debits of the invoice, as the provider has them. A course before may still have one made for a rest. */
  private own(): StubDebit[] {
    return debits().filter(({ links }) => links.mandate === this.payer.name);
  }
}
