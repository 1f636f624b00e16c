import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Providers } from '../../src/gateways/index.js';
import { gatewayContract, type GatewayContractOptions } from '../../src/testing/index.js';
import { ACME_API, type AcmeFault, acmeMac, acmeProvider } from './acme-provider.js';
import { acmeStandIn } from './acme-stand-in.js';

const settings = { webhook_secret: 'a secret of the tests' };
const options: GatewayContractOptions = {
  settings,
  sign: (body) => ({
    'content-type': 'application/json',
    'acme-signature': acmeMac(settings.webhook_secret, body),
  }),
  events: { refunded: 'refund', others: 'untold' },
  api: { host: ACME_API, settings: () => ({ api_key: 'key' }) },
  refunds: { open: async () => acmeStandIn(settings) },
};

/** The checks that fail, each with its sentence. */
async function failures(
  fault: AcmeFault | undefined,
  given: Partial<GatewayContractOptions> = {},
): Promise<Record<string, string>> {
  const failed: Record<string, string> = {};
  for (const { name, run } of gatewayContract(acmeProvider(fault), { ...options, ...given })) {
    await run().catch((error: unknown) => {
      failed[name] = error instanceof Error ? error.message : String(error);
    });
  }
  return failed;
}

const without = async (...names: (keyof GatewayContractOptions)[]) =>
  failures(undefined, Object.fromEntries(names.map((name) => [name, undefined])));

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
  for (const { name, run } of gatewayContract(acmeProvider(), options)) it(name, run);
});

describe('the provider of docs/gateways.md', async () => {
  const folder = fileURLToPath(new URL('../fixtures/gateways/', import.meta.url));
  const variables = { QUITTANCE_PROVIDERS: './acme-provider.mjs' };
  const { all } = await Providers.installed(variables, folder);
  const checks = gatewayContract(all.at(-1)!, {
    settings,
    sign: options.sign,
    events: { others: 'untold' },
  });
  for (const { name, run } of checks) it(name, run);
});

describe('the contract names', () => {
  it.each<[AcmeFault, string, string, Partial<GatewayContractOptions>?]>([
    [
      'signs what was parsed',
      'refuses every change of one byte of the body that counts',
      'Compare the signature over the raw bytes of the body',
    ],
    ['amounts have two decimals', 'carries JPY exactly', 'by the decimals of their currency'],
    [
      'an event id is of its link',
      'gives every sample its own event and payment',
      "take the provider's own id of each event",
    ],
    [
      'a refund needs no id',
      'refunds once, however often it is asked',
      "succeeded without the provider's id of the refund",
      { refunds: { open: async () => acmeStandIn(settings, { forgetsIds: true }) } },
    ],
    [
      'a refund has no key',
      'refunds once, however often it is asked',
      'the same refund id is the same refund',
    ],
    [
      'a late answer is a no',
      'does not know what became of a refund whose request is lost',
      'nobody knows what happened then',
    ],
    [
      'a report has no fee',
      'verifies its own sample and reads link and amount',
      'tells what cannot be booked (fee: ',
    ],
    [
      'nonsense is a TypeError',
      'answers really signed nonsense with InvalidSignature or a report',
      'throw InvalidSignature where a signed body is not what the provider sends',
    ],
    [
      'an id leads anywhere',
      'is asked at its own host alone, whatever its events name',
      'encode each with encodeURIComponent',
    ],
  ])('%s', async (fault, check, sentence, given) => {
    expect((await failures(fault, given))[check]).toContain(sentence);
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
    const { events = {} } = options;
    expect(await failures(undefined, { events: { ...events, refunded: 'untold' } })).toEqual({
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
    [{ settings }, 'give `sign: (body, { settings, now }) => headers`'],
    [{ ...options, api: {} }, '`api` has no `settings: (base) => ({ ... })`'],
    [{ ...options, refunds: {} }, '`refunds` has no `open`'],
    [{ ...options, mandates: {} }, '`mandates` has no `open`'],
    [{ ...options, signsFields: {} }, '`signsFields` has no `sign: (body) => body`'],
  ])('%j: a sentence', (given, part) => {
    expect(refusalOf(given)).toContain(`TypeError: gatewayContract: ${part}`);
  });

  it('of something that is no provider', () => {
    const wrong = { name: 'acme' } as never;
    expect(() => gatewayContract(wrong, options)).toThrow(
      'wrong or missing: settings, unsafe, open',
    );
  });

  it('that do not open the gateway', async () => {
    const [first] = gatewayContract(acmeProvider(), { ...options, settings: {} });
    await expect(first?.run()).rejects.toThrow('acme does not open: webhook_secret is required');
  });
});
