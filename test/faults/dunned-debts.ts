import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { addDays, dateIn } from '../../src/kernel/clock.js';
import { publicId, uuidOf } from '../../src/kernel/ids.js';
import type { RunningService } from '../../src/testing/service/running-service.js';
import { customerRequest } from '../../src/testing/service/request-bodies.js';
import { ServiceClient } from '../../src/testing/service/service-client.js';
import type { TestClock } from '../../src/testing/test-clock.js';
import { type DunnedAccount, type LivedThrough, SAID_RATES } from '../dunning/judged-letters.js';
import { dayOfIso, planRequest } from '../dunning/planned-letters.js';
import type { Random } from '../support/random.js';
import { patientCall, patientRows } from './patience.js';

/** Plans of each kind, and where. */
const DUNNED_IN = [
  ['Pacific/Kiritimati', 'document', 'own_document'],
  ['Asia/Kathmandu', 'customer', 'own_document'],
  ['Europe/Berlin', 'document', 'next_document'],
  ['America/Los_Angeles', 'customer', 'next_document'],
] as const;

const OWED = `SELECT d.document_id AS id, d.account_id AS "accountId",
    (d.total - d.amount_paid)::int AS rest,
    coalesce(s.next_on <= ($2::timestamptz AT TIME ZONE a.time_zone)::date, false) AS "isNow"
  FROM documents d JOIN accounts a USING (account_id)
    LEFT JOIN dunning_states s USING (account_id, document_id)
  WHERE d.account_id = ANY ($1) AND d.kind = 'invoice' AND d.lifecycle <> 'draft'
    AND d.settled_at IS NULL AND d.due_date BETWEEN $2::date - 45 AND $2::date + 5
  ORDER BY d.document_id`;

interface OwedDebt {
  id: string;
  accountId: string;
  rest: number;
  /** Its next step may be due now. */
  isNow: boolean;
}

interface Dunner extends DunnedAccount {
  id: string;
  client: ServiceClient;
  customers: string[];
}

export interface Debtor {
  client: ServiceClient;
  zone: string;
  customer: string;
}

interface Parts {
  service: RunningService;
  clock: TestClock;
  pool: pg.Pool;
  random: Random;
}

/** Accounts that remind, and what happens to their invoices. */
export class DunnedDebts {
  readonly lived = new Map<string, LivedThrough[]>();
  /** Invoices that the run made, with their amounts; others are of schedules, or bill charges. */
  readonly amounts = new Map<string, number>();
  private readonly dunners: Dunner[] = [];
  private readonly paused = new Set<string>();

  constructor(private readonly parts: Parts) {}

  get accounts(): Map<string, Dunner> {
    return new Map(this.dunners.map((one) => [one.id, one]));
  }

  /** @param days due dates are on these days behind the first */
  async begin(count: number, first: string, days: number): Promise<void> {
    const { service, clock, random } = this.parts;
    for (const [zone, by, on] of DUNNED_IN) {
      const credentials = await service.credentials({ timeZone: zone });
      const client = new ServiceClient(service.url, clock, credentials);
      const body = {
        ...planRequest(),
        letters_by: by,
        charges_on: on,
        law: 'DE',
        base_rates: SAID_RATES.map(({ from, base }) => ({ from, percent: percentOf(base) })),
        due_from: addDays(first, -1),
      };
      await patientCall(() => client.patch('/v1/finance/dunning-plan', body));
      const customers: string[] = [];
      for (let index = 0; index < Math.max(2, count / 8); index += 1) {
        const kind = index % 2 === 0 ? 'business' : 'consumer';
        const email = `debtor-${index}@${by}.${on.replace('_', '-')}.example`;
        const wish = customerRequest({ kind, email });
        const made = await client.post<{ id: string }>('/v1/finance/customers', wish);
        customers.push(made.body.id);
      }
      const id = uuidOf('acc', client.accountId)!;
      const account = { zone, isTogether: by === 'customer', isOnNext: on === 'next_document' };
      this.dunners.push({ ...account, id, client, customers });
    }
    for (let index = 0; index < count; index += 1) {
      await this.invoice(this.dunners[index % 4]!, addDays(first, 3 + random.below(days)));
    }
  }

  /** One that may have a schedule, too. */
  aDebtor(): Debtor {
    const { client, zone, customers } = this.parts.random.of(this.dunners);
    return { client, zone, customer: this.parts.random.of(customers) };
  }

  /** Some whose step is due in a moment. */
  async atStake(instant: Date): Promise<OwedDebt[]> {
    const owed = await this.owed(instant);
    return owed.filter(({ isNow }) => isNow && this.parts.random.oneIn(8));
  }

  /** While rounds are under way. */
  async hurry(debts: readonly OwedDebt[], step: number, instant: Date): Promise<void> {
    await Promise.all(
      debts.map(async (debt) => {
        const wait = this.parts.random.below(80);
        const act = this.actOn(debt, { step, isHurried: true }, instant);
        await sleep(wait);
        await act();
      }),
    );
  }

  /** Between rounds. @returns whether anything happened */
  async live(step: number, instant: Date): Promise<boolean> {
    const { random } = this.parts;
    const owed = await this.owed(instant);
    const seen = new Set<string>();
    for (let index = 0; index < Math.ceil(owed.length / 120); index += 1) {
      const debt = random.of(owed);
      const isOver = this.lived.get(debt.id)?.some((one) => one.step === step);
      if (isOver || seen.has(debt.id) || !random.oneIn(3)) continue;
      seen.add(debt.id);
      await this.actOn(debt, { step, isHurried: false }, instant)();
    }
    const next = random.of(this.dunners);
    const isInvoiced = next.isOnNext && random.oneIn(8);
    if (isInvoiced)
      await this.invoice(next, addDays(dateIn(next.zone, instant), 1 + random.below(30)));
    return seen.size > 0 || isInvoiced;
  }

  private async owed(instant: Date): Promise<OwedDebt[]> {
    const ids = this.dunners.map(({ id }) => id);
    return patientRows<OwedDebt>(this.parts.pool, OWED, [ids, instant]);
  }

  private async invoice({ client, customers }: Dunner, due: string): Promise<void> {
    const { random } = this.parts;
    const amount = 1000 + random.below(3_000_000);
    const body = {
      customer_id: random.of(customers),
      due_date: due,
      lines: [{ description: 'Work', unit_amount: amount, tax_rate: '0', tax_category: 'Z' }],
      issue: true,
    };
    const key = { 'Idempotency-Key': randomUUID() };
    const made = await patientCall(() =>
      client.post<{ id: string }>('/v1/finance/documents', body, key),
    );
    this.amounts.set(uuidOf('doc', made.id)!, amount);
  }

  /** A payment, a part of one, a promise, or a pause and its end. */
  private actOn(
    { id, accountId, rest }: OwedDebt,
    when: Pick<LivedThrough, 'step' | 'isHurried'>,
    instant: Date,
  ): () => Promise<unknown> {
    const { random } = this.parts;
    const { client, zone } = this.accounts.get(accountId)!;
    const path = `/v1/finance/documents/${publicId('doc', id)}`;
    const keep = (one: Omit<LivedThrough, 'step' | 'isHurried'>) =>
      this.lived.set(id, [...(this.lived.get(id) ?? []), { ...when, ...one }]);
    const key = { 'Idempotency-Key': randomUUID() };
    const say = (body: object) => () => patientCall(() => client.patch(`${path}/dunning`, body));
    const chance = random.below(10);
    if (this.paused.has(id) || chance === 0) {
      const paused = !this.paused.delete(id);
      if (paused) this.paused.add(id);
      keep({ paused });
      return say({ paused });
    }
    if (chance < 3) {
      const until = addDays(dateIn(zone, instant), random.below(12));
      keep({ promised: dayOfIso(until) });
      return say({ promised_until: until });
    }
    const amount = chance < 6 ? rest : 1 + random.below(rest);
    keep({ paid: amount });
    const body = { amount, method: 'cash' };
    return () => patientCall(() => client.post(`${path}/payments`, body, key));
  }
}

const percentOf = (hundredths: bigint) => (Number(hundredths) / 100).toFixed(2);
