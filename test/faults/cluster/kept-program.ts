import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const AGAIN_AFTER_MS = 1000;

interface Command {
  line: string[];
  log: string;
  cwd?: string;
  env?: Record<string, string>;
}

/** A program that is started again when it ends, as systemd does it. */
export class KeptProgram {
  /** The run is over: nothing is started again. */
  static isOver = false;

  private child: ChildProcess | undefined;
  private isWanted = false;

  constructor(private readonly command: Command) {}

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  start(): void {
    this.isWanted = true;
    const { line, log, cwd = '/', env } = this.command;
    const [program = '', ...args] = line;
    const file = openSync(log, 'a');
    const child = spawn(program, args, {
      cwd,
      env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...env },
      stdio: ['ignore', file, file],
    });
    closeSync(file);
    this.child = child;
    child.once('exit', () => void this.startAgain(child));
  }

  /** It is started again if it ends by that. */
  signal(name: NodeJS.Signals): void {
    process.kill(this.pid, name);
  }

  /** Nobody starts it again. */
  letGo(): void {
    this.isWanted = false;
  }

  async stop(name: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.letGo();
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(name);
    await once(child, 'exit');
  }

  private async startAgain(ended: ChildProcess): Promise<void> {
    await sleep(AGAIN_AFTER_MS);
    if (!KeptProgram.isOver && this.isWanted && this.child === ended) this.start();
  }
}
