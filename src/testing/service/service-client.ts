import type { CustomerBody, DocumentBody } from '../../documents/index.js';
import type { Clock } from '../../kernel/clock.js';
import type { PaymentLinkBody } from '../../payments/index.js';
import { httpCall, type ServiceAnswer } from './http-call.js';
import { customerRequest, documentRequest, type DocumentWish } from './request-bodies.js';

export interface ClientCredentials {
  id: string;
  secret: string;
  accountId: string;
}

/** An API client of one account. Its access token is fetched when needed, by the test's clock. */
export class ServiceClient {
  private token = { text: '', until: 0 };

  constructor(
    private readonly base: string,
    private readonly clock: Clock,
    private readonly credentials: ClientCredentials,
    private readonly call = httpCall,
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
    const now = this.clock.serverNow().getTime();
    if (now < this.token.until) return this.token.text;
    const answer = await this.call<{ access_token: string; expires_in: number }>(
      `${this.base}/v1/auth/token`,
      { method: 'POST', body: { client_id: this.id, client_secret: this.secret } },
    );
    const { access_token: text, expires_in: seconds } = made(answer, 200);
    this.token = { text, until: now + (seconds - 10) * 1000 };
    return text;
  }

  async get<Body = Record<string, unknown>>(
    path: string,
    headers = {},
  ): Promise<ServiceAnswer<Body>> {
    return this.send('GET', path, undefined, headers);
  }

  async post<Body = Record<string, unknown>>(
    path: string,
    body: unknown = {},
    headers = {},
  ): Promise<ServiceAnswer<Body>> {
    return this.send('POST', path, body, headers);
  }

  async patch<Body = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers = {},
  ): Promise<ServiceAnswer<Body>> {
    return this.send('PATCH', path, body, headers);
  }

  async put<Body = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers = {},
  ): Promise<ServiceAnswer<Body>> {
    return this.send('PUT', path, body, headers);
  }

  async delete<Body = Record<string, unknown>>(
    path: string,
    headers = {},
  ): Promise<ServiceAnswer<Body>> {
    return this.send('DELETE', path, undefined, headers);
  }

  /** Globex GmbH, or as the fields say. */
  async aCustomer(over: object = {}): Promise<CustomerBody> {
    const body = customerRequest(over);
    return made(await this.post<CustomerBody>('/v1/finance/customers', body), 201);
  }

  /** Issued unless `issue: false`. */
  async anInvoice(wish: DocumentWish = {}): Promise<DocumentBody> {
    const body = documentRequest(wish);
    return made(await this.post<DocumentBody>('/v1/finance/documents', body), 201);
  }

  /** The document as it is now. */
  async read(document: { id: string }): Promise<DocumentBody> {
    return made(await this.get<DocumentBody>(`/v1/finance/documents/${document.id}`), 200);
  }

  /** @param body names the gateway, and what differs from the whole due */
  async aPaymentLink(
    document: { id: string },
    body: { gateway: string; [field: string]: unknown },
  ): Promise<PaymentLinkBody> {
    const path = `/v1/finance/documents/${document.id}/payment-links`;
    return made(await this.post<PaymentLinkBody>(path, body), 201);
  }

  private async send<Body>(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<ServiceAnswer<Body>> {
    const authorization = `Bearer ${await this.bearer()}`;
    const all = { authorization, ...headers };
    return this.call<Body>(`${this.base}${path}`, { method, body, headers: all });
  }
}

/** @throws Error with the answer, if it has another status */
export function made<Body>(answer: ServiceAnswer<Body>, status: number): Body {
  if (answer.status === status) return answer.body;
  throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
}
