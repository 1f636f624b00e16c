import { deepStrictEqual, ok } from 'node:assert';
import { DomainError } from '../../kernel/domain-error.js';
import {
  type Delivery,
  type Gateway,
  InvalidSignature,
  type ProviderReport,
  SAMPLE_EVENTS,
} from '../../payments/index.js';
import type { ContractCheck } from './contract-options.js';
import { type ContractTrial, TRIED_AMOUNT, TRIED_LINK } from './contract-trial.js';
import { HostWatch } from './host-watch.js';
import { hostileTexts, withEachText } from './hostile-texts.js';

/*
 * Only the provider's own host is asked, at the path of the object, whatever a signed delivery names.
 * Each text of each event is replaced by each of many that lead elsewhere.
 */

/** One in so many: it has no part in common with how many there are for each text. */
const STEP = 5;

export function hostChecks(trial: ContractTrial): ContractCheck[] {
  return [
    {
      name: 'is asked at its own host alone, whatever its events name',
      run: async () => watched(trial, async (asking) => staysAtItsHost(trial, asking)),
    },
    {
      name: 'is asked about what a true delivery names, if it has an API',
      run: async () => watched(trial, async (asking) => asksAboutTrueNames(trial, asking)),
    },
  ];
}

interface Asking {
  gateway: Gateway;
  watch: HostWatch;
  /** Ids that were asked about later, as each is once. */
  followed: Set<string>;
  now: Date;
}

async function watched(
  trial: ContractTrial,
  work: (asking: Asking) => Promise<void>,
): Promise<void> {
  const { api, settings } = trial.options;
  const watch = await HostWatch.open(api?.host);
  try {
    const all = { ...settings, ...api?.settings(watch.base) };
    const gateway = trial.open(all, watch.fetch);
    await work({ gateway, watch, followed: new Set(), now: trial.now });
  } finally {
    await watch.close();
  }
}

async function staysAtItsHost(trial: ContractTrial, asking: Asking): Promise<void> {
  const { watch } = asking;
  const { nameStep = STEP } = trial.options;
  const bodies = bodiesOf(trial, asking.gateway);
  ok(bodies.length > 0, `${trial.name} plays no event; it has to play at least what is paid.`);
  for (const body of bodies) {
    const all = withEachText(JSON.parse(body), hostileTexts(watch.elsewhere));
    const others = all.filter((_, index) => index % nameStep === 0);
    await Promise.all(
      others.map(async (other) =>
        refusedOrDone(follow(asking, trial.signed(JSON.stringify(other)))),
      ),
    );
  }
  ok(
    watch.connections === 0,
    `${trial.name} calls an address that an event names; call only the provider's own host.`,
  );
  assertNotStrayed(trial, watch);
}

async function asksAboutTrueNames(trial: ContractTrial, asking: Asking): Promise<void> {
  const { watch } = asking;
  for (const body of bodiesOf(trial, asking.gateway)) {
    await refusedOrDone(follow(asking, trial.signed(body)));
  }
  if (trial.options.api) {
    ok(
      watch.asked.length > 0,
      `${trial.name} asks its API about nothing; leave out \`api\` if it has none, and else call by context.fetch.`,
    );
  } else {
    ok(
      watch.asked.length === 0,
      `${trial.name} asks ${watch.asked.join(', ')}; give \`api\` with the settings of its key.`,
    );
  }
  assertNotStrayed(trial, watch);
}

function assertNotStrayed(trial: ContractTrial, watch: HostWatch): void {
  deepStrictEqual(
    watch.strayed(),
    [],
    `${trial.name} asks ${watch.strayed().join(', ')}; take only ids of a strict form from an ` +
      'event, encode each with encodeURIComponent, and call no host but the provider’s.',
  );
}

/** Bodies in the forms that name an object, beside the samples, which say most by themselves. */
function bodiesOf(trial: ContractTrial, gateway: Gateway): string[] {
  const told = SAMPLE_EVENTS.flatMap((event) => {
    const sample = gateway.sampleEventDelivery(event, trial.sampleOf('1234ABCD'), trial.now);
    return sample ? [sample.body] : [];
  });
  const own = told.length > 0 ? told : [trial.sample(gateway).body];
  return [...own, ...(trial.options.bodies ?? []).map((body) => JSON.stringify(body))];
}

/** All that the service asks because of a delivery, at once and later. */
async function follow(asking: Asking, delivery: Delivery): Promise<void> {
  const { gateway } = asking;
  await gateway.verify(delivery);
  for (const told of gateway.parse(delivery)) {
    const reports = told.kind === 'named' ? await gateway.lookUp(told) : [told];
    for (const report of reports) {
      await refusedOrDone(askLater(asking, report));
      await refusedOrDone(gateway.confirm(report));
    }
  }
}

/** Refunds and pages are asked about by the ids that deliveries told. */
async function askLater({ gateway, followed, now }: Asking, report: ProviderReport): Promise<void> {
  const { providerPaymentId, providerRefundId, providerObjectId } = report as {
    providerPaymentId?: string | null;
    providerRefundId?: string | null;
    providerObjectId?: string | null;
  };
  const ids = [providerPaymentId, providerRefundId, providerObjectId].join(' ');
  if (followed.has(ids)) return;
  followed.add(ids);
  if (providerPaymentId) {
    const refundId = TRIED_LINK.replace('plink', 'rfnd');
    const refund = { refundId, providerPaymentId, amount: TRIED_AMOUNT };
    await refusedOrDone(gateway.refund({ ...refund, providerRefundId: null, isOurs: true }));
    const known = { ...refund, providerRefundId: providerRefundId ?? null, isOurs: true };
    await refusedOrDone(gateway.lookUpRefund(known));
    await refusedOrDone(gateway.lookUpRefund({ ...known, providerRefundId: null }));
  }
  if (providerObjectId) {
    const page = { linkId: TRIED_LINK, providerObjectId, amount: TRIED_AMOUNT, expiresAt: now };
    await refusedOrDone(gateway.lookUpCheckout(page));
    await refusedOrDone(gateway.cancelCheckout(page));
  }
}

/** @throws whatever is no answer of ours */
async function refusedOrDone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (error instanceof InvalidSignature || error instanceof DomainError) return;
    throw error;
  });
}
