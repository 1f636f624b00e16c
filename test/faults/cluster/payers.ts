import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, randomOf } from '../../support/random.js';
import type { Credentials } from './service-pair.js';

const CALLERS = 16;
const BILLERS = 2;
const INVOICES = 32;
/** A client gives up an attempt after this, and sends it again. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 100;
const NO_PAYMENT_WITHIN_MS = 240_000;

export interface AcknowledgedPayment {
  /** Its reference and its Idempotency-Key. */
  name: string;
  /** The public id that was answered. */
  id: string;
  atMs: number;
}

/** A payment, or a document with its number. */
interface Made {
  id: string;
  number?: string;
}

/** Callers that send each payment and each invoice with one key until it is answered, to either process. */
export class Payers {
  readonly acknowledged: AcknowledgedPayment[] = [];
  /** Answers other than success, by status and code. */
  readonly refusals = new Map<string, number>();
  /** Bodies of what nobody should be answered. */
  readonly unexpected: string[] = [];
  /** Two answers for one key that name two payments. */
  readonly doubled: string[] = [];
  /** Two documents that were answered with one number. */
  readonly numbersTwice: string[] = [];
  /** Documents that were acknowledged, by their number. */
  readonly numbers = new Map<string, string>();
  private readonly invoices: string[] = [];
  private readonly running: Promise<void>[] = [];
  private isOn = true;
  private token: string | undefined;

  private constructor(
    private readonly urls: readonly string[],
    private readonly credentials: Credentials,
    private readonly random: Random,
  ) {}

  static async begin(
    urls: readonly string[],
    credentials: Credentials,
    seed: number,
  ): Promise<Payers> {
    const payers = new Payers(urls, credentials, randomOf(seed));
    for (let count = 0; count < INVOICES; count += 1) {
      payers.invoices.push(await payers.bill());
    }
    for (let index = 0; index < CALLERS; index += 1) payers.running.push(payers.pay());
    for (let index = 0; index < BILLERS; index += 1) payers.running.push(payers.billOn());
    return payers;
  }

  async untilMore(payments: number): Promise<void> {
    await this.until(this.acknowledged.length + payments);
  }

  async until(payments: number): Promise<void> {
    let last = this.acknowledged.length;
    let since = Date.now();
    while (this.acknowledged.length < payments) {
      if (this.acknowledged.length > last) [last, since] = [this.acknowledged.length, Date.now()];
      if (Date.now() - since > NO_PAYMENT_WITHIN_MS)
        throw new Error(`no payment is acknowledged any more: ${[...this.refusals].join(' ')}`);
      await sleep(20);
    }
  }

  /** Lets each caller get the answer it waits for. */
  async end(): Promise<void> {
    this.isOn = false;
    await Promise.all(this.running);
  }

  private async pay(): Promise<void> {
    while (this.isOn) {
      const name = `cluster-${randomUUID()}`;
      const invoice = this.random.of(this.invoices);
      const body = { amount: 1, method: 'bank_transfer', reference: name };
      const { id } = await this.untilDone(`/v1/finance/documents/${invoice}/payments`, body, name);
      this.acknowledged.push({ name, id, atMs: performance.now() });
    }
  }

  private async billOn(): Promise<void> {
    while (this.isOn) {
      await this.bill();
      await sleep(PAUSE_MS);
    }
  }

  /** @returns the id of an invoice that takes many payments */
  private async bill(): Promise<string> {
    const lines = [{ description: 'Load', unit_amount: 1_000_000_000, tax_rate: '0' }];
    const body = { customer: { name: 'Globex GmbH' }, lines, issue: true };
    const { id, number = '' } = await this.untilDone('/v1/finance/documents', body, randomUUID());
    const before = this.numbers.get(number);
    if (before !== undefined) this.numbersTwice.push(`${number}: ${before} ${id}`);
    this.numbers.set(number, id);
    return id;
  }

  private async untilDone(path: string, body: object, key: string): Promise<Made> {
    for (;;) {
      // One in ten is sent twice at once, as by a client that trusts no connection.
      const copies = this.random.oneIn(10) ? 2 : 1;
      const sent = Array.from({ length: copies }, async () => this.send(path, body, key));
      const made = (await Promise.all(sent)).filter((one) => one !== undefined);
      const ids = new Set(made.map(({ id }) => id));
      if (ids.size > 1) this.doubled.push(`${key}: ${[...ids].join(' ')}`);
      if (made[0]) return made[0];
      await sleep(PAUSE_MS);
    }
  }

  private async send(path: string, body: object, key: string): Promise<Made | undefined> {
    const headers = { authorization: `Bearer ${await this.bearer()}`, 'idempotency-key': key };
    const answer = await this.call(path, body, headers);
    // The answer is of a payment, and some have it beside the document.
    const made = answer as (Made & { payment?: Made }) | undefined;
    return made?.payment ?? made;
  }

  private async bearer(): Promise<string> {
    while (this.token === undefined) {
      const answer = (await this.call('/v1/auth/token', this.credentials, {})) as
        | { access_token: string }
        | undefined;
      if (answer) this.token ??= answer.access_token;
      else await sleep(PAUSE_MS);
    }
    return this.token;
  }

  /** @returns the body of a success; undefined: send it again */
  private async call(path: string, body: object, more: object): Promise<object | undefined> {
    const url = this.random.of(this.urls);
    try {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...more },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text) as object;
      this.note(answer, path, text);
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      this.count(name === 'TimeoutError' ? 'no answer' : (cause?.code ?? name));
    }
    return undefined;
  }

  private note(answer: Response, path: string, text: string): void {
    const { status } = answer;
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
    this.count(`${status} ${code}`);
    if (status === 401) this.token = undefined;
    const isFine =
      status === 401 || ((status === 503 || status === 409) && answer.headers.has('retry-after'));
    if (!isFine && this.unexpected.length < 20)
      this.unexpected.push(`${status} ${path}: ${text.slice(0, 300)}`);
  }

  private count(what: string): void {
    this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1);
  }
}
