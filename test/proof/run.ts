import fc from 'fast-check';
import pg from 'pg';
import { uuidOf } from '../../src/kernel/ids.js';
import { DomainError } from '../../src/kernel/domain-error.js';
import { IntegrityQuery } from '../../src/integrity/infrastructure/integrity.query.js';
import {
  brokenKey,
  isRetryable,
  translateDatabaseError,
} from '../../src/platform/database/database-error.js';
import { REFUSALS } from '../../src/refusals.js';
import { DatabaseProbe } from '../../src/platform/database/database-probe.js';
import type { TestClient } from '../support/client.js';
import type { TestService } from '../support/service.js';
import { emptyBooks } from './books.js';
import { planOf } from './dunned.js';
import { Disagreement } from './judge.js';
import { assertBooks, assertGivenBack, assertStored, assertTaxReport } from './oracles.js';
import { Provider } from './provider.js';
import { sandboxAlone, type Voices } from './voices/all-voices.js';
import { type Model, stepsOf } from './step.js';
import { World } from './world.js';

export const STEPS_PER_RUN = 30;
const REPORT_EVERY = 1000;
/** Finds what the canaries take out by name, before any money is wrong. */
const SCHEMA_CHECK = 'the schema is as the migrations made it';

export interface ProofWish {
  runs: number;
  seed: number;
  /** The providers that the service has gateways of; else its sandbox. */
  voices?: Voices;
  /** Runs at the same time, on accounts of their own. */
  lanes?: number;
  steps?: number;
  /** Only these operations. */
  ops?: readonly string[];
  /** Of a failing run: what was printed. */
  path?: string;
  replayPath?: string;
  /** The service checks its books after each run, not only after all of them. */
  integrity?: boolean;
  /** False: a failing run is reported as it is. */
  shrink?: boolean;
  /**
   * False: wrong answers end a run, and only what is stored must then be right. So a service can
   * be judged that is broken on purpose, and has only the database left to guard it.
   */
  answers?: boolean;
  onProgress?: (runs: number) => void;
}

export interface Proof {
  runs: number;
  steps: number;
  calls: number;
  /** How often what was answered how, such as `pay 201`. */
  outcomes: Map<string, number>;
  /** How the first failing run failed, as small as it still fails. */
  failure: string | null;
}

/** Random runs against a service; every lane has a seed of its own. */
export async function prove(service: TestService, wish: ProofWish): Promise<Proof> {
  const { runs, seed, lanes = 4, path } = wish;
  const total: Proof = { runs: 0, steps: 0, calls: 0, outcomes: new Map(), failure: null };
  const { voices = sandboxAlone(service) } = wish;
  const provider = new Provider(service, voices);
  const refusals = refusalsOf(service);
  const foreign = await foreignIds(service);
  const width = path === undefined ? Math.min(lanes, runs) : 1;
  await Promise.all(
    Array.from({ length: width }, async (_, lane) => {
      const share = Math.floor(runs / width) + (lane < runs % width ? 1 : 0);
      // No seed beside it has a lane in common.
      const ownSeed = path === undefined ? (seed * lanes + lane) % 2 ** 31 : seed;
      const own = { ...wish, runs: share, seed: ownSeed };
      const database = await service.database.connect();
      const failure = await laneOf(
        { service, database, provider, voices, foreign, total },
        own,
      ).finally(() => database.end());
      if (failure !== null) total.failure ??= failure;
    }),
  );
  if (total.failure === null) {
    await assertIntegrity(service, null).catch((error: Error) => {
      total.failure = `after all runs (--integrity finds the run): ${error.message}`;
    });
  }
  const [unexpected] = refusals.end();
  if (unexpected !== undefined && wish.answers !== false) {
    total.failure ??= `the database had to refuse what it should never be asked: ${unexpected}`;
  }
  return total;
}

/**
 * Until `end`, what the database refuses and the service has no answer to. A group of payments that it
 * refuses is done again one by one, so that no answer and no row would show what was wrong with it.
 */
function refusalsOf(service: TestService): { end(): string[] } {
  const probe = service.app.get(DatabaseProbe);
  const refusals: string[] = [];
  const note = probe.noteFailure.bind(probe);
  probe.noteFailure = (error) => {
    const isOfCaller = REFUSALS.ofKeys[brokenKey(error) ?? ''] !== undefined;
    const isKnown =
      isOfCaller || isRetryable(error) || translateDatabaseError(error) instanceof DomainError;
    if (error instanceof pg.DatabaseError && !isKnown) refusals.push(error.message);
    note(error);
  };
  return {
    end: () => {
      probe.noteFailure = note;
      return refusals;
    },
  };
}

interface Lane {
  service: TestService;
  database: pg.Client;
  provider: Provider;
  voices: Voices;
  foreign: World['foreign'];
  total: Proof;
}

async function laneOf(lane: Lane, wish: ProofWish): Promise<string | null> {
  const { seed, steps = STEPS_PER_RUN, path, replayPath } = wish;
  const commands = fc.commands(stepsOf(wish.ops), {
    maxCommands: steps,
    size: 'max',
    ...(replayPath !== undefined && { replayPath }),
  });
  const property = fc.asyncProperty(new Full(commands, steps), async (sequence) => {
    if (lane.total.failure === null) await runOnce(lane, sequence, wish);
  });
  const details = await fc.check(property, {
    seed,
    numRuns: wish.runs,
    endOnFailure: wish.shrink === false,
    ...(path !== undefined && { path }),
  });
  if (!details.failed) return null;
  const { counterexamplePath, errorInstance } = details;
  const [shortest] = details.counterexample ?? [];
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const replay = /replayPath="(.*)"/.exec(String(shortest))?.[1];
  return [
    reason,
    `seed ${seed}, made smaller ${details.numShrinks} times; once more:`,
    `npm run test:books -- --seed ${seed} --path ${counterexamplePath} --replay '${replay}'`,
  ].join('\n');
}

async function runOnce(
  { service, database, provider, voices, foreign, total }: Lane,
  sequence: Iterable<fc.AsyncCommand<Model, World>>,
  { answers = true, integrity = false, onProgress }: ProofWish,
): Promise<void> {
  const client = await service.aClient();
  // Nobody has an address, so that each letter waits for a person.
  const kinds = ['business', 'consumer'];
  const made = kinds.map((kind) => client.aCustomer({ kind, email: undefined }));
  const customers = (await Promise.all(made)).map(({ id }) => id);
  const planned = planOf(service.clock.now().toISOString().slice(0, 10));
  await client.patch('/v1/finance/dunning-plan', planned);
  const world = new World(service, client, database, provider, voices, foreign);
  const model: Model = {
    possible: [emptyBooks(customers)],
    steps: 0,
    calls: 0,
    outcomes: total.outcomes,
    transcript: [],
  };
  const account = uuidOf('acc', client.accountId) ?? '';
  try {
    const disagreement = await fc
      .asyncModelRun(() => ({ model, real: world }), sequence)
      .then(() => null, asDisagreement);
    if (disagreement && answers) throw disagreement;
    // A report that was not answered as it must may not have been kept: a provider would send it
    // again.
    await assertStored(database, account, disagreement ? [] : world.told);
    if (!disagreement) {
      await assertBooks(database, account, model.possible, uuidFrom);
      const days = 'from=2000-01-01&to=2099-12-31';
      const report = `/v1/finance/reports/tax?${days}`;
      const { body } = await client.get<{ data: Parameters<typeof assertTaxReport>[1] }>(report);
      // The report takes off claims of losses, which are proved elsewhere.
      const isWhole = model.possible.every(({ invoices }) =>
        invoices.every(({ chargedIn, isRelieved }) => !chargedIn || !isRelieved),
      );
      if (isWhole) assertTaxReport(model.possible, body.data);
      assertGivenBack(model.possible, provider.allThatWentBack(world.told));
    }
    if (integrity || !answers) await assertIntegrity(service, account);
  } catch (error) {
    const { message } = asDisagreement(error);
    throw new Disagreement(`${message}\n- ${model.transcript.join('\n- ')}`);
  } finally {
    total.steps += model.steps;
    total.calls += model.calls;
  }
  total.runs += 1;
  if (total.runs % REPORT_EVERY === 0) onProgress?.(total.runs);
}

/** @throws what is none */
function asDisagreement(error: unknown): Disagreement {
  if (error instanceof Disagreement) return error;
  throw error;
}

/** The service's own check of its books must find nothing. */
export async function assertIntegrity(
  service: TestService,
  accountId: string | null,
): Promise<void> {
  const found = await service.app.get(IntegrityQuery).differences(accountId);
  const differences = found.differences.filter(({ check }) => check !== SCHEMA_CHECK);
  if (differences.length > 0) throw new Disagreement(JSON.stringify(differences));
}

function uuidFrom(id: string): string {
  const [prefix = ''] = id.split('_');
  return uuidOf(prefix as 'doc', id) ?? id;
}

async function foreignIds(service: TestService): Promise<World['foreign']> {
  const other: TestClient = await service.aClient();
  const invoice = await other.anInvoice();
  const paid = await other.pay(invoice);
  const { id } = paid.body['payment'] as { id: string };
  const link = await other.aPaymentLink(await other.anInvoice(), { gateway: 'sandbox' });
  await service.deliverPaid({ ...link, currency: 'USD' });
  const { body } = await other.get<{ data: { id: string }[] }>('/v1/finance/unmatched-receipts');
  return {
    document: invoice.id,
    payment: id,
    customer: invoice.customer_id,
    receipt: body.data[0]?.id ?? '',
  };
}

/** Sequences as long as they may be; only shrinking makes them shorter. */
class Full<Sequence extends Iterable<unknown>> extends fc.Arbitrary<Sequence> {
  constructor(
    private readonly inner: fc.Arbitrary<Sequence>,
    private readonly length: number,
  ) {
    super();
  }

  generate(random: fc.Random): fc.Value<Sequence> {
    for (;;) {
      const value = this.inner.generate(random, undefined);
      // `value_`, as `value` counts its reads: the second one gets a copy that would not shrink.
      if ([...value.value_].length === this.length) return value;
    }
  }

  canShrinkWithoutContext(value: unknown): value is Sequence {
    return this.inner.canShrinkWithoutContext(value);
  }

  shrink(value: Sequence, context: unknown): fc.Stream<fc.Value<Sequence>> {
    return this.inner.shrink(value, context);
  }
}
