import { deepStrictEqual, fail, ok } from 'node:assert';
import {
  type CollectionRequest,
  type DirectDebits,
  Gateway,
  type MandateRequest,
} from '../../payments/index.js';
import type { ContractCheck } from './contract-options.js';
import {
  type ContractTrial,
  shown,
  TRIED_AMOUNT,
  TRIED_LINK,
  unreachable,
} from './contract-trial.js';
import { missingMandateMethods } from './mandate-methods.js';
import type { MandateStandIn, MandateTrial } from './mandate-stand-in.js';
import { assertUnknown } from './refund-bench.js';

const OURS = 'mand_01k9x3v7e8f2r4t6y8w0a1b2c3';

interface Debiting {
  trial: ContractTrial;
  standIn: MandateStandIn;
  /** As another process has them: they remember nothing. */
  debits: () => DirectDebits;
}

/** Debits by mandate are made once, and can be found again. */
export function mandateChecks(trial: ContractTrial): ContractCheck[] {
  const { mandates } = trial.options;
  const whole = {
    name: 'keeps mandates whole, or not at all',
    run: async () => keepsWhole(trial),
  };
  if (!mandates)
    return [
      whole,
      { name: 'has its mandates tried, if it keeps any', run: async () => keepsNone(trial) },
    ];
  const on = (name: string, work: (debiting: Debiting) => Promise<void>): ContractCheck => ({
    name,
    run: async () => debiting(trial, mandates, work),
  });
  return [
    whole,
    on('asks for a mandate once, however often it is asked', asksOnce),
    on('debits once for a link, however often it is asked', debitsOnce),
    on('tells the debits of two links apart', tellsTwoApart),
    on('finds no debit that was never made', findsNoOther),
    on('makes a debit whose answer was lost no second time', survivesLoss),
    on('ends a mandate, also one that is over', endsTwice),
    ...(mandates.hasApi === false
      ? []
      : [on('knows nothing of debits while the provider is out of reach', knowsNothing)]),
  ];
}

async function debiting(
  trial: ContractTrial,
  { open }: MandateTrial,
  work: (debiting: Debiting) => Promise<void>,
): Promise<void> {
  const standIn = await open();
  const { settings, fetch = globalThis.fetch } = standIn;
  try {
    await work({ trial, standIn, debits: () => debitsOf(trial.open(settings, fetch)) });
  } finally {
    await standIn.close?.();
  }
}

function debitsOf({ directDebits }: Gateway): DirectDebits {
  if (directDebits) return directDebits;
  fail(
    'directDebits is undefined with the settings of the stand-in; leave out `mandates`, or return it.',
  );
}

function keepsWhole(trial: ContractTrial): void {
  const hasApi = trial.options.mandates?.hasApi ?? true;
  const missing = missingMandateMethods(trial.openWithKey(), hasApi);
  deepStrictEqual(missing, [], `${missing.join('; ')}. Extend DirectDebits, and write all of it.`);
}

function keepsNone(trial: ContractTrial): void {
  ok(
    trial.openWithKey().directDebits === undefined,
    `${trial.name} keeps mandates, and nothing of this contract tries them; give ` +
      "`mandates: { open }`, a stand-in of the provider's API.",
  );
}

function aMandate(): MandateRequest {
  return {
    mandateId: OURS,
    currency: 'EUR',
    returnUrl: null,
    payer: { name: 'Ada', email: 'ada@client.test', country: 'DE' },
    language: 'de-AT',
  };
}

function aDebit({ trial, standIn }: Debiting, over: Partial<CollectionRequest> = {}) {
  return {
    linkId: TRIED_LINK,
    providerMandateId: standIn.providerMandateId,
    amount: TRIED_AMOUNT,
    description: 'Invoice INV-2026-00001',
    chargeOn: '2026-11-30',
    requestedAt: trial.now,
    isRepeated: false,
    ...over,
  } satisfies CollectionRequest;
}

async function asksOnce({ debits, trial }: Debiting): Promise<void> {
  const first = await debits().setUp(aMandate());
  const again = await debits().setUp(aMandate());
  ok(
    again.providerRequestId === first.providerRequestId,
    `one mandate is asked for as ${shown(first.providerRequestId)} and ${shown(again.providerRequestId)}; send its id as the idempotency key.`,
  );
  const { providerRequestId } = first;
  const told = await debits().lookUp({
    mandateId: OURS,
    providerRequestId,
    providerMandateId: null,
  });
  if (told !== undefined) trial.judge(told);
}

async function debitsOnce(debiting: Debiting): Promise<void> {
  const { debits, standIn } = debiting;
  const first = await debits().collect(aDebit(debiting));
  ok(first !== '', 'collect tells no id of the payment; return the provider’s.');
  for (const isRepeated of [false, true]) {
    const again = await debits().collect(aDebit(debiting, { isRepeated }));
    ok(
      again === first && standIn.debits() <= 1,
      `one link is debited as ${first} and ${again}, ${standIn.debits()} times; send the link id as the idempotency key.`,
    );
  }
}

async function tellsTwoApart(debiting: Debiting): Promise<void> {
  const linkId = `${TRIED_LINK.slice(0, -1)}4`;
  const one = await debiting.debits().collect(aDebit(debiting));
  const other = await debiting.debits().collect(aDebit(debiting, { linkId }));
  ok(one !== other, `the debits of two links have one id, ${one}; each link is debited by itself.`);
}

async function findsNoOther(debiting: Debiting): Promise<void> {
  const found = await debiting.debits().find(aDebit(debiting, { isRepeated: true }));
  ok(
    found === undefined,
    `find tells the debit ${shown(found)} of a link that was never debited; compare the link id that the provider keeps.`,
  );
}

async function survivesLoss(debiting: Debiting): Promise<void> {
  const { debits, standIn } = debiting;
  if (!standIn.loseAnswer) return;
  standIn.loseAnswer();
  await assertUnknown(debits().collect(aDebit(debiting)), 'After a debit whose answer was lost');
  const found = await debits().find(aDebit(debiting, { isRepeated: true }));
  const again = await debits().collect(aDebit(debiting, { isRepeated: true }));
  ok(
    found === undefined || found === again,
    `a debit is found as ${shown(found)}, and is ${again} when it is sent again.`,
  );
  ok(standIn.debits() === 1, `a customer was debited ${standIn.debits()} times for one link.`);
}

async function endsTwice({ debits, standIn }: Debiting): Promise<void> {
  const { providerRequestId } = await debits().setUp(aMandate());
  const mandate = { mandateId: OURS, providerRequestId };
  const { providerMandateId } = standIn;
  await debits().cancel({ ...mandate, providerMandateId: null });
  await debits().cancel({ ...mandate, providerMandateId });
  await debits().cancel({ ...mandate, providerMandateId });
}

async function knowsNothing(debiting: Debiting): Promise<void> {
  const { trial, standIn } = debiting;
  const debits = debitsOf(trial.open(standIn.settings, unreachable));
  const when = 'While the provider is out of reach';
  await assertUnknown(debits.collect(aDebit(debiting)), when);
  await assertUnknown(debits.find(aDebit(debiting)), when);
  await assertUnknown(debits.setUp(aMandate()), when);
}
