import type { Response } from 'express';
import type { Locale } from '../../documents/index.js';
import { type PaymentLink, paymentLinkStatus } from '../../payments/index.js';
import type { ApiRequest } from '../../platform/http/request.js';

const COOKIE = 'quittance_back';
/** Of the path where it is read, so that no other page of ours is sent it. */
const COOKIE_PATH = '/v1/portal/return';
const KEPT_MS = 2 * 3600 * 1000;
const TOKEN = /(?:^|; )quittance_back=([\w-]{43})(?:;|$)/;

/**
 * Lets the browser that goes to pay find its document again. Only the browser knows: an address for
 * the provider would give it the token, and with it the document.
 */
export function keepToken(response: Response, token: string, isSecure: boolean): void {
  response.cookie(COOKIE, token, {
    path: COOKIE_PATH,
    maxAge: KEPT_MS,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
  });
}

export function tokenKept({ headers }: Pick<ApiRequest, 'headers'>): string | null {
  return TOKEN.exec(headers.cookie ?? '')?.[1] ?? null;
}

/** Tells the payer what became of the payment. */
export function paymentNotice(link: PaymentLink, now: Date, locale: Locale): string {
  const { pay } = locale.texts;
  const amount = locale.money(link.amount);
  const status = paymentLinkStatus(link, now);
  switch (status) {
    case 'paid':
      return pay.received(amount);
    case 'processing':
      return pay.onItsWay(amount);
    case 'unmatched':
      return pay.unmatched(amount);
    case 'open':
      return pay.awaited;
    case 'failed':
      // Money that was here, and was taken back, had been charged.
      return link.paidAt === null ? pay.failed : pay.closed;
    default:
      return pay[status];
  }
}
