import { deepStrictEqual, ok } from 'node:assert';
import { Money } from '../../kernel/money.js';
import {
  type Checkout,
  type ProviderReport,
  SAMPLE_EVENTS,
  type SampleEvent,
} from '../../payments/index.js';
import { CONTRACT_CURRENCIES, type ContractCheck } from './contract-options.js';
import {
  aCheckoutOf,
  type ContractTrial,
  deliveredAs,
  shown,
  TRIED_LINK,
} from './contract-trial.js';

/** Of disputes it is always one. */
const KIND_OF: Partial<Record<SampleEvent, ProviderReport['kind']>> = {
  processing: 'processing',
  paid: 'paid',
  failed: 'failed',
  refunded: 'refund',
  reversed: 'unpaid_again',
  payout: 'payout',
  payout_failed: 'payout',
};

/** Deliveries that the provider really sends are taken, and told rightly. */
export function sampleChecks(trial: ContractTrial): ContractCheck[] {
  return [
    { name: 'knows its name and provider', run: async () => knowsItself(trial) },
    {
      name: 'verifies its own sample and reads link and amount',
      run: async () => readsItsSample(trial),
    },
    ...CONTRACT_CURRENCIES.map((currency) => ({
      name: `carries ${currency} exactly`,
      run: async () => carries(trial, currency),
    })),
    {
      name: 'gives every sample its own event and payment',
      run: async () => tellsSamplesApart(trial),
    },
    {
      name: 'tells the same delivery as the same event',
      run: async () => tellsRepeatsAlike(trial),
    },
    ...SAMPLE_EVENTS.map((event) => ({
      name: `signs ${event} for tests and demos, if it tells of that`,
      run: async () => plays(trial, event),
    })),
    {
      name: 'makes no call to create a checkout without an API key',
      run: async () => callsNobodyWithoutKey(trial),
    },
  ];
}

function knowsItself(trial: ContractTrial): void {
  const { name, provider } = trial.open();
  const advice = 'call super(context) in its constructor, and set `provider` to the name';
  ok(
    name === trial.name,
    `the gateway's name is ${shown(name)}, not its configured one; ${advice}`,
  );
  ok(
    provider === trial.name,
    `the gateway's provider is ${shown(provider)}, not ${trial.name}; ${advice}`,
  );
}

async function readsItsSample(trial: ContractTrial): Promise<void> {
  const gateway = trial.open();
  const delivery = deliveredAs(trial.sample(gateway));
  await gateway.verify(delivery);
  const told = trial.reportOf(gateway, delivery);
  ok(
    told.kind === 'paid',
    `the sample of a paid link is told as ${told.kind}; samplePaidDelivery has to play what parse reads as paid.`,
  );
  ok(
    told.linkId === TRIED_LINK,
    `the link is told as ${shown(told.linkId)}; send the link's id to the provider and read it back.`,
  );
  ok(
    told.paidAt.getTime() === trial.now.getTime(),
    `paidAt is ${shown(told.paidAt)}, not the instant of the sample; read when the provider took the money.`,
  );
  ok(told.amount.toString() === '12.50 EUR', amountIs(told.amount, '12.50 EUR'));
  deepStrictEqual(
    await gateway.confirm(told),
    told,
    'confirm changes a report without a key; return it as it is where nobody can be asked.',
  );
}

function carries(trial: ContractTrial, currency: string): void {
  const gateway = trial.open();
  const amount = Money.of(123_400n, currency);
  if (trial.options.refusedCurrencies?.includes(currency)) {
    ok(
      refusesCurrency(() => trial.sample(gateway, amount)),
      `${currency} is in \`refusedCurrencies\`, and it is taken; take it from there, or throw a sentence with "takes no".`,
    );
    return;
  }
  const told = trial.reportOf(gateway, deliveredAs(trial.sample(gateway, amount)));
  ok(told.kind === 'paid', `a payment in ${currency} is told as ${told.kind}.`);
  ok(told.amount.compare(amount) === 0, amountIs(told.amount, amount.toString()));
}

function refusesCurrency(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch (error) {
    return error instanceof Error && error.message.includes('takes no');
  }
}

function amountIs(told: Money, meant: string): string {
  return (
    `the amount of a sample of ${meant} is told as ${told.toString()}; ` +
    'write and read amounts by the decimals of their currency: Money counts minor units.'
  );
}

function tellsSamplesApart(trial: ContractTrial): void {
  const gateway = trial.open();
  const [one, other] = [0, 1].map(() =>
    trial.reportOf(gateway, deliveredAs(trial.sample(gateway))),
  );
  ok(
    one?.eventId !== other?.eventId,
    `two samples are the same event, ${shown(one?.eventId)}; the second payment would be taken ` +
      "for a repetition and never booked: take the provider's own id of each event.",
  );
  const ids = [one, other].map((told) => told?.kind === 'paid' && told.providerPaymentId);
  ok(
    ids[0] !== ids[1],
    `two samples are of the same payment, ${shown(ids[0])}; each sample has to have a new one.`,
  );
}

function tellsRepeatsAlike(trial: ContractTrial): void {
  const gateway = trial.open();
  const sample = trial.sample(gateway);
  const [one, again] = [0, 1].map(() => trial.reportOf(gateway, deliveredAs(sample)));
  deepStrictEqual(
    one,
    again,
    'a delivery that comes twice is told as two events; the payment would be booked twice: ' +
      'parse has to be pure, and the event id the provider’s own.',
  );
}

function expectedOf({ options: { events = {} } }: ContractTrial, event: SampleEvent) {
  const others = event === 'paid' ? undefined : events.others;
  return events[event] ?? others ?? KIND_OF[event] ?? 'dispute';
}

async function plays(trial: ContractTrial, event: SampleEvent): Promise<void> {
  const gateway = trial.open();
  const of = trial.sampleOf('0SAMPLE1');
  const expected = expectedOf(trial, event);
  const sample =
    event === 'paid'
      ? (gateway.sampleEventDelivery(event, of, trial.now) ?? trial.sample(gateway))
      : gateway.sampleEventDelivery(event, of, trial.now);
  if (!sample) {
    ok(
      expected === 'untold',
      `sampleEventDelivery plays no ${event}; return a signed delivery of it, or say ` +
        `events: { ${shown(event)}: 'untold' } if the provider has no such event.`,
    );
    return;
  }
  ok(
    expected !== 'untold',
    `sampleEventDelivery plays ${event}, which \`events\` calls untold; say there as which kind it is told.`,
  );
  await gateway.verify(deliveredAs(sample));
  const told = trial.reportOf(gateway, deliveredAs(sample));
  ok(
    told.kind === expected,
    `the sample of ${event} is told as ${told.kind}; tell it as ${expected}, or say so in \`events\`.`,
  );
  const paymentId = 'providerPaymentId' in told ? told.providerPaymentId : null;
  const isOwn = event === 'paid' && !gateway.sampleEventDelivery(event, of, trial.now);
  ok(
    isOwn || paymentId === null || paymentId === of.paymentId,
    `the sample of ${event} is of the payment ${shown(paymentId)}, not of ${of.paymentId}.`,
  );
}

async function callsNobodyWithoutKey(trial: ContractTrial): Promise<void> {
  const called: string[] = [];
  const gateway = trial.open(undefined, async (url) => {
    called.push(String(url));
    throw new TypeError('there is no network in this check');
  });
  const made = await gateway
    .createCheckout(aCheckoutOf(trial.now))
    .catch((error: unknown) => error);
  ok(
    called.length === 0,
    `createCheckout calls ${called.join(', ')} without a key; make the link without it.`,
  );
  if (made instanceof Error) throw made;
  const { providerObjectId } = made as Checkout;
  ok(
    providerObjectId === null,
    `createCheckout tells the object ${shown(providerObjectId)} without having asked anybody; null says that there is none.`,
  );
}
