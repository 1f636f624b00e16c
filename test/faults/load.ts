import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Demo } from '../../src/demo/demo-account.js';
import { signedByStripe, stripePayment } from '../e2e/gateways/stripe-events.js';

export const WRITERS = 12;
const INVOICES = 12;
/** A client gives up an attempt after this, and repeats it. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 50;

interface Link {
  id: string;
  amount: number;
  currency: string;
}

/** One wish of a caller, sent until it is answered. */
interface Wish {
  /** The name by which the payment is found later: its reference, or its link. */
  name: string;
  send(): Promise<number>;
}

export interface Count {
  acknowledged: number;
  repeated: number;
  lost: number;
  doubled: number;
}

/**
 * Callers as they should be. Each payment has an Idempotency-Key and is repeated with it until it
 * is answered. A provider repeats its delivery. Readers read. Acknowledged payments are remembered
 * here, and compared with what the service has in the end.
 */
export class Load {
  private readonly acknowledged = new Set<string>();
  /** By status, or by what became of the connection. */
  readonly answers = new Map<string, number>();
  /** The first bodies of answers that nobody should get. */
  readonly unexpected: string[] = [];
  private repeated = 0;
  private isOn = true;
  private token: string | null = null;
  private invoices: string[] = [];
  private readonly callers: Promise<void>[] = [];

  private constructor(
    private readonly urls: readonly string[],
    private readonly demo: Demo,
  ) {}

  static async begin(urls: readonly string[], demo: Demo): Promise<Load> {
    const load = new Load(urls, demo);
    for (let index = 0; index < INVOICES; index += 1) load.invoices.push(await load.anInvoice());
    for (let index = 0; index < WRITERS; index += 1) load.callers.push(load.write(index));
    load.callers.push(load.read(`/v1/finance/documents?limit=5`));
    load.callers.push(load.read(`/v1/portal/${demo.invoice_portal_token}`));
    load.callers.push(load.read(`/v1/portal/documents/${demo.invoice_portal_token}/pdf`));
    return load;
  }

  /** How many payments were acknowledged so far. */
  get size(): number {
    return this.acknowledged.size;
  }

  /** Until so many more payments are acknowledged: the service works again, or still. */
  async untilMore(payments: number): Promise<void> {
    const goal = this.size + payments;
    const deadline = Date.now() + 120_000;
    while (this.size < goal) {
      if (Date.now() > deadline) throw new Error('no payment is acknowledged any more');
      await sleep(10);
    }
  }

  /** Lets every caller get the answer it waits for. */
  async end(): Promise<void> {
    this.isOn = false;
    await Promise.all(this.callers);
  }

  /** The service's payments now, against those that it acknowledged. */
  async count(): Promise<Count> {
    const found = new Map<string, number>();
    let cursor = '';
    for (;;) {
      const answer = await this.get(`/v1/finance/payments?limit=100${cursor}`);
      const page = JSON.parse(answer) as {
        data: { reference: string | null; payment_link_id: string | null }[];
        next_cursor: string | null;
      };
      for (const { reference, payment_link_id: link } of page.data) {
        const name = link ?? reference ?? '';
        found.set(name, (found.get(name) ?? 0) + 1);
      }
      if (page.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    const { acknowledged, repeated } = this;
    return {
      acknowledged: acknowledged.size,
      repeated,
      lost: [...acknowledged].filter((name) => !found.has(name)).length,
      doubled: [...found.values()].filter((times) => times > 1).length,
    };
  }

  private async write(index: number): Promise<void> {
    while (this.isOn) {
      // One in four is a provider's: a link, then a delivery that is repeated until it is taken.
      const wish = index % 4 === 0 ? await this.aDelivery() : this.aPayment();
      await this.untilDone(wish);
      this.acknowledged.add(wish.name);
    }
  }

  private async untilDone(wish: Wish): Promise<void> {
    for (;;) {
      const status = await wish.send();
      if (status >= 200 && status < 300) return;
      this.repeated += 1;
      await sleep(PAUSE_MS);
    }
  }

  private aPayment(): Wish {
    const name = `fault-${randomUUID()}`;
    const invoice = this.invoices[Math.floor(Math.random() * this.invoices.length)];
    const body = JSON.stringify({ amount: 1, method: 'bank_transfer', reference: name });
    const path = `/v1/finance/documents/${invoice}/payments`;
    return { name, send: async () => this.post(path, body, name) };
  }

  private async aDelivery(): Promise<Wish> {
    const link = await this.aLink();
    const { session } = stripePayment(link, new Date());
    return {
      name: link.id,
      send: async () => {
        const secret = this.demo.gateways['gateway-a']?.['webhook_secret'];
        const { body, headers } = signedByStripe(session, new Date(), secret);
        return (await this.call('/v1/webhooks/gateway-a', { method: 'POST', body, headers }))
          .status;
      },
    };
  }

  private async aLink(): Promise<Link> {
    const invoice = this.invoices[0];
    const path = `/v1/finance/documents/${invoice}/payment-links`;
    const body = JSON.stringify({ gateway: 'gateway-a', amount: 1 });
    return JSON.parse(await this.made(path, body)) as Link;
  }

  private async anInvoice(): Promise<string> {
    const lines = [{ description: 'Load', unit_amount: 1_000_000_000, tax_rate: '0' }];
    const body = { customer: { name: 'Globex GmbH' }, lines, issue: true };
    const made = await this.made('/v1/finance/documents', JSON.stringify(body));
    return (JSON.parse(made) as { id: string }).id;
  }

  /** Sent with one key until it is made. */
  private async made(path: string, body: string): Promise<string> {
    const key = randomUUID();
    let text = '';
    const send = async () => {
      const answer = await this.call(path, this.request(body, key, await this.bearer()));
      text = answer.text;
      return answer.status;
    };
    await this.untilDone({ name: key, send });
    return text;
  }

  private async post(path: string, body: string, key: string): Promise<number> {
    const request = this.request(body, key, await this.bearer());
    // One in ten is sent twice at once, as a client does that does not trust its first connection.
    const copies = Math.random() < 0.1 ? 2 : 1;
    const answers = await Promise.all(
      Array.from({ length: copies }, () => this.call(path, request)),
    );
    return Math.min(...answers.map(({ status }) => (status === 0 ? 599 : status)));
  }

  private request(body: string, key: string, bearer: string): RequestInit {
    return {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        authorization: bearer,
        'idempotency-key': key,
      },
    };
  }

  private async read(path: string): Promise<void> {
    while (this.isOn) {
      const headers = { authorization: await this.bearer() };
      await this.call(path, { headers });
      await sleep(PAUSE_MS);
    }
  }

  private async get(path: string): Promise<string> {
    const answer = await this.call(path, { headers: { authorization: await this.bearer() } });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.text;
  }

  private async bearer(): Promise<string> {
    while (this.token === null) {
      const { client_id: id, client_secret: secret } = this.demo;
      const answer = await this.call('/v1/auth/token', {
        method: 'POST',
        body: JSON.stringify({ client_id: id, client_secret: secret }),
        headers: { 'content-type': 'application/json' },
      });
      if (answer.status === 200) {
        const { access_token: token } = JSON.parse(answer.text) as { access_token: string };
        this.token ??= `Bearer ${token}`;
      } else await sleep(PAUSE_MS);
    }
    return this.token;
  }

  /** One attempt; status 0 where no whole answer came. */
  private async call(
    path: string,
    request: RequestInit,
  ): Promise<{ status: number; text: string }> {
    const base = this.urls[Math.floor(Math.random() * this.urls.length)];
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const answer = await fetch(`${base}${path}`, { ...request, signal });
      const text = await answer.text();
      this.note(answer, path, text);
      return { status: answer.status, text };
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      this.tell(name === 'TimeoutError' ? 'no answer' : (cause?.code ?? name));
      return { status: 0, text: '' };
    }
  }

  private note(answer: Response, path: string, text: string): void {
    const { status } = answer;
    this.tell(String(status));
    // A 503 says when to come back; a 409 that the document is held; anything else is a fault.
    const isFine =
      status < 400 ||
      (status === 503 && answer.headers.has('retry-after')) ||
      (status === 409 && answer.headers.has('retry-after'));
    if (!isFine && this.unexpected.length < 5) {
      this.unexpected.push(`${status} ${path.replace(/[\w-]{40,}/, '***')}: ${text.slice(0, 300)}`);
    }
  }

  private tell(what: string): void {
    this.answers.set(what, (this.answers.get(what) ?? 0) + 1);
  }
}
