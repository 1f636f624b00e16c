import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { aRazorpayPage } from '../../support/razorpay-stub.js';
import { fresh } from './voice.js';

/** The APIs of all providers: they make pay pages, and show what the runs say that there is. */
export interface Pages {
  apiBase: string;
  /** Answers by path; of a list by path and PaymentIntent. */
  objects: Record<string, object>;
  close(): Promise<void>;
}

const PAGES: Record<string, (body: string) => object> = {
  '/v1/oauth2/token': () => ({ access_token: 't', expires_in: 99_999 }),
  '/v1/checkout/sessions': () => ({ id: fresh('cs_'), url: 'https://pay.test/stripe' }),
  '/v2/checkout/orders': () => {
    const links = [{ rel: 'payer-action', href: 'https://pay.test/paypal' }];
    return { id: fresh('ORDER').toUpperCase(), links };
  },
  '/v2/payments': () => {
    const _links = { checkout: { href: 'https://pay.test/mollie' } };
    return { id: fresh('tr_'), _links };
  },
  '/billing_requests': () => ({ billing_requests: { id: fresh('BRQ').toUpperCase() } }),
  '/billing_request_flows': () => {
    return { billing_request_flows: { authorisation_url: 'https://pay.test/gocardless' } };
  },
  '/v1/payment_links': (body) => aRazorpayPage(fresh('plink_'), body),
};

export async function startPages(): Promise<Pages> {
  const objects: Record<string, object> = {};
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const [path = '', query] = (request.url ?? '').split('?');
    const intent = new URLSearchParams(query).get('payment_intent');
    const shown = objects[intent === null ? path : `${path} of ${intent}`];
    const found = request.method === 'POST' ? pageOf(path, body) : shown;
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? {}));
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    apiBase: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Adyen answers with what it was asked for, and its version stands in the path. */
function pageOf(path: string, body: string): object | undefined {
  if (!path.endsWith('/paymentLinks')) return PAGES[path]?.(body);
  const asked = JSON.parse(body) as object;
  return {
    ...asked,
    id: fresh('PL').toUpperCase(),
    status: 'active',
    url: 'https://pay.test/adyen',
  };
}
