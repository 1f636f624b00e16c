import { type ChildProcess, execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Contestant, type Name, openStage, POOL_SIZE, type Stage } from './contestants.js';
import { MAY_CALL, measureDeliveries, subscribe } from './deliveries-load.js';
import {
  documentReading,
  fieldsReading,
  knownPdfReading,
  listReading,
  measureReads,
  measureRenders,
  newestReading,
  pdfReading,
  portalReading,
  type Reading,
} from './documents-load.js';
import { measureGrowth } from './growth-load.js';
import { measureIntegrity } from './integrity-load.js';
import { measureLines } from './lines-load.js';
import { measureLists } from './lists-load.js';
import {
  measureMoney,
  MONEY_KINDS,
  type MoneyKind,
  mostBooked,
  type Round,
  type Rounds,
} from './money-load.js';
import { type Options, readOptions, type Section, USAGE, USUAL_SECTIONS } from './options.js';
import { LoadGenerator } from './processes.js';
import {
  type CostRow,
  type Figures,
  formatReport,
  median,
  type Report,
  type ReportRow,
} from './report.js';
import { measureRowCosts } from './row-costs.js';
import { measureStartUp } from './startup.js';

const SETTLE_MS = 3000;

const MONEY_NAMES: Record<MoneyKind, string> = {
  payments: 'payments',
  'one-document': 'payments of one document',
  webhooks: 'webhooks',
  'in-full': 'payments in full',
};

class Bench {
  private readonly rows: ReportRow[] = [];
  private readonly rounds: Record<string, unknown> = {};
  private costs: CostRow[] = [];
  private readonly service: Contestant;

  constructor(
    private readonly stage: Stage,
    private readonly generator: LoadGenerator,
    private readonly options: Options,
  ) {
    this.service = stage.contestants.find(({ name }) => name === 'service')!;
  }

  async run(): Promise<Report> {
    const { against } = this.options;
    const environment = environmentOf(this.options, this.stage.postgres);
    if (against !== undefined) environment['before'] = commitOf(against);
    await sleep(SETTLE_MS);
    const idle = await this.memory();
    for (const section of this.options.sections) {
      say(`measuring ${section}`);
      const kind = MONEY_KINDS.find((one) => one === section);
      for (const connections of kind ? this.options.callers : []) {
        if (kind) await this.money(kind, connections);
      }
      if (section === 'reads') {
        await this.reads('document read', documentReading);
        await this.reads('list of documents', listReading);
        await this.reads('portal page', portalReading);
      }
      for (const connections of section === 'fields' ? this.options.callers : []) {
        await this.fields(connections);
      }
      if (section === 'pdf') await this.pdf();
      if (section === 'deliveries') {
        const { timing, endpoints } = this.options;
        this.rows.push(
          ...(await measureDeliveries(this.service, this.generator, timing, endpoints || 1)),
        );
      }
      if (section === 'lines') {
        const { contestants } = this.stage;
        this.rows.push(...(await measureLines(contestants, this.options.timing.rounds, say)));
      }
      if (section === 'rows') this.costs = await measureRowCosts(this.stage, this.service, say);
    }
    this.rows.push({ name: 'memory idle', unit: 'MB', ...idle });
    this.rows.push({ name: 'memory after all load', unit: 'MB', ...(await this.memory()) });
    await this.stage.stopServers();
    if (this.options.sections.includes('start-up')) await this.startUp();
    environment['load average at the end'] = loadAverage();
    return { environment, rows: this.rows, costs: this.costs, rounds: this.rounds };
  }

  private async money(kind: MoneyKind, connections: number): Promise<void> {
    const { stage, generator, options } = this;
    const timing = { ...options.timing, connections };
    const rounds = await measureMoney(kind, stage, generator, timing, say);
    const what = MONEY_NAMES[kind];
    const name = options.callers.length === 1 ? what : `${what}, ${connections} callers`;
    this.rounds[name] = rounds;
    const of = (pick: (round: Round) => number) => this.medians(rounds, pick);
    this.rows.push({
      name,
      unit: '/s',
      ...of((round) => round.perSecond),
      toBefore: pairedRatio(rounds, 'before'),
      toLean: pairedRatio(rounds, 'lean'),
      toBare: pairedRatio(rounds, 'bare'),
      toTextbook: pairedRatio(rounds, 'textbook'),
    });
    this.rows.push({ name: `${name} p50`, unit: 'ms', ...of((round) => round.p50Ms) });
    this.rows.push({ name: `${name} p99`, unit: 'ms', ...of((round) => round.p99Ms) });
    this.rows.push({
      name: `${name} CPU of the process`,
      unit: 'ms',
      ...of((round) => round.cpuMs),
    });
    this.rows.push({
      name: `${name} CPU of PostgreSQL`,
      unit: 'ms',
      ...of((round) => round.postgresMs),
    });
    this.rows.push({ name: `${name} CPU of the load`, unit: 'ms', ...of((round) => round.loadMs) });
  }

  private async reads(
    name: string,
    readingOf: (contestant: Contestant) => Promise<Reading>,
    timing = this.options.timing,
  ): Promise<void> {
    const { stage, generator } = this;
    const rounds = await measureReads(stage.contestants, readingOf, generator, timing);
    this.rounds[name] = rounds;
    const of = (pick: (round: Round) => number) => this.medians(rounds, pick);
    const toBefore = pairedRatio(rounds, 'before');
    this.rows.push({ name, unit: '/s', ...of((round) => round.perSecond), toBefore });
    this.rows.push({ name: `${name} p50`, unit: 'ms', ...of((round) => round.p50Ms) });
    this.rows.push({ name: `${name} p99`, unit: 'ms', ...of((round) => round.p99Ms) });
    this.rows.push({ name: `${name} CPU of the process`, unit: 'ms', ...of((one) => one.cpuMs) });
  }

  /** A list of whole documents, and the same one with the fields that a page shows. */
  private async fields(connections: number): Promise<void> {
    const timing = { ...this.options.timing, connections };
    const callers = connections === 1 ? '1 caller' : `${connections} callers`;
    await this.reads(`list of 25, ${callers}`, newestReading, timing);
    await this.reads(`list of 25 with fields, ${callers}`, fieldsReading, timing);
  }

  private medians(rounds: Rounds, pick: (round: Round) => number): Figures {
    return Object.fromEntries(
      this.stage.contestants
        .filter((one) => rounds[one.name].length > 0)
        .map((one) => [one.name, median(rounds[one.name].map(pick))]),
    );
  }

  private async pdf(): Promise<void> {
    const renders = await measureRenders(this.stage, this.service);
    const { serviceMs, beforeMs, rawMs } = renders;
    const toService = (others: number[]) =>
      median(others.map((other, index) => other / (serviceMs[index] ?? Number.NaN)));
    this.rounds['PDF first render'] = renders;
    this.rows.push({
      name: 'PDF first render (bare: warm page.pdf)',
      unit: 'ms',
      service: median(serviceMs),
      bare: median(rawMs),
      toBare: toService(rawMs),
      ...(beforeMs.length > 0 && { before: median(beforeMs), toBefore: toService(beforeMs) }),
    });
    await this.reads('PDF download', pdfReading);
    await this.reads('PDF that is known', knownPdfReading);
  }

  private async startUp(): Promise<void> {
    const startUp = await measureStartUp(this.stage, this.options.timing.rounds);
    this.rounds['start-up'] = startUp;
    const add = (name: string, values: number[]) =>
      this.rows.push({ name: `start-up to ready, ${name}`, unit: 'ms', service: median(values) });
    add('given database', startUp.givenDatabase);
    add('embedded, existing folder', startUp.embeddedExisting);
    add('embedded, new folder (once)', startUp.embeddedNew);
  }

  private async memory(): Promise<Figures> {
    const memory: Figures = {};
    for (const { name, server } of this.stage.contestants) memory[name] = await server.residentMb();
    return memory;
  }
}

function environmentOf({ timing, callers }: Options, database: string) {
  const { seconds, rounds } = timing;
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores, ${cpus()[0]?.model.trim()}, ${process.platform}`,
    node: process.version,
    database,
    method:
      `${callers.join(', ')} callers, ${rounds} rounds of ${seconds} s in turn, medians; ` +
      `pool of ${POOL_SIZE}; the load generator runs on the same machine`,
    'load average at the start': loadAverage(),
  } as Record<string, string>;
}

function commitOf(checkout: string): string {
  return execFileSync('git', ['-C', checkout, 'log', '-1', '--format=%h %s'], {
    encoding: 'utf8',
  }).trim();
}

/** Round by round, since neighbours in time saw the same machine. */
function pairedRatio(rounds: Rounds, other: Name): number | undefined {
  if (rounds[other].length === 0) return undefined;
  const ratios = rounds.service.map(
    ({ perSecond }, index) => perSecond / (rounds[other][index]?.perSecond ?? Number.NaN),
  );
  return median(ratios);
}

function loadAverage(): string {
  return loadavg()
    .map((load) => load.toFixed(2))
    .join(' ');
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function compare(options: Options, generator: LoadGenerator): Promise<Report> {
  const profiling = ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  const sendsThem = options.sections.includes('deliveries');
  const most = mostBooked(options.timing) * options.callers.length;
  const stage = await openStage({
    links: options.sections.includes('webhooks') ? most : 1,
    documents: options.sections.includes('in-full') ? most : options.documents,
    names: options.names,
    serviceNodeArgs: options.profile === undefined ? [] : profiling,
    serviceEnv: {
      ...MAY_CALL,
      ...(options.endpoints > 0 && !sendsThem && { QUITTANCE_ROLES: 'api' }),
    },
    processes: options.processes,
    against: options.against,
    say,
  });
  let receiver: ChildProcess | undefined;
  try {
    const [service] = stage.contestants;
    if (!sendsThem && service) receiver = await subscribe(service, options.endpoints);
    return await new Bench(stage, generator, options).run();
  } finally {
    receiver?.kill();
    await stage.close();
  }
}

const hasServers = (section: Section): boolean =>
  section === 'rows' ||
  section === 'deliveries' ||
  section === 'lines' ||
  section === 'fields' ||
  section === 'in-full' ||
  (USUAL_SECTIONS as readonly string[]).includes(section);

async function main(): Promise<void> {
  const options = readOptions();
  const { sections, timing } = options;
  const generator = new LoadGenerator();
  try {
    const report: Report = sections.some((section) => hasServers(section))
      ? await compare(options, generator)
      : { environment: environmentOf(options, 'that of bench:data'), rows: [], rounds: {} };
    if (sections.includes('integrity')) {
      report.rows.push(...(await measureIntegrity(generator, timing, say)));
    }
    if (sections.includes('lists')) report.lists = await measureLists(generator, timing, say);
    if (sections.includes('growth')) report.growth = await measureGrowth(timing.rounds, say);
    console.log(options.json ? JSON.stringify(report, null, 2) : formatReport(report));
  } finally {
    generator.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error && error.message === USAGE ? USAGE : error);
  process.exitCode = 1;
});
