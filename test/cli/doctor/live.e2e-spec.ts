import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Server as NetServer,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { examineCertificates } from '../../../src/cli/doctor/certificates.js';
import { examineLive, type LiveMeans } from '../../../src/cli/doctor/live.js';
import { examineOutside } from '../../../src/cli/doctor/outside.js';
import { examineReplication } from '../../../src/cli/doctor/replication.js';
import { askServer } from '../../../src/cli/doctor/server.js';
import { Installation } from '../../../src/extensions/installation.js';
import type { Config } from '../../../src/platform/config/config.js';
import type { Finding } from '../../../src/platform/finding.js';
import { examineSealHeads } from '../../../src/integrity/index.js';
import { publicId } from '../../../src/kernel/ids.js';
import { OutgoingClient } from '../../../src/platform/http/outgoing/outgoing-client.js';
import { nameRecords } from '../../../src/platform/http/outgoing/name-records.js';
import { sealAll } from '../../support/books.js';
import { startTestService, type TestService } from '../../support/service.js';
import { aCertificate } from './certificate.js';

// A service that runs, looked at as an operator does, with all that stands around it real.

const DAY_MS = 86_400_000;
const NOBODY = { records: nameRecords(['127.0.0.1:9']) };

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'quittance-doctor-'));
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listening(server: NetServer | Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const urls = () => ({ app: service.database.url, owner: service.database.ownerUrl, reader: null });

async function live(over: Partial<Config> = {}, means: LiveMeans = NOBODY, url = urls().app) {
  const config = { ...service.config, databaseUrl: url, ...over };
  return examineLive(config, { ...urls(), app: url }, new Installation(), means);
}

/** `ok`, `warn` or `FAIL`, by the names of checks. */
function stateOf(found: readonly Finding[], ...checks: string[]): string[] {
  return checks.map((name) => {
    const one = found.find(({ check }) => check === name);
    return !one ? 'none' : one.warning ? 'warn' : one.ok ? 'ok' : 'FAIL';
  });
}

/** A proxy before the service, that may answer by itself. */
function proxied(own: RequestListener): RequestListener {
  return (incoming, response) => {
    own(incoming, response);
    if (response.writableEnded) return;
    const { method, url, headers } = incoming;
    const onwards = request(`${service.url}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    // The service refuses before it has read all.
    onwards.on('error', () => response.destroy());
    incoming.pipe(onwards);
  };
}

describe('an installation that runs', () => {
  it('is looked at whole, by the role of the service alone', async () => {
    const metrics = Number(new URL(service.url).port);
    const found = await live({ metrics: { host: '127.0.0.1', port: metrics } });
    const fine = ['clock_database', 'database_connections', 'database_archive'];
    fine.push('certificate_database', 'certificate_paypal', 'disk', 'database_size');
    expect(stateOf(found, ...fine)).toEqual(fine.map(() => 'ok'));
    // The server of the tests does not wait for its disk, and no name server is asked.
    expect(stateOf(found, 'database_settings', 'mail_spf', 'seal_heads')).toEqual([
      'FAIL',
      'warn',
      'warn',
    ]);
    for (const { ok, warning, detail, next } of found) {
      if (ok && !warning) expect(next).toBeUndefined();
      expect(detail).toMatch(/\w/);
    }
  });

  it('ends its look where nothing answers', async () => {
    const port = await listening(createSocketServer((socket) => socket.on('error', () => {})));
    const silent = `127.0.0.1:${port}`;
    const found = await live(
      {
        baseUrl: `http://${silent}`,
        metrics: { host: '127.0.0.1', port },
        mail: { url: `smtp://${silent}`, from: 'a@b.example', dkim: null },
      },
      { records: nameRecords([silent]) },
      `postgres://a:b@${silent}/c`,
    );
    const told = ['database', 'database_time', 'replication', 'public_address', 'clock_steps'];
    expect(stateOf(found, ...told)).toEqual(['FAIL', 'FAIL', 'FAIL', 'FAIL', 'warn']);
    expect(stateOf(found, 'certificate_mail', 'mail_dmarc', 'disk')).toEqual([
      'warn',
      'warn',
      'ok',
    ]);
  });
});

async function outside(baseUrl: string, over: Partial<Config> = {}, ca?: string) {
  const outgoing = new OutgoingClient(service.config.outgoing, ca ? { ca } : {});
  const read = outgoing.fetchFor([baseUrl]);
  const found = await examineOutside({ ...service.config, baseUrl, ...over }, read);
  outgoing.onApplicationShutdown();
  return found;
}

async function certificates(over: Partial<Config>, ca?: string) {
  return examineCertificates({ ...service.config, ...over }, urls().app, { now: new Date(), ca });
}

async function behind(own: RequestListener): Promise<readonly Finding[]> {
  const port = await listening(createServer(proxied(own)));
  return outside(`http://127.0.0.1:${port}`);
}

describe('the public address', () => {
  it('leads to the service, and shows what it should', async () => {
    const fine = ['public_address', 'hsts', 'metrics_outside', 'largest_body', 'client_addresses'];
    fine.push('clock_outside');
    expect(stateOf(await outside(service.url), ...fine)).toEqual(fine.map(() => 'ok'));
  });

  it('may lead to somebody else', async () => {
    const found = await behind((_, response) => response.writeHead(200).end('<h1>Welcome</h1>'));
    expect(stateOf(found, 'public_address', 'largest_body')).toEqual(['FAIL', 'FAIL']);
  });

  it('may lead to one that only reads, while no writer is ready', async () => {
    const found = await behind(({ url }, response) => {
      if (url === '/readyz')
        response.writeHead(200).end(JSON.stringify({ status: 'ok', read_only: true }));
    });
    expect(stateOf(found, 'public_address')).toEqual(['warn']);
  });

  it('should neither show metrics nor refuse large documents', async () => {
    const found = await behind(({ url, headers }, response) => {
      if (url === '/metrics') response.writeHead(200).end('# HELP a b\n# TYPE a gauge\na 1\n');
      if (Number(headers['content-length']) > 1_048_576)
        response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>413</h1>');
    });
    const checks = ['public_address', 'metrics_outside', 'largest_body', 'client_addresses'];
    expect(stateOf(found, ...checks)).toEqual(['ok', 'FAIL', 'FAIL', 'warn']);
  });

  it.each([
    [90, true, 'ok'],
    [5, true, 'warn'],
    [90, false, 'FAIL'],
  ])('has a certificate for %d days, of a known authority: %s', async (days, isKnown, expected) => {
    const made = await aCertificate('localhost', new Date(Date.now() + (days + 0.5) * DAY_MS));
    const port = await listening(
      createTlsServer(
        made,
        proxied(() => {}),
      ),
    );
    const baseUrl = `https://localhost:${port}`;
    const ca = isKnown ? made.cert : undefined;
    const found = [
      ...(await outside(baseUrl, { trustProxy: true }, ca)),
      ...(await certificates({ baseUrl }, ca)),
    ];
    const told = stateOf(found, 'certificate', 'public_address', 'client_addresses');
    expect(told).toEqual([expected, isKnown ? 'ok' : 'FAIL', isKnown ? 'ok' : 'none']);
  });
});

describe('the mail server', () => {
  it.each([
    [60, 'ok'],
    [3, 'warn'],
    [null, 'warn'],
  ])('has STARTTLS for %s days: %s', async (days, expected) => {
    const made = await aCertificate(
      'localhost',
      new Date(Date.now() + ((days ?? 1) + 0.5) * DAY_MS),
    );
    const server = new SMTPServer({
      ...made,
      ...(days === null && { disabledCommands: ['STARTTLS'] }),
      authOptional: true,
      logger: false,
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const { port } = server.server.address() as AddressInfo;
    const mail = { url: `smtp://localhost:${port}`, from: 'a@b.example', dkim: null };
    const found = await certificates({ mail }, made.cert);
    expect(stateOf(found, 'certificate_mail')).toEqual([expected]);
  });
});

describe('heads of seals', () => {
  it('are there, up to the newest, and those of the database', async () => {
    const sealHeadsFile = join(folder, 'heads');
    const look = async () =>
      askServer(urls().app, async (client) =>
        examineSealHeads(sealHeadsFile, async <Row>(text: string, values: unknown[]) => {
          return (await client.query(text, values)).rows as Row[];
        }),
      );
    const client = await service.aClient();
    await client.anInvoice();
    await sealAll(service);
    // The look leaves the newest minute to the service.
    const old = `ALTER TABLE seals DISABLE TRIGGER seals_append_only;
      UPDATE seals SET sealed_at = sealed_at - interval '1 hour';
      ALTER TABLE seals ENABLE TRIGGER seals_append_only`;
    await service.database.query(old);
    expect(await look()).toMatchObject({ ok: false, detail: expect.stringContaining('not there') });

    const heads = await service.database.query<{ account: string; line: string }>(
      `SELECT account_id AS account, sequence::text, encode(digest, 'hex') AS digest FROM seals
       ORDER BY through_xact`,
    );
    const lines = heads.map(({ account, ...head }) => {
      const { sequence, digest } = head as unknown as { sequence: string; digest: string };
      return JSON.stringify({
        account: publicId('acc', account),
        sequence: Number(sequence),
        digest,
      });
    });
    writeFileSync(sealHeadsFile, `${lines.join('\n')}\n`);
    expect(await look()).toMatchObject({ ok: true });
    expect(await look()).not.toHaveProperty('warning');

    appendFileSync(sealHeadsFile, lines[0]?.replace(/"[0-9a-f]{64}"/, `"${'0'.repeat(64)}"`) ?? '');
    expect(await look()).toMatchObject({ ok: false, next: expect.stringContaining('integrity') });

    writeFileSync(sealHeadsFile, '');
    expect(await look()).toMatchObject({ ok: true, warning: true });
    expect(readFileSync(sealHeadsFile, 'utf8')).toBe('');
  });
});

it('a slot that nobody reads holds the log back', async ({ skip }) => {
  const [role] = await service.database.query<{ may: boolean }>(
    'SELECT rolreplication AS may FROM pg_roles WHERE rolname = current_user',
  );
  skip(!role?.may, 'the role of TEST_DATABASE_URL has no REPLICATION');
  const slot = `doctor_${process.pid}`;
  await service.database.query(`SELECT pg_create_physical_replication_slot('${slot}', true)`);
  try {
    const found = await examineReplication(urls().app);
    expect(stateOf(found, 'replication', 'replication_slot')).toEqual(['ok', 'warn']);
  } finally {
    await service.database.query(`SELECT pg_drop_replication_slot('${slot}')`);
  }
});
