import type { ExchangeRateList } from '../../src/books/wire/exchange-rate.js';
import type { DocumentBody } from '../../src/documents/wire/document-body.js';
import type { IssuedPortalTokenBody } from '../../src/documents/wire/portal-token.js';
import type { Clock } from '../../src/kernel/clock.js';
import type { PaymentLinkBody } from '../../src/payments/collecting/wire/payment-link.js';
import {
  documentRequest,
  type DocumentWish as Wish,
} from '../../src/testing/service/request-bodies.js';
import {
  type ClientCredentials,
  made,
  ServiceClient,
} from '../../src/testing/service/service-client.js';
import { type Answer, call } from './http.js';

export type DocumentWish = Wish;

/** The client of those who test an extension, and the steps that only our own tests take. */
export class TestClient extends ServiceClient {
  constructor(base: string, clock: Clock, credentials: ClientCredentials) {
    super(base, clock, credentials, call);
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

  async aQuote(wish: DocumentWish = {}): Promise<DocumentBody> {
    return this.anInvoice({ kind: 'quote', ...wish });
  }

  async issue(draft: { id: string }): Promise<DocumentBody> {
    return made(await this.post<DocumentBody>(`/v1/finance/documents/${draft.id}/issue`), 200);
  }

  async void(document: { id: string }): Promise<DocumentBody> {
    return made(await this.post<DocumentBody>(`/v1/finance/documents/${document.id}/void`), 200);
  }

  /** The secret part of a portal link. */
  async aPortalToken(document: { id: string }, body: object = {}): Promise<string> {
    const path = `/v1/finance/documents/${document.id}/portal-tokens`;
    return made(await this.post<IssuedPortalTokenBody>(path, body), 201).token;
  }

  override async aPaymentLink(
    document: { id: string },
    body: object = {},
  ): Promise<PaymentLinkBody> {
    return super.aPaymentLink(document, { gateway: 'gateway-a', ...body });
  }
}

export const requestFor = documentRequest;
