import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  type Contestant,
  type Name,
  NAMES,
  openStage,
  POOL_SIZE,
  type Stage,
} from './contestants.js';
import {
  documentReading,
  knownPdfReading,
  listReading,
  measureReads,
  measureRenders,
  pdfReading,
  portalReading,
  type Reading,
} from './documents-load.js';
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
  type Timing,
} from './money-load.js';
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

const USUAL_SECTIONS = [
  'payments',
  'one-document',
  'webhooks',
  'reads',
  'pdf',
  'start-up',
] as const;
/** Only where they are asked for. Lists and integrity need a filled database, which is made first. */
const OTHER_SECTIONS = ['in-full', 'rows', 'lines', 'lists', 'integrity'] as const;
const SECTIONS = [...USUAL_SECTIONS, ...OTHER_SECTIONS] as const;
type Section = (typeof SECTIONS)[number];

const USAGE = `npm run bench -- [--json] [--seconds 5] [--rounds 3] [--warm-up 4] [--documents 2000]
  [--connections 32]   callers at once; may be given several times, one measurement each
  [--only ${SECTIONS.join('|')}]   one section; may be given several times;
    all but in-full, rows, lines, lists and integrity if absent; in-full only by itself
  [--beside lean|bare|textbook]   other servers, all if absent; may be given several times
  [--against folder]   an earlier build of the service, from its checkout
  [--processes 1|2|auto]   of the service, behind its port
  [--profile folder]   writes a CPU profile of the service there`;

const SETTLE_MS = 3000;

const MONEY_NAMES: Record<MoneyKind, string> = {
  payments: 'payments',
  'one-document': 'payments of one document',
  webhooks: 'webhooks',
  'in-full': 'payments in full',
};

interface Options {
  json: boolean;
  sections: Section[];
  timing: Timing;
  against: string | undefined;
  processes: string;
  profile: string | undefined;
  /** Callers at once, one measurement for each. */
  callers: number[];
  documents: number;
  names: readonly Name[];
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      'warm-up': { type: 'string', default: '4' },
      connections: { type: 'string', multiple: true, default: ['32'] },
      documents: { type: 'string', default: '2000' },
      beside: { type: 'string', multiple: true, default: ['lean', 'bare', 'textbook'] },
      only: { type: 'string', multiple: true, default: [...USUAL_SECTIONS] },
      against: { type: 'string' },
      processes: { type: 'string', default: '1' },
      profile: { type: 'string' },
    },
  });
  const callers = values.connections.map(Number);
  const given = [values.seconds, values.rounds, values['warm-up'], values.documents];
  const numbers = [...given.map(Number), ...callers];
  const [seconds = 0, rounds = 0, warmUpSeconds = 0, documents = 0, connections = 0] = numbers;
  const names = NAMES.filter((name) => values.beside.includes(name));
  const sections = SECTIONS.filter((section) => values.only.includes(section));
  const wrong = numbers.some((number) => !(number > 0)) || !Number.isInteger(rounds);
  // A document that another section paid in part cannot be paid in full.
  const isMixed = sections.includes('in-full') && sections.length > 1;
  const isUnknown = new Set(values.only).size !== sections.length;
  if (wrong || isMixed || isUnknown) throw new Error(USAGE);
  const timing = { seconds, rounds, warmUpSeconds, connections };
  const { json, against, processes, profile } = values;
  return { json, sections, timing, against, processes, profile, callers, documents, names };
}

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
      if (section === 'pdf') await this.pdf();
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
  ): Promise<void> {
    const { stage, generator, options } = this;
    const rounds = await measureReads(stage.contestants, readingOf, generator, options.timing);
    this.rounds[name] = rounds;
    const of = (pick: (round: Round) => number) => this.medians(rounds, pick);
    const toBefore = pairedRatio(rounds, 'before');
    this.rows.push({ name, unit: '/s', ...of((round) => round.perSecond), toBefore });
    this.rows.push({ name: `${name} p50`, unit: 'ms', ...of((round) => round.p50Ms) });
    this.rows.push({ name: `${name} p99`, unit: 'ms', ...of((round) => round.p99Ms) });
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
  const most = mostBooked(options.timing) * options.callers.length;
  const stage = await openStage({
    links: options.sections.includes('webhooks') ? most : 1,
    documents: options.sections.includes('in-full') ? most : options.documents,
    names: options.names,
    serviceNodeArgs: options.profile === undefined ? [] : profiling,
    processes: options.processes,
    against: options.against,
    say,
  });
  try {
    return await new Bench(stage, generator, options).run();
  } finally {
    await stage.close();
  }
}

const hasServers = (section: Section): boolean =>
  section === 'rows' ||
  section === 'lines' ||
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
    console.log(options.json ? JSON.stringify(report, null, 2) : formatReport(report));
  } finally {
    generator.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error && error.message === USAGE ? USAGE : error);
  process.exitCode = 1;
});
