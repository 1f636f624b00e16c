import { describe, expect, it } from 'vitest';
import { OutgoingClient } from '../../../src/platform/http/outgoing/outgoing-client.js';
import { nameServers } from '../../../src/platform/http/outgoing/host-look-up.js';
import { aNameServer } from './name-server.js';
import { aClient, failureOf, listening, LOOPBACK, toLoopback } from './outgoing-server.js';
import { ADDRESSES_OF_NAMES, HOSTS_NOT_TO_CALL, URLS_NOT_TO_CALL } from './spellings.js';

describe('hosts that nobody may call on behalf of a tenant', () => {
  const hosts = Object.values(HOSTS_NOT_TO_CALL).flat();

  it('are at least 150, each said once', () => {
    expect(new Set(hosts).size).toBe(hosts.length);
    expect(hosts.length).toBeGreaterThanOrEqual(150);
  });

  it.each(Object.entries(HOSTS_NOT_TO_CALL))(
    'are never connected: %s',
    async (_kind, spellings) => {
      const { port, connections } = await listening();
      const client = aClient();
      for (const host of spellings) {
        for (const scheme of ['http', 'https']) {
          const failure = await failureOf(client, `${scheme}://${host}:${port}/`);
          expect(failure, host).toMatch(/^(url|address)_not_allowed$/);
        }
      }
      expect(connections()).toBe(0);
    },
  );

  it('are never connected by tricks with the parts around them', async () => {
    const { port, connections } = await listening();
    const client = new OutgoingClient(
      {
        ranges: [],
        ports: [
          [443, 443],
          [port, port],
        ],
      },
      { lookUp: toLoopback },
    );
    for (const trick of URLS_NOT_TO_CALL) {
      const failure = await failureOf(client, trick.replaceAll('@port@', String(port)));
      expect(failure, trick).toMatch(/^(url|address)_not_allowed$/);
    }
    expect(connections()).toBe(0);
  });

  it('are never connected by names that have their addresses', async () => {
    const { port, connections } = await listening();
    for (const addresses of ADDRESSES_OF_NAMES) {
      const client = aClient([], async () => [...addresses]);
      const expected = addresses.length === 0 ? 'dns' : 'address_not_allowed';
      expect(await failureOf(client, `http://a.example:${port}/`), String(addresses)).toBe(
        expected,
      );
    }
    expect(connections()).toBe(0);
  });

  it('are connected by many of these spellings once the operator opens the loopback', async () => {
    const { port, connections } = await listening();
    const client = aClient(LOOPBACK);
    const kinds = Object.entries(HOSTS_NOT_TO_CALL).filter(([kind]) => kind.startsWith('loopback'));
    const answers: string[] = [];
    for (const host of kinds.flatMap(([, spellings]) => spellings)) {
      const failure = await failureOf(client, `http://${host}:${port}/`);
      if (failure === null) answers.push(host);
    }
    expect(answers.length).toBeGreaterThan(40);
    expect(connections()).toBeGreaterThan(0);
  });
});

describe('a name', () => {
  it('is looked up once for a connection, and what it has later is judged again', async () => {
    const { port, connections } = await listening((_request, response) => {
      response.setHeader('Connection', 'close').end('ok');
    });
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1']];
    let asked = 0;
    const client = aClient(LOOPBACK, async () => answers[asked++] ?? []);
    const failures = [];
    for (const _ of answers) failures.push(await failureOf(client, `http://re.example:${port}/`));
    expect(failures).toEqual([null, 'address_not_allowed', null]);
    expect([asked, connections()]).toEqual([3, 2]);
  });

  it('is asked of name servers, whose every answer is judged', async () => {
    const { port, connections } = await listening((_request, response) => {
      response.setHeader('Connection', 'close').end('ok');
    });
    const later = ['10.0.0.1'];
    const names: Record<string, () => readonly string[]> = {
      'open.example': () => ['127.0.0.1'],
      'six.example': () => ['::1'],
      'private.example': () => ['10.0.0.1'],
      'mixed.example': () => ['127.0.0.1', '169.254.169.254'],
      'two.example': () => ['127.0.0.1', 'fd00::1'],
      'rebinding.example': () => later.splice(0, 1, '127.0.0.1'),
      'none.example': () => [],
    };
    const server = await aNameServer((name) => names[name]?.() ?? []);
    const client = aClient(LOOPBACK, nameServers([server.at]));
    const failures: Record<string, unknown> = {};
    for (const name of Object.keys(names)) {
      failures[name] = await failureOf(client, `http://${name}:${port}/`);
    }
    server.close();
    expect(failures).toEqual({
      'open.example': null,
      'six.example': null,
      'private.example': 'address_not_allowed',
      'mixed.example': 'address_not_allowed',
      'two.example': 'address_not_allowed',
      'rebinding.example': 'address_not_allowed',
      'none.example': 'dns',
    });
    expect(connections()).toBe(2);
  });

  it('of which a name server says nothing holds up no other', async () => {
    const { port } = await listening();
    const silent = await aNameServer((name) =>
      name === 'good.example' ? ['127.0.0.1'] : undefined,
    );
    const client = aClient(LOOPBACK, nameServers([silent.at]));
    let ended = 0;
    const calls = Array.from({ length: 40 }, async (_none, at) => {
      const failure = await failureOf(client, `http://silent-${at}.example:${port}/`);
      ended += 1;
      return failure;
    });
    expect(await failureOf(client, `http://good.example:${port}/`)).toBeNull();
    expect(ended).toBe(0);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['timeout']));
    silent.close();
  });

  it('of this machine is not asked for', async () => {
    const { port } = await listening();
    const client = new OutgoingClient({ ranges: LOOPBACK, ports: [[port, port]] });
    expect(await failureOf(client, `http://hooks.localhost:${port}/`)).toBeNull();
  });

  it('that the operator trusts shares no connection with one that a tenant gives', async () => {
    const { port, connections } = await listening();
    const client = aClient();
    // By its name, which the system knows, and which is judged for tenants alone.
    const url = `http://localhost:${port}/`;
    const trusting = client.fetchFor([url]);
    expect(await (await trusting(url)).text()).toBe('ok');
    expect(await failureOf(client, url)).toBe('address_not_allowed');
    expect(await (await trusting(url)).text()).toBe('ok');
    expect(connections()).toBe(1);
  });
});
