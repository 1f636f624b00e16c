import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Providers } from '../../src/gateways/index.js';
import { gatewayContract, type GatewayContractOptions } from '../../src/testing/index.js';
import { ACME_FAULTS, type AcmeFault } from './acme-faults.js';
import { acmeProvider } from './acme-provider.js';
import { ACME_OPTIONS, ACME_SETTINGS, failuresOf, failuresWith } from './acme-trial.js';

const without = async (...names: (keyof GatewayContractOptions)[]) =>
  failuresOf(undefined, Object.fromEntries(names.map((name) => [name, undefined])));

/** Why the contract does not take these options. */
function refusalOf(given: unknown): string {
  try {
    gatewayContract(acmeProvider(), given as GatewayContractOptions);
    return '';
  } catch (error) {
    return String(error);
  }
}

describe('a provider of another company', () => {
  for (const { name, run } of gatewayContract(acmeProvider(), ACME_OPTIONS)) it(name, run);
});

describe('the provider of docs/gateways.md', async () => {
  const folder = fileURLToPath(new URL('../fixtures/gateways/', import.meta.url));
  const variables = { QUITTANCE_PROVIDERS: './acme-provider.mjs' };
  const { all } = await Providers.installed(variables, folder);
  const checks = gatewayContract(all.at(-1)!, {
    settings: ACME_SETTINGS,
    sign: ACME_OPTIONS.sign,
    events: { others: 'untold' },
  });
  for (const { name, run } of checks) it(name, run);
});

/** A check that each mistake fails, and a part of its sentence. */
const NAMED: Record<AcmeFault, [check: string, sentence: string]> = {
  'it has another name': ['knows its name and provider', 'set `provider` to the name'],
  'signs what was parsed': [
    'refuses every change of one byte of the body that counts',
    'Compare the signature over the raw bytes of the body',
  ],
  'a header may come twice': [
    'refuses headers that are missing, empty, repeated, cut or garbled',
    'Take one header of exactly the form that the provider sends',
  ],
  'a signature may have any form': [
    'never verifies random headers, and never fails in another way',
    'verify answers RangeError',
  ],
  'text is decoded loosely': [
    'refuses bytes that are no UTF-8 inside a signed string',
    '{ fatal: true }',
  ],
  'nonsense is a TypeError': [
    'answers really signed nonsense with InvalidSignature or a report',
    'throw InvalidSignature where a signed body is not what the provider sends',
  ],
  'amounts have two decimals': ['carries JPY exactly', 'by the decimals of their currency'],
  'an event id is of its link': [
    'gives every sample its own event and payment',
    "take the provider's own id of each event",
  ],
  'an event id is new each time': [
    'tells the same delivery as the same event',
    'the payment would be booked twice',
  ],
  'a report has no fee': [
    'verifies its own sample and reads link and amount',
    'tells what cannot be booked (fee: ',
  ],
  'everything is told as paid': [
    'signs refunded for tests and demos, if it tells of that',
    'the sample of refunded is told as paid',
  ],
  'a page is asked for without a key': [
    'makes no call to create a checkout without an API key',
    'make the link without it',
  ],
  'an id leads anywhere': [
    'is asked at its own host alone, whatever its events name',
    'encode each with encodeURIComponent',
  ],
  'refunds without asking': [
    'is asked about what a true delivery names, if it has an API',
    'asks its API about nothing',
  ],
  'refunds without a key': [
    'can refund only with what the API asks for',
    'it is true only if the refund can be sent',
  ],
  'a refund needs no id': [
    'refunds once, however often it is asked',
    "succeeded without the provider's id of the refund",
  ],
  'a refund has no key of ours': [
    'refunds once, however often it is asked',
    'the same refund id is the same refund',
  ],
  'refunds of a payment share a key': [
    'tells two refunds of one payment apart',
    'a key of each refund id',
  ],
  'a refund is not found by its id': [
    'finds a refund by its id',
    'acme throws DomainError: gateway_unavailable',
  ],
  'a refund is found by its id alone': [
    'finds a refund without its id, or makes the same one again',
    'find it by our refund id',
  ],
  'any refund of a payment is this one': [
    'does not find what it was never asked for',
    'compare the refund id that the provider keeps',
  ],
  'a late answer is a no': [
    'does not know what became of a refund whose request is lost',
    'nobody knows what happened then',
  ],
  'an outage is a no': [
    'does not know what became of a refund whose request is failing',
    'nobody knows what happened then',
  ],
  'a look-up that fails found nothing': [
    'leaves a look-up that says 404 undecided',
    'When a look-up is answered 404',
  ],
  'a refusal has no reason': [
    'says why a refund is refused, in a word',
    "with the provider's short code",
  ],
  'a part of a forint is sent': [
    'asks for no amount that the provider does not have',
    'tell `failed` without asking',
  ],
  'all refunds are done': ['follows a pending refund to its end', 'tell `pending`'],
  'a mandate has no key of ours': [
    'asks for a mandate once, however often it is asked',
    'send its id as the idempotency key',
  ],
  'a debit has no key of ours': [
    'debits once for a link, however often it is asked',
    'send the link id as the idempotency key',
  ],
  'debits of a mandate share a key': [
    'tells the debits of two links apart',
    'each link is debited by itself',
  ],
  'any debit is this one': [
    'finds no debit that was never made',
    'compare the link id that the provider keeps',
  ],
  'a lost debit is a no': [
    'makes a debit whose answer was lost no second time',
    'nobody knows what happened then',
  ],
  'what has ended cannot end': ['ends a mandate, also one that is over', 'Acme does not answer'],
  'debits cannot be found': [
    'keeps mandates whole, or not at all',
    'acme: directDebits has no find, which finds the debit',
  ],
};

describe('the contract names', () => {
  it.each(ACME_FAULTS)('%s', async (fault) => {
    const [check, sentence] = NAMED[fault];
    expect((await failuresWith(fault))[check]).toContain(sentence);
  });

  it('by each of its checks a mistake: none can only pass', async () => {
    const failed = new Set<string>();
    for (const fault of ACME_FAULTS) {
      for (const name of Object.keys(await failuresWith(fault))) failed.add(name);
    }
    const names = gatewayContract(acmeProvider(), ACME_OPTIONS).map(({ name }) => name);
    expect(names.filter((name) => !failed.has(name))).toEqual(['has each of its secrets tried']);
  });

  it('a part that is missing, and what to give', async () => {
    expect(await without('refunds')).toEqual({
      'has its refunds tried, if it can refund': expect.stringContaining(
        'give `refunds: { open }`',
      ),
    });
    expect(await without('api', 'refunds')).toEqual({
      'has each of its secrets tried': expect.stringContaining('secret settings api_key'),
    });
    const told = await without('events');
    const { events = {} } = ACME_OPTIONS;
    expect(await failuresOf(undefined, { events: { ...events, refunded: 'untold' } })).toEqual({
      'signs refunded for tests and demos, if it tells of that': expect.stringContaining(
        'plays refunded, which `events` calls untold',
      ),
    });
    expect(Object.keys(told)).toHaveLength(9);
    expect(told['signs payout for tests and demos, if it tells of that']).toContain(
      "events: { 'payout': 'untold' }",
    );
  });
});

describe('options', () => {
  it.each([
    [undefined, 'give `settings`'],
    [{ settings: ACME_SETTINGS }, 'give `sign: (body, { settings, now }) => headers`'],
    [{ ...ACME_OPTIONS, api: {} }, '`api` has no `settings: (base) => ({ ... })`'],
    [{ ...ACME_OPTIONS, refunds: {} }, '`refunds` has no `open`'],
    [{ ...ACME_OPTIONS, mandates: {} }, '`mandates` has no `open`'],
    [{ ...ACME_OPTIONS, signsFields: {} }, '`signsFields` has no `sign: (body) => body`'],
  ])('of case %#: a sentence', (given, part) => {
    expect(refusalOf(given)).toContain(`TypeError: gatewayContract: ${part}`);
  });

  it('of something that is no provider', () => {
    const wrong = { name: 'acme' } as never;
    expect(() => gatewayContract(wrong, ACME_OPTIONS)).toThrow(
      'wrong or missing: settings, unsafe, open',
    );
  });

  it('that do not open the gateway', async () => {
    const [first] = gatewayContract(acmeProvider(), { ...ACME_OPTIONS, settings: {} });
    await expect(first?.run()).rejects.toThrow('acme does not open: webhook_secret is required');
  });
});
