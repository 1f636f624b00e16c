import { join } from 'node:path';
import type { Demo } from './demo-account.js';
import { DEMO_COMMAND } from './demo-delivery.js';

/** Characters without a meaning for any shell. */
const PLAIN = /^[\w./:@%+,-]+$/;

/**
 * The six calls. All of it can be pasted at once: `:` is a comment that every shell knows, also a
 * zsh that takes `#` for a command.
 */
export function welcome(demo: Demo, dataDir: string, folder = process.cwd()): string {
  const { base_url: url } = demo;
  const file = quotedForShell(join(dataDir, 'demo.json'));
  const isUsual = dataDir === join(folder, '.quittance');
  const run = `${isUsual ? '' : `QUITTANCE_DATA_DIR=${quotedForShell(dataDir)} `}${DEMO_COMMAND}`;
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
  const webhooks = demo.payment_links.map(({ gateway }) => `${run} ${gateway}`);
  return `
: Quittance is ready at ${url} with its API reference at ${url}/docs
: Paste these lines into a second terminal, in this folder. Their values are in ${file}

: 1. Exchange credentials for a token
${post('/v1/auth/token', credentials)}
TOKEN=$(${post('/v1/auth/token', credentials)} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

: 2. Record a payment of 250.00 EUR
${post(`/v1/finance/documents/${demo.invoice_id}/payments`, payment)} -H "Authorization: Bearer $TOKEN"

: 3. The client rejects the quote
${post(`/v1/portal/${demo.quote_portal_token}/reject`, '{"reason":"Too expensive for this year."}')}

: 4. The invoice as PDF, and the page that the client sees
curl -s -o invoice.pdf ${url}/v1/portal/documents/${demo.invoice_portal_token}/pdf
echo ${url}/v1/portal/${demo.invoice_portal_token}

: 5. and 6. A provider reports a payment: signed as the provider signs, then with a bad signature
${webhooks.join('\n')}
${run} gateway-a --forged
`;
}

function quotedForShell(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
