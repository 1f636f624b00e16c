import type { ProviderReport, SampleEvent } from '../../payments/index.js';
import type { MandateTrial } from './mandate-stand-in.js';
import type { RefundTrial } from './refund-stand-in.js';

/** All that the contract has to know of a provider. Each part that is left out says what it means. */
export interface GatewayContractOptions {
  /** As `GATEWAY_<NAME>_*` would give them, without a key of the provider's API: `{ webhook_secret: '...' }`. */
  settings: Readonly<Record<string, string>>;
  /**
   * The headers with which the provider sends this body, really signed at that time. The contract
   * changes bodies and signs them again, to see that `parse` judges what is signed, too.
   */
  sign: (
    body: string | Buffer,
    at: { settings: Readonly<Record<string, string>>; now: Date },
  ) => Record<string, string>;
  /** Only where the signature stands in the body and covers some fields of it. */
  signsFields?: SignedFields;
  /** The instant at which everything happens. Default: 2026-11-20T12:00:00Z. */
  now?: Date;
  /** Headers of a sample that no signature covers, beside `content-type`. Default: none. */
  unsignedHeaders?: readonly string[];
  /** Currencies of `CONTRACT_CURRENCIES` that the provider does not take. Default: it takes all. */
  refusedCurrencies?: readonly string[];
  /**
   * Events of `SAMPLE_EVENTS` that are told in another way than by their own kind, or `untold`: the
   * provider has no such event. `others` is for all that are not named, but `paid`.
   */
  events?: Readonly<Partial<Record<SampleEvent | 'others', ProviderReport['kind'] | 'untold'>>>;
  /** A payment's id in the provider's form. Default: `P` and the text. */
  paymentId?: (text: string) => string;
  /** Bodies of events beside the samples, such as those that only name an object. Default: none. */
  bodies?: readonly object[];
  /** Absent: the provider has no API, and nothing may be called. */
  api?: ContractApi;
  /** Absent: it cannot refund, or events alone tell what becomes of a refund. */
  refunds?: RefundTrial;
  /** Absent: it keeps no mandates. */
  mandates?: MandateTrial;
  /** How many changed deliveries are tried. Default: 2000. */
  mutants?: number;
  /** One in so many hostile texts is tried at each place. Default: 5; 1 tries them all. */
  nameStep?: number;
}

interface SignedFields {
  /** The body with a good signature in it, or as it is if it has no place for one. */
  sign: (body: string) => string;
  /** Fields of a report that the signature does not cover. */
  unsigned: readonly string[];
}

interface ContractApi {
  /** The settings of the key. `base` is an empty server of the contract, for a provider whose host is a setting. */
  settings: (base: string) => Readonly<Record<string, string>>;
  /** The provider's own host, such as `https://api.acme.example`, where no setting names it. */
  host?: string;
}

/** One check. It fails with a sentence that says what is wrong and what to do. */
export interface ContractCheck {
  name: string;
  run: () => Promise<void>;
}

/** Of two, of no and of three decimals, and those that providers write otherwise than ISO 4217. */
export const CONTRACT_CURRENCIES = ['JPY', 'KWD', 'ISK', 'UGX', 'MGA', 'HUF', 'TWD'] as const;

/** @throws TypeError with a sentence for the first option that is missing, or is something else */
export function assertOptions(given: unknown): asserts given is GatewayContractOptions {
  const wrong = optionsLack(given);
  if (wrong !== null) throw new TypeError(`gatewayContract: ${wrong}`);
}

function optionsLack(given: unknown): string | null {
  const options = (given ?? {}) as Record<string, unknown>;
  if (!isObject(options['settings']))
    return "give `settings`, the settings of a gateway without a key of the provider's API, such as `{ webhook_secret: 'a secret' }`.";
  if (typeof options['sign'] !== 'function')
    return 'give `sign: (body, { settings, now }) => headers`, which signs any body as the provider does.';
  const { api, refunds, mandates, signsFields } = options;
  if (signsFields !== undefined && !hasCall(signsFields, 'sign'))
    return '`signsFields` has no `sign: (body) => body`; leave it out unless the signature stands in the body.';
  if (api !== undefined && !hasCall(api, 'settings'))
    return '`api` has no `settings: (base) => ({ ... })`, which gives the settings of the key.';
  if (refunds !== undefined && !hasCall(refunds, 'open'))
    return "`refunds` has no `open`, which opens a stand-in of the provider's API that refunds.";
  if (mandates !== undefined && !hasCall(mandates, 'open'))
    return "`mandates` has no `open`, which opens a stand-in of the provider's API that debits.";
  return null;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function hasCall(value: unknown, name: string): boolean {
  return isObject(value) && typeof (value as Record<string, unknown>)[name] === 'function';
}
