import { StandingClock } from '../test-clock.js';
import { fail, ok } from 'node:assert';
import { inspect } from 'node:util';
import { openProvider, type Provider } from '../../gateways/index.js';
import { Money } from '../../kernel/money.js';
import {
  type CheckoutRequest,
  type Delivery,
  Gateway,
  InvalidSignature,
  type ProviderReport,
  type SampleDelivery,
  wrongInTold,
} from '../../payments/index.js';
import type { GatewayContractOptions } from './contract-options.js';

/** A public link id. */
export const TRIED_LINK = 'plink_01k9x3v7e8f2r4t6y8w0a1b2c3';
const NOON = new Date('2026-11-20T12:00:00.000Z');
export const TRIED_AMOUNT = Money.of(12_50n, 'EUR');

/** Not signed anywhere: the type of the body. */
const UNSIGNED = 'content-type';

/** A delivery of which something was changed. */
export interface ChangedDelivery {
  body: string | Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The provider is out of reach. */
export const unreachable: typeof globalThis.fetch = async () => {
  throw new TypeError('the connection is refused');
};

/** A provider on trial: opens its gateways, has it sign, and hears what it says. */
export class ContractTrial {
  readonly name: string;
  readonly now: Date;

  constructor(
    private readonly provider: Provider,
    readonly options: GatewayContractOptions,
  ) {
    this.name = provider.name;
    this.now = options.now ?? NOON;
  }

  /** A gateway without a key, and without network: a call that no check expects fails it. */
  open(
    settings: Readonly<Record<string, string>> = this.options.settings,
    fetch: typeof globalThis.fetch = async () =>
      fail(`${this.name} calls somebody; without a key of its API it has to work without network.`),
  ): Gateway {
    const opened = openProvider(this.provider, settings, {
      name: this.name,
      clock: new StandingClock(this.now),
      fetch,
      accounts: 'all',
      baseUrl: 'https://pay.example',
      production: false,
    });
    if (opened instanceof Gateway) return opened;
    const wrong = opened.map(({ setting, reason }) => `${setting} ${reason}`).join('; ');
    fail(`${this.name} does not open: ${wrong}. Mend the provider, or the settings you give here.`);
  }

  /** One with a key, if the provider has an API. */
  openWithKey(): Gateway {
    const { settings, api } = this.options;
    return this.open({ ...settings, ...api?.settings('https://api.example') });
  }

  sample(gateway: Gateway, amount: Money = TRIED_AMOUNT): SampleDelivery {
    return gateway.samplePaidDelivery({ id: TRIED_LINK, amount }, this.now);
  }

  paymentId(text: string): string {
    return this.options.paymentId?.(text) ?? `P${text}`;
  }

  /** Of that payment, one of our links, and 12.50 EUR. */
  sampleOf(text: string) {
    return { linkId: TRIED_LINK, paymentId: this.paymentId(text), amount: TRIED_AMOUNT };
  }

  /** Any body as the provider would send it: with the signature in it, or as good headers. */
  signed(body: string | Buffer): Delivery {
    const { settings, signsFields, sign } = this.options;
    const whole = signsFields ? signsFields.sign(String(body)) : body;
    return { rawBody: Buffer.from(whole), headers: sign(whole, { settings, now: this.now }) };
  }

  /** Headers of a sample by which it is judged. */
  judged({ headers }: SampleDelivery): string[] {
    const free = new Set([UNSIGNED, ...(this.options.unsignedHeaders ?? [])]);
    return Object.keys(headers).filter((name) => !free.has(name));
  }

  /** All that a signature of fields covers of a report. */
  meaningOf(told: ProviderReport): object {
    const unsigned = this.options.signsFields?.unsigned ?? [];
    return Object.fromEntries(Object.entries(told).filter(([name]) => !unsigned.includes(name)));
  }

  /** The one report of a delivery, judged as the service judges it. */
  reportOf(gateway: Gateway, delivery: Delivery): ProviderReport {
    const told = gateway.parse(delivery);
    const [only] = told;
    ok(
      only && told.length === 1 && only.kind !== 'named',
      `parse tells ${shown(told)} of a delivery of one event; return a list of one report.`,
    );
    this.judge(only);
    return only;
  }

  /** Fails with the fields that the service would refuse. */
  judge(told: unknown): void {
    const wrong = wrongInTold(told);
    ok(
      wrong.length === 0,
      `${this.name} tells what cannot be booked (${wrong.join('; ')}) in ${shown(told)}; ` +
        'tell each field in the type of ProviderReport.',
    );
  }
}

/** As a webhook gets it. */
export function deliveredAs({ body, headers }: SampleDelivery): Delivery {
  return { rawBody: Buffer.from(body), headers };
}

/** `verified`, or the error of `verify`. */
export async function verdictOn(
  gateway: Gateway,
  { body, headers }: ChangedDelivery,
): Promise<unknown> {
  try {
    await gateway.verify({ rawBody: Buffer.from(body), headers });
    return 'verified';
  } catch (error) {
    return error;
  }
}

/** Fails unless `verify` refused it, and in the one way that tells a caller nothing. */
export function assertForged(verdict: unknown, what: string, advice: string): void {
  ok(verdict !== 'verified', `verify takes ${what}. ${advice}`);
  ok(
    verdict instanceof InvalidSignature,
    `verify throws ${shown(verdict)} at ${what}; throw InvalidSignature for every forged delivery.`,
  );
}

/** @throws whatever is no answer of a gateway to something that it refuses */
export function refusalOr<Result>(work: () => Result): Result | InvalidSignature {
  try {
    return work();
  } catch (error) {
    if (error instanceof InvalidSignature) return error;
    throw error;
  }
}

export function aCheckoutOf(now: Date, over: Partial<CheckoutRequest> = {}): CheckoutRequest {
  return {
    linkId: TRIED_LINK,
    amount: TRIED_AMOUNT,
    description: 'Invoice INV-2026-00001',
    returnUrl: 'https://pay.example/back',
    expiresAt: now,
    payer: { name: 'Ada', email: 'ada@client.test', country: 'GB' },
    language: 'de-AT',
    webhookUrl: 'https://pay.example/v1/webhooks/gateway',
    ...over,
  };
}

/** A value as a sentence can hold it. */
export function shown(value: unknown): string {
  const text =
    value instanceof Error
      ? `${value.name}: ${value.message}`
      : inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 4 });
  return text.length > 400 ? `${text.slice(0, 400)}...` : text;
}
