import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { uuidOf } from '../../src/kernel/ids.js';
import type { EntryWish } from '../support/bank-files.js';
import type { TestClient } from '../support/client.js';
import type { Answer } from '../support/http.js';
import type { TestService } from '../support/service.js';
import type { BankEntry } from './books.js';
import { UNTOLD } from './judge.js';
import { type Mood, type Provider, SANDBOX } from './provider.js';
import type { Voices } from './voices/all-voices.js';
import type { Naming, PayoutWord, Spoken, Voice } from './voices/voice.js';

const MOST_TRIES = 120;

/** A webhook delivery, as a provider would send it again. */
export interface Delivery {
  link: { id: string; invoice: string; amount: number; currency: string; gateway: string };
  spoken: Spoken;
  /** At an instant of the provider, which may tell what it kept. */
  paid: { id: string; amount: number; currency: string; fee: number; at: number };
}

type Word = ReturnType<Voice['dispute']['told']>;

/** A refund that a provider made without us. */
export interface MadeRefund {
  id: string;
  /** The provider's own id of it. */
  name: string;
  payment: string;
  amount: number;
  currency: string;
  gateway: string;
}

/** A bank's file, and what it says. */
export interface BankFile {
  format: BankEntry['format'];
  text: string;
  entries: Omit<BankEntry, 'id' | 'status' | 'account'>[];
  rows: EntryWish[];
}

/** The means to reach the real service, and the memory of the outside. */
export class World {
  readonly links: Delivery['link'][] = [];
  readonly deliveries: Delivery[] = [];
  /** Of no link of ours. */
  readonly strays: Delivery[] = [];
  /** The provider's ids of all payments that it told of. */
  readonly told: string[] = [];
  readonly portalTokens = new Map<string, string>();
  /** Requests with a key that had their effect, to be sent again. */
  readonly answered: { text: string; send: () => Promise<Answer>; first: Answer }[] = [];
  readonly files: BankFile[] = [];
  /** Of the dashboards of providers. */
  readonly made: MadeRefund[] = [];
  /** That providers told of. */
  readonly payouts: { gateway: string; word: PayoutWord }[] = [];
  /** Deliveries about anything but a payment that came. */
  readonly heard: { gateway: string; spoken: Spoken }[] = [];
  /** How many words on disputes were said: each later than the one before. */
  words = 0;
  private readonly providerPayments = new Map<string, string>();
  private readonly receipts = new Map<string, string>();
  private readonly mandates = new Map<string, Promise<Answer>>();
  private readonly reversals = new Map<string, string | null>();
  private readonly said = new Map<string, Word>();
  private tampering: Promise<string | null> = Promise.resolve(null);
  private keys = 0;

  constructor(
    readonly service: TestService,
    readonly client: TestClient,
    /** A connection of the role that the service has. */
    private readonly database: pg.Client,
    readonly provider: Provider,
    readonly voices: Voices,
    /** Ids of another account, which nothing here may touch. */
    readonly foreign: { document: string; payment: string; customer: string; receipt: string },
  ) {}

  /** @throws for a gateway that the runs do not have */
  voiceOf(gateway: string): Voice {
    const voice = this.voices.get(gateway);
    if (!voice) throw new Error(`there is no provider at ${gateway}`);
    return voice;
  }

  /** The gateway of a payment, by the provider's id of it. */
  gatewayOf(payment: string | null): string {
    const known = [...this.deliveries, ...this.strays].find(({ paid }) => paid.id === payment);
    return known?.link.gateway ?? SANDBOX;
  }

  /** To the webhook of a gateway. */
  async hears(gateway: string, { body, headers }: Spoken): Promise<Answer> {
    const path = `/v1/webhooks/${gateway}`;
    const answer = await this.service.call(path, { method: 'POST', body, headers });
    if (!this.voiceOf(gateway).isSilent || answer.status >= 400) return answer;
    return { ...answer, body: { status: UNTOLD } };
  }

  /** Said again, it is the same event. */
  saidOnce(what: string, say: () => Word): Word {
    const word = this.said.get(what) ?? say();
    this.said.set(what, word);
    return word;
  }

  /** The provider's id of a reversal: that of the last one, or another. All of a payment have one, or none has. */
  reversalOf(
    payment: string,
    { fresh, isRetold, isOptional = false }: Naming,
    wish: { isAgain: boolean; isNamed: boolean },
  ): string | null {
    const last = this.reversals.get(payment);
    const isNameless = last === undefined && isOptional && !wish.isNamed;
    if (isNameless || last === null || (isRetold && wish.isAgain && last !== undefined)) {
      this.reversals.set(payment, last ?? null);
      return last ?? null;
    }
    const name = fresh();
    this.reversals.set(payment, name);
    return name;
  }

  /** A request that may be sent more than once; with a key its effect is one. */
  request(
    path: string,
    body: object,
    { keyed = true, method = 'post' as 'post' | 'patch' | 'put' | 'delete' } = {},
  ): { text: string; send(): Promise<Answer> } {
    const headers: Record<string, string> = keyed ? { 'Idempotency-Key': this.nextKey() } : {};
    const url = `/v1/finance/${path}`;
    const text = `${method.toUpperCase()} ${path} ${JSON.stringify(body)}`;
    let first: Promise<Answer> | undefined;
    const send = async () => {
      const answer = onceReady(async () =>
        method === 'delete'
          ? this.client.delete(url, headers)
          : this.client[method](url, body, headers),
      );
      if (keyed && !first) {
        first = answer;
        // A refusal is judged anew, perhaps of other books.
        const { status } = await answer;
        if (status < 400) this.answered.push({ text, send, first: await answer });
      }
      return answer;
    };
    return { text, send };
  }

  /** The provider will answer so, if it is asked. */
  inMood<Request extends { send(): Promise<Answer> }>(
    request: Request,
    id: string,
    mood: Mood,
  ): Request {
    const send = async () => {
      this.provider.feel(id, mood);
      return request.send();
    };
    return { ...request, send };
  }

  /** Of a payment as the model names it: a webhook tells only the provider's id. */
  async paymentId(id: string): Promise<string> {
    const invoice = this.deliveries.find(({ paid }) => paid.id === id)?.link.invoice;
    if (invoice === undefined) return id;
    const known = this.providerPayments.get(id) ?? (await this.lookUp(invoice, id));
    this.providerPayments.set(id, known);
    return known;
  }

  /** The customer has agreed to be debited in that currency; the sandbox has it at once. */
  async mandateOf(customer: string, currency: string): Promise<void> {
    const key = `${customer}/${currency}`;
    const wish = { gateway: SANDBOX, currency };
    const path = `/v1/finance/customers/${customer}/mandates`;
    const asked = this.mandates.get(key) ?? this.client.post(path, wish);
    this.mandates.set(key, asked);
    const { status, text } = await asked;
    if (status !== 201) throw new Error(`no mandate: ${text}`);
  }

  /** Of a receipt without a home, by the provider's id of the payment. */
  async receiptId(paid: string): Promise<string> {
    const known = this.receipts.get(paid) ?? (await this.findReceipt(paid));
    this.receipts.set(paid, known);
    return known;
  }

  private async findReceipt(paid: string): Promise<string> {
    for (const status of ['open', 'assigned', 'refunded', 'closed']) {
      const path = `/v1/finance/unmatched-receipts?limit=100&status=${status}`;
      const { body } = await this.client.get<{
        data: { id: string; provider_payment_id: string }[];
      }>(path);
      const found = body.data.find((one) => one.provider_payment_id === paid);
      if (found) return found.id;
    }
    return paid;
  }

  private async lookUp(invoice: string, reference: string): Promise<string> {
    const path = `/v1/finance/documents/${invoice}/payments`;
    const { body } = await this.client.get<{ data: { id: string; reference: string }[] }>(path);
    return body.data.find((payment) => payment.reference === reference)?.id ?? reference;
  }

  /** Why the database refuses a statement with the account as $1; null when it does not. */
  async refusalOf(sql: string): Promise<string | null> {
    const account = uuidOf('acc', this.client.accountId);
    // One connection: one after the other.
    this.tampering = this.tampering
      .then(() => this.database.query(sql, [account]))
      .then(
        () => null,
        (error: Error) => error.message,
      );
    return this.tampering;
  }

  nextLabel(): string {
    this.keys += 1;
    return `K${this.keys}`;
  }

  private nextKey(): string {
    this.keys += 1;
    return `key-${this.keys}`;
  }
}

/** As callers are told to: on a starved machine the database may not answer in time. */
async function onceReady(call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await call();
    if (answer.body['code'] !== 'database_unavailable' || tries === MOST_TRIES) return answer;
    await sleep(500);
  }
}
