import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const READY_MS = 60_000;

interface QueryAnswer {
  status: 'success' | 'error';
  error?: string;
  data?: { result: { value: [number, string] }[] };
}

/** Whether the program is there to run, and why not. */
export async function canRun(program: 'prometheus' | 'promtool'): Promise<string | null> {
  return promisify(execFile)(program, ['--version']).then(
    () => null,
    () => `no ${program} is installed; Debian has it in the package prometheus`,
  );
}

/** A real Prometheus of this machine, that reads one service each second. */
export class PrometheusServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  static async start(target: string, rules: string, port: number): Promise<PrometheusServer> {
    const folder = await mkdtemp(join(tmpdir(), 'quittance-prometheus-'));
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [rules],
      scrape_configs: [{ job_name: 'quittance', static_configs: [{ targets: [target] }] }],
    };
    const file = join(folder, 'prometheus.yml');
    await writeFile(file, JSON.stringify(config));
    const url = `http://127.0.0.1:${port}`;
    const child = spawn(
      'prometheus',
      [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=${new URL(url).host}`,
        '--log.level=error',
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const server = new PrometheusServer(child, folder, url);
    await server.ready();
    return server;
  }

  /** How many series a query gives, and the first of their values. @throws Error as it says */
  async query(text: string): Promise<{ series: number; first: string | undefined }> {
    const body = new URLSearchParams({ query: text });
    const answer = await fetch(`${this.url}/api/v1/query`, { method: 'POST', body });
    const { status, error, data } = (await answer.json()) as QueryAnswer;
    if (status !== 'success' || !data) throw new Error(error ?? 'no answer');
    return { series: data.result.length, first: data.result[0]?.value[1] };
  }

  /** Names of alerts by their state. */
  async alerts(): Promise<string[]> {
    const answer = await fetch(`${this.url}/api/v1/alerts`);
    const { data } = (await answer.json()) as {
      data: { alerts: { state: string; labels: { alertname: string } }[] };
    };
    return data.alerts.map(({ state, labels }) => `${labels.alertname}: ${state}`);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }

  private async ready(): Promise<void> {
    for (let waited = 0; waited < READY_MS; waited += 200) {
      const answer = await fetch(`${this.url}/-/ready`).catch(() => undefined);
      if (answer?.ok) return;
      await sleep(200);
    }
    throw new Error(`no Prometheus is ready at ${this.url}`);
  }
}
