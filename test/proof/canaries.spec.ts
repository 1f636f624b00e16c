import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Drafts } from '../../src/documents/application/drafts.service.js';
import { Document } from '../../src/documents/domain/document.js';
import { HeldMoney } from '../../src/documents/domain/held-money.js';
import { TaxRelief } from '../../src/documents/domain/tax-relief.js';
import { IntegrityQuery } from '../../src/integrity/infrastructure/integrity.query.js';
import { PaymentSettingsService } from '../../src/payments/recording/application/payment-settings.service.js';
import { MemberTx } from '../../src/platform/database/member-tx.js';
import { Tx } from '../../src/platform/database/tx.js';
import { Idempotency } from '../../src/platform/idempotency/idempotency.js';
import { sealAll } from '../support/books.js';
import { startTestService, type TestService } from '../support/service.js';
import { oneIn } from '../support/share.js';
import { APPEND_ONLY } from './append-only.js';
import { type Canary, MORE_RUNS, PROVIDER_MONEY } from './provider-money-canaries.js';
import { prove, type Proof } from './run.js';
import { withoutLock, withoutTurns, withReads } from './weakened-reads.js';

/*
 * Whether the proof would notice: each guard is taken out of a build of its own, and random runs
 * must then fail. The same runs with the guard in place must not. If other guards stand before one,
 * they are taken out of both.
 */

const SEED = 20_261_121;
const LANES = 2;
/** It ends with the first that fails: more of them cost only where a guard is missed by chance. */
const RUNS = 60;
const TAMPERING_RUNS = 10;

const sql = (text: string) => async (service: TestService) => {
  await service.database.query(text);
};

const CANARIES: Canary[] = [
  {
    guard: 'the row lock of a document',
    ops: ['invoice', 'pay'],
    takeOut: () => withoutLock(/FROM documents d/),
  },
  {
    guard: 'the row lock of a payment',
    ops: ['invoice', 'pay', 'move', 'reverse', 'refund'],
    takeOut: () => withoutLock(/FROM payments/),
  },
  {
    guard: 'the row lock of a receipt without a home',
    ops: ['deliver', 'assign', 'refundReceipt'],
    takeOut: () => withoutLock(/FROM unmatched_receipts/),
  },
  {
    guard: 'the row lock of a bank entry',
    ops: ['invoice', 'statement', 'confirm', 'post'],
    runs: MORE_RUNS,
    takeOut: () => withoutLock(/FROM bank_entries e/),
  },
  {
    guard: 'the row lock of a customer’s credit',
    ops: ['invoice', 'pay'],
    runs: MORE_RUNS,
    takeOut: () => withoutLock(/FROM customer_balances/),
  },
  {
    guard: 'the clamp of days in closed months',
    ops: ['invoice', 'pay', 'period'],
    takeOut: () => {
      const queue = Tx.prototype.queue;
      vi.spyOn(Tx.prototype, 'queue').mockImplementation(function (this: Tx, write) {
        if (!('shape' in write)) return queue.call(this, write);
        const head = write.shape.head.replace('a.books_open_from', 'NULL::date');
        queue.call(this, { ...write, shape: { ...write.shape, head } });
      });
    },
    // Only integrity sees it, after all runs.
    runs: 30,
  },
  {
    guard: 'the tax that is owed again as a loss is paid',
    ops: ['invoice', 'pay', 'writeOff', 'creditNote', 'reverseWriteOff'],
    runs: MORE_RUNS,
    takeOut: () => {
      const takeChanges = TaxRelief.prototype.takeChanges;
      vi.spyOn(TaxRelief.prototype, 'takeChanges').mockImplementation(function (this: TaxRelief) {
        return takeChanges.call(this).filter(({ tax }) => tax.isPositive());
      });
    },
  },
  {
    guard: 'the last day of a cash discount',
    ops: ['invoice', 'pay'],
    takeOut: () => {
      const { allowanceFor } = PaymentSettingsService.prototype;
      const spied = vi.spyOn(PaymentSettingsService.prototype, 'allowanceFor');
      spied.mockImplementation(async function (this: PaymentSettingsService, tx, of, amount) {
        return allowanceFor.call(this, tx, of, amount, new Date(0));
      });
    },
  },
  {
    guard: 'the tax of a cash discount, which nobody has to claim',
    ops: ['invoice', 'pay'],
    takeOut: () => {
      const record = Document.prototype.recordPayment;
      const spied = vi.spyOn(Document.prototype, 'recordPayment');
      spied.mockImplementation(function (this: Document, amount, over, most) {
        return record.call(this, amount, over, most?.taxes ? { ...most, taxes: [] } : most);
      });
    },
  },
  {
    guard: 'the running total of the taxes of credit notes',
    ops: ['invoice', 'creditNote', 'voidCreditNote'],
    runs: MORE_RUNS,
    takeOut: () => {
      const make = Drafts.prototype.make;
      vi.spyOn(Drafts.prototype, 'make').mockImplementation(function (this: Drafts, ...drafted) {
        const [tx, account, { taxes: _, ...request }, source] = drafted;
        return make.call(this, tx, account, request, source);
      });
    },
  },
  {
    guard: 'the document that a payment before it in the group has left',
    ops: ['invoice', 'pay'],
    takeOut: () => {
      vi.spyOn(MemberTx.prototype, 'handedOn').mockImplementation((_key, loaded) => loaded());
    },
  },
  {
    guard: 'the trigger by which pending documents follow documents',
    ops: ['invoice', 'pay'],
    takeOut: sql('DROP TRIGGER documents_pending ON documents'),
    // Only integrity sees it, after all runs.
    runs: 6,
  },
  {
    guard: 'the look-up of Idempotency-Keys',
    ops: ['invoice', 'pay', 'again'],
    takeOut: () => {
      const text = 'SELECT NULL WHERE false';
      vi.spyOn(Idempotency.prototype, 'lookup').mockReturnValue({
        text,
        values: [],
        types: [],
        claims: null,
      });
    },
  },
  {
    guard: 'the unique key of Idempotency-Keys',
    ops: ['invoice', 'pay'],
    takeOut: sql('ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey'),
  },
  {
    guard: 'the unique keys of provider payments and events',
    ops: ['unknownLink'],
    // Reports of one payment take turns, so that its failures find it: that hides the race.
    before: () => withoutTurns(),
    takeOut: sql(`
      ALTER TABLE provider_events DROP CONSTRAINT provider_events_pkey;
      ALTER TABLE provider_receipts DROP CONSTRAINT provider_receipts_pkey CASCADE`),
  },
  {
    guard: 'the CHECK that credit is not spent twice',
    ops: ['invoice', 'pay', 'creditNote', 'voidCreditNote', 'refund'],
    runs: MORE_RUNS,
    takeOut: sql('ALTER TABLE customer_balances DROP CONSTRAINT customer_balances_not_negative'),
  },
  {
    guard: 'the CHECK that no more goes back than came',
    ops: ['deliver', 'refund'],
    runs: MORE_RUNS,
    before: () => withoutLock(/FROM payments/),
    takeOut: sql('ALTER TABLE payments DROP CONSTRAINT payments_sound'),
  },
  {
    guard: 'the CHECK that no more is paid than asked for',
    ops: ['invoice', 'pay'],
    // As if nothing had been paid yet.
    before: () => {
      vi.spyOn(Document.prototype, 'amountPayable', 'get').mockImplementation(function (
        this: Document,
      ) {
        return this.state.total;
      });
    },
    takeOut: sql('ALTER TABLE documents DROP CONSTRAINT documents_money'),
  },
  {
    guard: 'the question before money comes twice',
    ops: ['invoice', 'link', 'processing'],
    runs: MORE_RUNS,
    takeOut: () => {
      vi.spyOn(HeldMoney.prototype, 'expect').mockReturnValue();
    },
  },
  {
    guard: 'the turns in which rates are told',
    ops: ['rate'],
    takeOut: () => withoutLock(/FROM accounts/),
  },
  {
    guard: 'the last revision of a rate',
    ops: ['invoice', 'pay', 'rate'],
    runs: MORE_RUNS,
    takeOut: () => withReads('r.day DESC, r.revision DESC', 'r.day DESC, r.revision'),
  },
  {
    guard: 'the last day on which a rate holds',
    ops: ['invoice', 'pay', 'rate'],
    runs: MORE_RUNS,
    takeOut: () => withReads('- $5::integer', '- $5::integer - 30'),
  },
  {
    guard: 'that an exchange goes out of the books as it came in',
    ops: ['invoice', 'pay', 'reverse'],
    runs: MORE_RUNS,
    takeOut: () => withReads(/FROM conversions x WHERE/g, 'FROM conversions x WHERE false AND'),
  },
  ...PROVIDER_MONEY,
];

afterEach(() => {
  vi.restoreAllMocks();
});

let guarded: TestService;
beforeAll(async () => {
  guarded = await startTestService();
});
afterAll(() => guarded.close());

async function proofOf(
  service: TestService,
  { ops, before }: Canary,
  runs: number,
): Promise<Proof> {
  const answers = before === undefined;
  return prove(service, { runs, seed: SEED, ops, answers, lanes: LANES, shrink: false });
}

describe.each(oneIn(12, CANARIES))('$guard', (canary) => {
  it('lets the proof pass, and without it the proof fails', async () => {
    const { guard, runs: most = RUNS } = canary;
    canary.before?.();
    const unguarded = await startTestService();
    await canary.takeOut(unguarded);
    const proof = await proofOf(unguarded, canary, most).finally(() => unguarded.close());
    const { failure, steps } = proof;
    const [what = ''] = failure?.split('\n- ') ?? [];
    const found = failure === null ? 'NOT caught' : `caught after ${steps} steps`;
    console.log(`canary: without ${guard}: ${found}: ${what.slice(0, 300)}`);
    expect(failure).not.toBeNull();

    vi.restoreAllMocks();
    canary.before?.();
    // At most so many runs of each lane came before the one that failed.
    const same = Math.min(most, LANES * (proof.runs + 1));
    expect((await proofOf(guarded, canary, same)).failure).toBeNull();
  });
});

describe('the append-only trigger', () => {
  /** Each way to change each table comes so often that none is missed. */
  const TAMPERING = { seed: SEED, ops: ['tamper'], lanes: 1, runs: TAMPERING_RUNS, shrink: false };
  /** Rows that are deleted there are gone. */
  let unguarded: TestService;
  beforeAll(async () => {
    unguarded = await startTestService();
  });
  afterAll(() => unguarded.close());

  it('of any table lets the proof pass', async () => {
    expect((await prove(guarded, { ...TAMPERING, runs: 1 })).failure).toBeNull();
  });

  it.each(oneIn(12, APPEND_ONLY))('of $table is missed when it is gone', async ({ table }) => {
    const { database } = unguarded;
    const trigger = `${table}_append_only`;
    const [made] = await database.query<{ definition: string }>(
      'SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE tgname = $1',
      [trigger],
    );
    await database.query(`DROP TRIGGER ${trigger} ON ${table}`);
    const { failure } = await prove(unguarded, TAMPERING);
    await database.query(made!.definition);
    expect(failure).toMatch(new RegExp(`(UPDATE|DELETE FROM) ${table} .* -> 200`));
  });
});

describe('the sealing', () => {
  /** The owner of the tables can do this: invoices of another day, and all sums are right. */
  const REDATE = `
    ALTER TABLE transfers DISABLE TRIGGER USER;
    UPDATE transfers SET effective_on = effective_on - 1 WHERE fact = 'document.issued';
    ALTER TABLE transfers ENABLE TRIGGER USER`;

  async function differencesAfter(seal: (service: TestService) => Promise<unknown>) {
    const service = await startTestService();
    try {
      const client = await service.aClient();
      await client.pay(await client.anInvoice());
      await seal(service);
      const integrity = service.app.get(IntegrityQuery);
      expect((await integrity.differences()).differences).toEqual([]);
      await service.database.query(REDATE);
      return (await integrity.differences()).differences;
    } finally {
      await service.close();
    }
  }

  it('shows what the owner of the tables changed, which without it nothing shows', async () => {
    const sealed = await differencesAfter(sealAll);
    expect(sealed).not.toEqual([]);
    const unsealed = await differencesAfter(() => Promise.resolve());
    console.log(
      `canary: without the sealing: ${unsealed.length} differences, with it: ${sealed[0]?.check}`,
    );
    expect(unsealed).toEqual([]);
  });
});
