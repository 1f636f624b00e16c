import { join } from 'node:path';
import type { Demo } from './demo-account.js';

/** The six calls, ready to paste. */
export function welcome(demo: Demo, dataDir: string): string {
  const { base_url: url } = demo;
  const credentials = JSON.stringify({
    client_id: demo.client_id,
    client_secret: demo.client_secret,
  });
  const post = (path: string, body: string) =>
    `curl -s -X POST ${url}${path} -H 'Content-Type: application/json' -d '${body}'`;
  const payment = JSON.stringify({
    amount: 25_000,
    method: 'bank_transfer',
    reference: 'RF18 5390 0754 7034',
  });
  const webhooks = demo.payment_links.map(
    ({ gateway }) => `npm run --silent demo:webhook -- ${gateway}`,
  );
  return `
Quittance is ready at ${url}   (API reference: ${url}/docs, these values: ${join(dataDir, 'demo.json')})

# 1. Exchange credentials for a token
${post('/v1/auth/token', credentials)}
TOKEN=$(${post('/v1/auth/token', credentials)} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

# 2. Record a payment of 250.00 EUR
${post(`/v1/finance/documents/${demo.invoice_id}/payments`, payment)} -H "Authorization: Bearer $TOKEN"

# 3. The client rejects the quote
${post(`/v1/portal/${demo.quote_portal_token}/reject`, '{"reason":"Too expensive for this year."}')}

# 4. The invoice as PDF, and as the page that the client sees
curl -s -o invoice.pdf ${url}/v1/portal/documents/${demo.invoice_portal_token}/pdf
${url}/v1/portal/${demo.invoice_portal_token}

# 5. and 6. A provider reports a payment: signed as the provider signs, then with a bad signature
${webhooks.join('\n')}
npm run --silent demo:webhook -- gateway-a --forged
`;
}
