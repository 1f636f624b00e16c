import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { bankBombs } from '../bank/bank-bombs.js';
import type { Attacker, Shot } from './attacker.js';

const DOCUMENTS = '/v1/finance/documents';
const JSON_TYPE: [string, string] = ['Content-Type', 'application/json'];
const list = (count: number, item: string) =>
  `[${Array.from({ length: count }, () => item).join(',')}]`;

const keys = (count: number) =>
  Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(',');

/** Nearly as many bytes as a document may have. */
const LARGE = 8_300_000;

/** Bodies that once cost far more than their size, to routes that take them. */
function jsonBombs(bearer: string): Shot[] {
  const line = '{"description":"a","unit_amount":1,"tax_rate":"19"}';
  const bodies = {
    'empty lines': `{"lines":${list(2_700_000, '{}')}}`,
    lines: `{"customer":{"name":"a"},"lines":${list(155_000, line)}}`,
    'lists in lines': `{"lines":${list(2_700_000, '[]')}}`,
    'wrong lines': `{"lines":${list(1_900_000, '"a"')}}`,
    'unknown keys': `{${keys(500_000)}}`,
    'one key again': `{${'"a":1,'.repeat(1_300_000)}"a":1}`,
    'two amounts': '{"amount":1,"amount":50}',
    depth: `${'{"a":'.repeat(1_300_000)}1${'}'.repeat(1_300_000)}`,
    brackets: '['.repeat(LARGE),
    'a long text': `{"notes":"${'a'.repeat(LARGE)}"}`,
    'escaped text': `{"notes":"${'\\u0041'.repeat(1_300_000)}"}`,
    'a long number': `{"lines":[{"unit_amount":${'9'.repeat(LARGE)}}]}`,
    blanks: `{${' '.repeat(LARGE)}}`,
    'a long name': `{"${'a'.repeat(LARGE)}":1}`,
    metadata: `{"metadata":{${keys(400_000)}}}`,
    'different names': `{"lines":[{${keys(19_000)}}]}`,
    'lines of a document': `{"lines":${list(40_000, '{"a":1,"b":1,"c":1,"d":1}')}}`,
  };
  return Object.entries(bodies).flatMap(([name, body]) =>
    [
      DOCUMENTS,
      '/v1/finance/documents/preview',
      '/v1/finance/customers',
      '/v1/finance/payments',
    ].map((path) => ({
      operation: `bomb: ${name}`,
      method: 'POST',
      path,
      headers: [JSON_TYPE, ['Authorization', `Bearer ${bearer}`]],
      body: Buffer.from(body),
    })),
  );
}

const form = (count: number) =>
  Array.from({ length: count }, (_, index) => `k${index}=1`).join('&');

const toToken = (body: string, type = 'application/json'): Shot => ({
  operation: 'bomb: token',
  method: 'POST',
  path: '/v1/auth/token',
  headers: [['Content-Type', type]],
  body: Buffer.from(body),
});

/** 99 KB of keys that nobody knows, and more of the kind, where no credentials are asked for. */
function tokenBombs(): Shot[] {
  return [
    toToken(`{${keys(7_700)}}`),
    toToken(`{${keys(1_400)}}`),
    toToken('{"client_id":"a","client_secret":null}'),
    toToken(form(2_000), 'application/x-www-form-urlencoded'),
    toToken('&'.repeat(20_000), 'application/x-www-form-urlencoded'),
    toToken(`client_id=${'%00'.repeat(6_000)}`, 'application/x-www-form-urlencoded'),
  ];
}

function bankShots(bearer: string): Shot[] {
  return bankBombs().map(({ name, type, file }) => ({
    operation: `bomb: bank file`,
    method: 'POST',
    path: '/v1/finance/bank-statements',
    headers: [
      ['Content-Type', type],
      ['Authorization', `Bearer ${bearer}`],
      ['X-Request-Id', name.replaceAll(' ', '-')],
    ],
    body: Buffer.from(file),
  }));
}

/** All bombs, some at once as nobody's fair share would have it. */
export async function dropBombs(attacker: Attacker, url: string, bearer: string): Promise<void> {
  for (const shot of jsonBombs(bearer)) await attacker.shoot(shot, { mustRefuse: true });
  await attacker.fire(jsonBombs(bearer), 4);
  for (const shot of tokenBombs()) await attacker.shoot(shot, { mustRefuse: true });
  await attacker.fire(Array.from({ length: 40 }, tokenBombs).flat(), 20);
  // One after the other, then more at once than an account may have.
  for (const shot of bankShots(bearer)) await attacker.shoot(shot);
  await attacker.fire(bankShots(bearer), 20);
  await strangers(attacker, url);
}

const STRANGERS = 60;
const THEIR_BYTES = 1_900_000;

/**
 * Connections without a token that send 1.9 MB each; meanwhile somebody asks whether the process
 * lives, which is told as an answer of its own.
 */
async function strangers(attacker: Attacker, url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const open = new Set<unknown>();
  const sent = Array.from({ length: STRANGERS }, async () => {
    const socket = connect(Number(port), hostname);
    open.add(socket);
    socket.on('error', () => undefined);
    socket.resume();
    socket.write(
      `POST ${DOCUMENTS} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${THEIR_BYTES}\r\n\r\n`,
    );
    const piece = 'a'.repeat(19_000);
    for (let bytes = 0; bytes < THEIR_BYTES && socket.writable; bytes += piece.length) {
      socket.write(piece);
      await sleep(5);
    }
    socket.destroy();
    open.delete(socket);
  });
  while (open.size > 0) {
    await attacker.shoot({
      operation: 'livez beside strangers',
      method: 'GET',
      path: '/livez',
      headers: [],
    });
    await sleep(20);
  }
  await Promise.all(sent);
}
