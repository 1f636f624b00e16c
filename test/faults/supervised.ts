import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Demo } from '../../src/demo/demo-account.js';
import { freePort } from '../../src/testing/service/free-port.js';
import {
  aPlace,
  type Ended,
  type Place,
  readiness,
  type ServiceProgram,
} from '../startup/program.js';

const POLL_MS = 25;
const READY_WITHIN_MS = 120_000;

/** The real service as a child process, started again when it ends, as a supervisor would. */
export class Supervised {
  private program: ServiceProgram | undefined;
  private isWanted = true;
  /** How often it ended without having been asked to, other than by a kill of ours. */
  endings = 0;

  private constructor(
    readonly place: Place,
    readonly env: Record<string, string>,
    readonly url: string,
  ) {}

  static async start(env: Record<string, string>, given?: Place): Promise<Supervised> {
    const place = given ?? (await aPlace());
    const port = await freePort();
    const service = new Supervised(
      place,
      { ...env, PORT: String(port) },
      `http://127.0.0.1:${port}`,
    );
    await service.launch();
    await service.untilReady();
    return service;
  }

  get pid(): number {
    return this.program?.pid ?? 0;
  }

  private get dataDir(): string {
    return this.env['QUITTANCE_DATA_DIR'] ?? this.place.dataDir;
  }

  async demo(): Promise<Demo> {
    return JSON.parse(await readFile(join(this.dataDir, 'demo.json'), 'utf8')) as Demo;
  }

  /** The differences that `cli integrity` finds. */
  async integrity(): Promise<string[]> {
    const { output, errors } = await this.place.run('cli', ['integrity', '--json'], this.env);
    if (!output) return [errors];
    const found = JSON.parse(output) as { differences: object[] };
    return found.differences.map((one) => JSON.stringify(one));
  }

  /** Seconds until `/readyz` says yes. @throws after two minutes, with what the service said */
  async untilReady(): Promise<number> {
    const startedMs = performance.now();
    while (performance.now() - startedMs < READY_WITHIN_MS) {
      if ((await readiness(this)) === 200) return (performance.now() - startedMs) / 1000;
      await sleep(POLL_MS);
    }
    const said = `${this.program?.output.slice(-2000)}${this.program?.errors}`;
    throw new Error(`not ready again within ${READY_WITHIN_MS / 1000} s:\n${said}`);
  }

  /** Sends SIGKILL; it is started again. */
  async kill(): Promise<void> {
    const { program } = this;
    this.endings -= 1;
    program?.signal('SIGKILL');
    await program?.ended;
  }

  /** Sends SIGTERM; it is started again. */
  async end(): Promise<void> {
    const { program } = this;
    this.endings -= 1;
    program?.signal('SIGTERM');
    await program?.ended;
  }

  async stop(): Promise<Ended | undefined> {
    this.isWanted = false;
    this.program?.signal('SIGTERM');
    return this.program?.ended;
  }

  private async launch(): Promise<void> {
    const program = await this.place.starting(this.env);
    this.program = program;
    void this.startAgainAfter(program);
  }

  private async startAgainAfter(program: ServiceProgram): Promise<void> {
    await program.ended;
    if (!this.isWanted) return;
    this.endings += 1;
    await sleep(200);
    if (this.isWanted) await this.launch();
  }
}
