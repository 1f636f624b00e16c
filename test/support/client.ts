import type { ExchangeRateList } from '../../src/books/wire/exchange-rate.js';
import type { CustomerBody } from '../../src/documents/wire/customer.js';
import type { DocumentBody } from '../../src/documents/wire/document-body.js';
import type { IssuedPortalTokenBody } from '../../src/documents/wire/portal-token.js';
import type { Clock } from '../../src/kernel/clock.js';
import type { PaymentLinkBody } from '../../src/payments/collecting/wire/payment-link.js';
import { type Answer, call } from './http.js';

/** A document of ours is 119.00 in two-digit currencies: 100.00 and 19 % tax. */
export interface DocumentWish {
  kind?: 'invoice' | 'quote';
  /** A number of equal lines, or the lines themselves. */
  lines?: number | object[];
  /** Minor units of one line. */
  unitAmount?: number;
  /** Percent. */
  taxRate?: string;
  currency?: string;
  /** False: a draft. */
  issue?: boolean;
  /** Further fields of the request, as the API names them; `undefined` leaves one out. */
  [field: string]: unknown;
}

interface Credentials {
  id: string;
  secret: string;
  accountId: string;
}

/** An API client of one account. Its access token is fetched when needed, by the test's clock. */
export class TestClient {
  private token = { text: '', until: 0 };

  constructor(
    private readonly base: string,
    private readonly clock: Clock,
    private readonly credentials: Credentials,
  ) {}

  /** `cli_...` */
  get id(): string {
    return this.credentials.id;
  }

  get secret(): string {
    return this.credentials.secret;
  }

  /** `acc_...` */
  get accountId(): string {
    return this.credentials.accountId;
  }

  /** A bearer token that is valid now. */
  async bearer(): Promise<string> {
    const now = this.clock.now().getTime();
    if (now < this.token.until) return this.token.text;
    const answer = await call<{ access_token: string; expires_in: number }>(
      `${this.base}/v1/auth/token`,
      { method: 'POST', body: { client_id: this.id, client_secret: this.secret } },
    );
    const { access_token: text, expires_in: seconds } = made(answer, 200);
    this.token = { text, until: now + (seconds - 10) * 1000 };
    return text;
  }

  async get<Body = Record<string, unknown>>(path: string, headers = {}): Promise<Answer<Body>> {
    return this.send('GET', path, undefined, headers);
  }

  async post<Body = Record<string, unknown>>(
    path: string,
    body: unknown = {},
    headers = {},
  ): Promise<Answer<Body>> {
    return this.send('POST', path, body, headers);
  }

  async patch<Body = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers = {},
  ): Promise<Answer<Body>> {
    return this.send('PATCH', path, body, headers);
  }

  async put<Body = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers = {},
  ): Promise<Answer<Body>> {
    return this.send('PUT', path, body, headers);
  }

  async delete<Body = Record<string, unknown>>(path: string, headers = {}): Promise<Answer<Body>> {
    return this.send('DELETE', path, undefined, headers);
  }

  /** Globex GmbH, or as the fields say. */
  async aCustomer(over: object = {}): Promise<CustomerBody> {
    const body = { name: 'Globex GmbH', email: 'accounts@globex.example', country: 'DE', ...over };
    return made(await this.post<CustomerBody>('/v1/finance/customers', body), 201);
  }

  /** `POST .../payments` of 25.00 by bank transfer; `over` replaces fields. */
  async pay(
    document: { id: string },
    over: object = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const body = { amount: 2500, method: 'bank_transfer', ...over };
    return this.post(`/v1/finance/documents/${document.id}/payments`, body, headers);
  }

  /** Rates of the ECB. */
  async putRates(rates: { base: string; quote: string; rate: string; day: string }[]) {
    const told = rates.map((rate) => ({ source: 'ECB', ...rate }));
    return this.put<ExchangeRateList>('/v1/finance/exchange-rates', { rates: told });
  }

  /** Issued unless `issue: false`. */
  async anInvoice(wish: DocumentWish = {}): Promise<DocumentBody> {
    return made(await this.post<DocumentBody>('/v1/finance/documents', requestFor(wish)), 201);
  }

  async aQuote(wish: DocumentWish = {}): Promise<DocumentBody> {
    return this.anInvoice({ kind: 'quote', ...wish });
  }

  async issue(draft: { id: string }): Promise<DocumentBody> {
    return made(await this.post<DocumentBody>(`/v1/finance/documents/${draft.id}/issue`), 200);
  }

  async void(document: { id: string }): Promise<DocumentBody> {
    return made(await this.post<DocumentBody>(`/v1/finance/documents/${document.id}/void`), 200);
  }

  async read(document: { id: string }): Promise<DocumentBody> {
    return made(await this.get<DocumentBody>(`/v1/finance/documents/${document.id}`), 200);
  }

  /** The secret part of a portal link. */
  async aPortalToken(document: { id: string }, body: object = {}): Promise<string> {
    const path = `/v1/finance/documents/${document.id}/portal-tokens`;
    return made(await this.post<IssuedPortalTokenBody>(path, body), 201).token;
  }

  async aPaymentLink(document: { id: string }, body: object = {}): Promise<PaymentLinkBody> {
    const path = `/v1/finance/documents/${document.id}/payment-links`;
    return made(await this.post<PaymentLinkBody>(path, { gateway: 'gateway-a', ...body }), 201);
  }

  private async send<Body>(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer<Body>> {
    const authorization = `Bearer ${await this.bearer()}`;
    const all = { authorization, ...headers };
    return call<Body>(`${this.base}${path}`, { method, body, headers: all });
  }
}

/** The request that `anInvoice` sends, for tests that send a changed one. */
export function requestFor(wish: DocumentWish = {}): Record<string, unknown> {
  const { lines = 1, unitAmount = 10_000, taxRate = '19', issue = true, ...fields } = wish;
  const line = { description: 'Consulting', quantity: '1', unit_amount: unitAmount };
  return {
    customer: { name: 'Globex GmbH', email: 'accounts@globex.example', country: 'DE' },
    lines:
      typeof lines === 'number'
        ? Array.from({ length: lines }, () => ({ ...line, tax_rate: taxRate }))
        : lines,
    issue,
    ...fields,
  };
}

function made<Body>(answer: Answer<Body>, status: number): Body {
  if (answer.status === status) return answer.body;
  throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
}
