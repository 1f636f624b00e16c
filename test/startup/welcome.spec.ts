import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Demo } from '../../src/demo/demo-account.js';
import { welcome } from '../../src/demo/welcome.js';

const DEMO: Demo = {
  base_url: 'http://127.0.0.1:3000',
  client_id: 'cli_1',
  client_secret: 'secret',
  account_id: 'acc_1',
  invoice_id: 'doc_1',
  quote_id: 'doc_2',
  invoice_portal_token: 'A',
  quote_portal_token: 'B',
  payment_links: [{ id: 'plink_1', gateway: 'gateway-a', amount: 1, currency: 'EUR' }],
  gateways: {},
};
const webhookLines = (text: string) =>
  text.split('\n').filter((line) => line.includes('demo:webhook'));

describe('the printed calls', () => {
  it('find the demo in the usual folder', () => {
    expect(webhookLines(welcome(DEMO, '/srv/.quittance', '/srv'))).toEqual([
      'npm run --silent demo:webhook -- gateway-a',
      'npm run --silent demo:webhook -- gateway-a --forged',
    ]);
  });

  it.each(["/srv/it's (new) $here", '/srv/data'])('find the demo in %s', (folder) => {
    const text = welcome(DEMO, folder, '/srv');
    expect(webhookLines(text)).toHaveLength(2);
    const program = `npm() { printf '%s|' "$QUITTANCE_DATA_DIR"; }; curl() { :; }; ${text}`;
    const said = execFileSync('bash', ['--norc', '-e', '-c', program], { encoding: 'utf8' });
    expect(said.split('\n').at(-1)).toBe(`${folder}|${folder}|`);
  });

  it('hold nothing that a shell would take for something else', () => {
    const comments = welcome(DEMO, '/srv/data')
      .split('\n')
      .filter((line) => line.startsWith(':'));
    expect(comments.length).toBeGreaterThan(5);
    expect(comments.filter((line) => /["'`()<>|&;$*?[\]#]/.test(line))).toEqual([]);
  });
});
