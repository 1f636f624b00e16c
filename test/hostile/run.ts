import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Demo } from '../../src/demo/demo-account.js';
import type { OpenApi } from '../e2e/schema-check.js';
import { aPlace, type Place, readiness, type ServiceProgram } from '../startup/program.js';
import { call } from '../support/http.js';
import { Attacker, type Shot } from './attacker.js';
import { Bodies, type Known } from './bodies.js';
import { dropBombs } from './bombs.js';
import { Chance } from '../../src/testing/chance.js';
import { floodOneLockedDocument, type LockedReport, type Payer } from './locked-document.js';
import { FORGED_MINOR, Signatures } from './signatures.js';
import { realDeliveries, webhookEnvironment } from './webhooks.js';

export interface Wish {
  seed: number;
  bodies: number;
  signatures: number;
  bombs: boolean;
  /** How long one document is held while a crowd pays it; 0: not at all. */
  lockedSeconds: number;
  say?: (line: string) => void;
}

export interface Report {
  answers: Attacker['answers'];
  unexpected: Attacker['unexpected'];
  sent: number;
  largestBytes: number;
  largestRefusalBytes: number;
  /** By part of the run: the longest time that the loop stood still, and as the clock had it. */
  loop: { part: string; ownMs: number; wallMs: number }[];
  peakMemoryMb: number;
  locked: LockedReport | null;
  differences: string[];
  isReady: boolean;
  /** Of the part with a rate limit. */
  limited: { refused: number; passed: number; allowed: number };
}

const PROBE = new URL('./loop-probe.mjs', import.meta.url).href;
/** The machine may be busy with others. */
const TOKEN_LIVES_MS = 600_000;

/** A real service of its own is attacked, without a rate limit first, then with one. */
export async function attack(wish: Wish): Promise<Report> {
  const place = await aPlace();
  const probe = join(place.folder, 'loop');
  const env = {
    HOSTILE_PROBE: probe,
    NODE_OPTIONS: `--import ${PROBE}`,
    QUITTANCE_RATE_LIMIT: 'off',
    QUITTANCE_LOG_LEVEL: 'error',
    ...webhookEnvironment(),
  };
  try {
    const service = await place.service(env);
    const run = new Run(wish, place, service, probe);
    const report = await run.open();
    service.signal('SIGTERM');
    await service.ended;
    return { ...report, limited: await limitedPart(place, env) };
  } finally {
    await place.remove();
  }
}

class Run {
  private readonly attacker: Attacker;
  private readonly loop: Report['loop'] = [];
  private token = { text: '', untilMs: 0 };

  constructor(
    private readonly wish: Wish,
    private readonly place: Place,
    private readonly service: ServiceProgram,
    private readonly probe: string,
  ) {
    this.attacker = new Attacker(service.url);
  }

  async open(): Promise<Omit<Report, 'limited'>> {
    const { wish, attacker, service } = this;
    const demo = await this.place.demo();
    const { body: openapi } = await call<OpenApi>(`${service.url}/v1/openapi.json`);
    const known: Known = {
      bearer: () => this.bearer(demo),
      documentIds: [demo.invoice_id, demo.quote_id],
      portalTokens: [demo.invoice_portal_token, demo.quote_portal_token],
      linkIds: demo.payment_links.map(({ id }) => id),
    };
    const bodies = new Bodies(openapi, new Chance(wish.seed), known);
    await this.part('fields', () => attacker.fire(bodies.fields(wish.bombs)));
    await this.part('bodies', () => attacker.fire(bodies.shots(wish.bodies)));
    if (wish.bombs) {
      const bearer = await this.bearer(demo);
      await this.part('bombs', () => dropBombs(attacker, service.url, bearer));
    }
    const real = await realDeliveries(service.url, demo, await this.bearer(demo));
    const signatures = new Signatures(real, new Chance(wish.seed + 1));
    await this.part('signatures', async () => {
      await this.collide(signatures, demo);
      await forgeAll(attacker, signatures.shots(wish.signatures));
    });
    const locked = wish.lockedSeconds > 0 ? await this.lockedDocument(demo) : null;
    const isReady = (await readiness(service)) === 200;
    const peakMemoryMb = await peakMemory(service.pid);
    attacker.end();
    const { output, errors } = await this.place.command(['integrity', '--json']);
    const { answers, unexpected, sent, largestBytes, largestRefusalBytes } = attacker;
    return {
      answers,
      unexpected,
      sent,
      largestBytes,
      largestRefusalBytes,
      loop: this.loop,
      peakMemoryMb,
      locked,
      isReady,
      differences: output
        ? (JSON.parse(output) as { differences: object[] }).differences.map((one) =>
            JSON.stringify(one),
          )
        : [errors],
    };
  }

  /** Money that nobody paid must not be on a document, whatever its answer says. */
  private async collide(signatures: Signatures, demo: Demo): Promise<void> {
    const shot = signatures.collision();
    if (!shot) return;
    const hit = await this.attacker.shoot(shot);
    const headers = { authorization: `Bearer ${await this.bearer(demo)}` };
    const path = `${this.service.url}/v1/finance/documents/${demo.invoice_id}`;
    const { body } = await call<{ amount_paid: number }>(path, { headers });
    if (!(body.amount_paid < FORGED_MINOR)) {
      this.attacker.note('forged money on a document', shot, `${hit?.status} ${hit?.text}`);
    }
  }

  /** The other account is made by the operator's commands, as on any installation. */
  private async lockedDocument(demo: Demo): Promise<LockedReport> {
    const printed = async (...args: string[]) => (await this.place.command(args)).output;
    const account = JSON.parse(
      await printed('account', 'create', '--name', 'Bystander', '--json'),
    ) as { account_id: string };
    const other = JSON.parse(
      await printed('client', 'create', '--account', account.account_id, '--json'),
    ) as Payer;
    const databaseUrl = (await printed('database-url')).trim();
    const { url } = this.service;
    const { lockedSeconds: seconds } = this.wish;
    return floodOneLockedDocument({ url, databaseUrl, flooder: demo, other, seconds });
  }

  private async part(name: string, work: () => Promise<void>): Promise<void> {
    // A standstill from before is not of this part.
    await sleep(200);
    const beganMs = Date.now();
    const before = this.attacker.sent;
    await work();
    // The probe writes when the loop is free again.
    await sleep(200);
    const lines = (await readFile(this.probe, 'utf8').catch(() => '')).trim().split('\n');
    const stood = lines
      .map((line) => line.split(' ').map(Number))
      .filter(([at = 0]) => at >= beganMs);
    const [, ownMs = 0, wallMs = 0] = stood.toSorted(([, a = 0], [, b = 0]) => b - a)[0] ?? [];
    this.loop.push({ part: name, ownMs, wallMs });
    const seconds = (Date.now() - beganMs) / 1000;
    this.wish.say?.(
      `${name}: ${this.attacker.sent - before} requests in ${seconds.toFixed(0)} s, ` +
        `the loop stood still for ${ownMs} ms (${wallMs} ms by the clock)`,
    );
  }

  private async bearer({ client_id, client_secret }: Demo): Promise<string> {
    if (Date.now() < this.token.untilMs) return this.token.text;
    const { body, text } = await call<{ access_token?: string }>(
      `${this.service.url}/v1/auth/token`,
      {
        method: 'POST',
        body: { client_id, client_secret },
      },
    );
    if (!body.access_token) throw new Error(`no token: ${text}`);
    this.token = { text: body.access_token, untilMs: Date.now() + TOKEN_LIVES_MS };
    return this.token.text;
  }
}

/** Every one of them is a refusal. */
async function forgeAll(attacker: Attacker, shots: Iterable<Shot>): Promise<void> {
  const iterator = shots[Symbol.iterator]();
  const worker = async () => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      await attacker.shoot(next.value, { mustRefuse: true });
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

const LIMIT = 5;
const BURST = 20;
const CALLS = 300;

/** The same service with a limit: no more gets through than it says, and refusals say when. */
async function limitedPart(place: Place, env: Record<string, string>): Promise<Report['limited']> {
  const given = { QUITTANCE_RATE_LIMIT: String(LIMIT), QUITTANCE_RATE_BURST: String(BURST) };
  const service = await place.service({ ...env, ...given });
  const { client_id, client_secret } = await place.demo();
  const { body } = await call<{ access_token: string }>(`${service.url}/v1/auth/token`, {
    method: 'POST',
    body: { client_id, client_secret },
  });
  const headers = { authorization: `Bearer ${body.access_token}` };
  const beganMs = Date.now();
  const answers = await Promise.all(
    Array.from({ length: CALLS }, () => call(`${service.url}/v1/finance/payments`, { headers })),
  );
  const seconds = Math.ceil((Date.now() - beganMs) / 1000) + 1;
  service.signal('SIGTERM');
  await service.ended;
  const refused = answers.filter(
    ({ status, headers: of }) => status === 429 && of.has('retry-after'),
  );
  return {
    refused: refused.length,
    passed: CALLS - refused.length,
    allowed: BURST + LIMIT * seconds,
  };
}

async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}
