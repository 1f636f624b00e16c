import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Money } from '../../src/kernel/money.js';
import type { Gateway } from '../../src/payments/port/domain/gateway.js';
import type {
  NamedObject,
  ProviderReport,
} from '../../src/payments/port/domain/provider-report.js';
import { Gateways } from '../../src/payments/index.js';
import { PROVIDER_NAMES } from '../gateways/all-gateways.js';
import { oneIn } from '../support/share.js';
import { prove } from './run.js';
import { startWithAllProviders } from './voices/all-voices.js';

/*
 * Whether the proof hears each provider: its events are read wrongly, and random runs must then fail.
 * Read rightly, the same runs agree.
 */

const SEED = 11;
const RUNS = 25;
const OPS = [
  'invoice',
  'link',
  'deliver',
  'redeliver',
  'fail',
  'dispute',
  'refundElsewhere',
  'repeat',
];

/** Only of providers whose reversals have names. */
const NAMED = new Set(['paypal', 'adyen', 'standard-webhooks']);
const NAMELESS = 'a reversal without its name';
/** Few reversals meet one another: those that do show it, and the first that does ends the runs. */
const REVERSAL_OPS = ['invoice', 'link', 'deliver', 'redeliver', 'fail', 'dispute'];
const MORE_RUNS = 150;

/** Only of providers that tell a payout and its lines in one event. */
const PAYING_OUT = new Set(['sandbox', 'standard-webhooks']);
const CAME_BACK = 'a payout that came back, as sent';
const PAYOUT_OPS = ['invoice', 'link', 'deliver', 'tellPayout'];

type Change = (report: ProviderReport) => ProviderReport;
const MISTAKES: Record<string, Change> = {
  'an amount that is a hundred times as large': (report) =>
    report.kind === 'paid'
      ? { ...report, amount: Money.of(report.amount.minor * 100n, report.amount.currency) }
      : report,
  'a dispute that is lost, as won': (report) =>
    report.kind === 'dispute' && report.status === 'lost'
      ? { ...report, status: 'won', withdrawn: null }
      : report,
  'an event id that all have': (report) => ({ ...report, eventId: 'event', fingerprint: null }),
  'a refund that failed, as gone': (report) =>
    report.kind === 'refund' && report.outcome.status === 'failed'
      ? { ...report, outcome: { status: 'succeeded', providerRefundId: report.providerRefundId } }
      : report,
  [NAMELESS]: (report) =>
    report.kind === 'unpaid_again' && report.providerPaymentId !== null
      ? { ...report, reference: null, amount: null }
      : report,
  [CAME_BACK]: (report) =>
    report.kind === 'payout' && report.status === 'failed'
      ? { ...report, status: 'sent', reason: null }
      : report,
};

const isOf = (name: string, mistake: string): boolean =>
  (mistake !== NAMELESS || NAMED.has(name)) && (mistake !== CAME_BACK || PAYING_OUT.has(name));

let all: Awaited<ReturnType<typeof startWithAllProviders>>;
beforeAll(async () => {
  all = await startWithAllProviders();
});
afterAll(() => all.close());

/** Reads so until it is called. */
function misread(gateway: Gateway, change: Change): () => void {
  const { parse, lookUp, confirm } = gateway;
  Object.assign(gateway, {
    parse: (...of: Parameters<Gateway['parse']>) =>
      parse.apply(gateway, of).map((one) => (one.kind === 'named' ? one : change(one))),
    lookUp: async (of: NamedObject) => (await lookUp.call(gateway, of)).map(change),
    // Asked again, it is read again.
    confirm: async (of: ProviderReport) => {
      const report = await confirm.call(gateway, of);
      return report === of ? report : change(report);
    },
  });
  return () => {
    for (const name of ['parse', 'lookUp', 'confirm']) Reflect.deleteProperty(gateway, name);
  };
}

interface Tried {
  ops: string[];
  runs: number;
}

function triedBy(mistake: string): Tried {
  if (mistake === NAMELESS) return { ops: REVERSAL_OPS, runs: MORE_RUNS };
  return { ops: mistake === CAME_BACK ? PAYOUT_OPS : OPS, runs: RUNS };
}

async function proofOf(provider: string, { ops, runs }: Tried = { ops: OPS, runs: RUNS }) {
  const names = new Set(['sandbox', provider]);
  const voices = new Map([...all.voices].filter(([name]) => names.has(name)));
  return prove(all.service, { runs, seed: SEED, voices, ops, shrink: false });
}

const CASES = PROVIDER_NAMES.flatMap((name) =>
  Object.keys(MISTAKES)
    .filter((mistake) => isOf(name, mistake))
    .map((mistake): [string, string] => [name, mistake]),
);

describe('events that are read wrongly', () => {
  it.each(oneIn(12, CASES))('%s: %s', { timeout: 240_000 }, async (provider, mistake) => {
    const gateway = all.service.app.get(Gateways).get(provider);
    const restore = misread(gateway, MISTAKES[mistake]!);
    const { failure, runs } = await proofOf(provider, triedBy(mistake)).finally(restore);
    const [what = ''] = failure?.split('\n- ') ?? [];
    const found = failure === null ? 'NOT noticed' : `noticed in run ${runs + 1}`;
    console.log(`${provider}, ${mistake}: ${found}: ${what.slice(0, 200)}`);
    expect(failure).not.toBeNull();
  });
});

describe('events that are read rightly', () => {
  it.each(oneIn(12, [...PROVIDER_NAMES]))('%s', { timeout: 240_000 }, async (provider) => {
    expect((await proofOf(provider)).failure).toBeNull();
  });
});
