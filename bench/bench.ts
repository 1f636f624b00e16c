import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Contestant, type Name, openStage, POOL_SIZE, type Stage } from './contestants.js';
import { documentPaths, measureReads, measureRenders } from './documents-load.js';
import { measureIntegrity } from './integrity-load.js';
import { measureLists } from './lists-load.js';
import { linksNeeded, measureMoney, type Round, type Rounds, type Timing } from './money-load.js';
import { LoadGenerator } from './processes.js';
import { type Figures, formatReport, median, type Report, type ReportRow } from './report.js';
import { measureStartUp } from './startup.js';

const USUAL_SECTIONS = ['payments', 'webhooks', 'reads', 'pdf', 'start-up'] as const;
/** Only where they are asked for: they need a filled database, which is made first. */
const FILLED_SECTIONS = ['lists', 'integrity'] as const;
const SECTIONS = [...USUAL_SECTIONS, ...FILLED_SECTIONS] as const;
type Section = (typeof SECTIONS)[number];

const USAGE = `npm run bench -- [--json] [--seconds 5] [--rounds 3] [--connections 32]
  [--only ${SECTIONS.join('|')}]   one section; may be given several times;
    all but lists and integrity if absent, which fill a database first
  [--against folder]   an earlier build of the service, from its checkout, in payments and webhooks;
  [--profile folder]   writes a CPU profile of the service there`;

const SETTLE_MS = 3000;

interface Options {
  json: boolean;
  sections: Section[];
  timing: Timing;
  against: string | undefined;
  profile: string | undefined;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '32' },
      only: { type: 'string', multiple: true, default: [...USUAL_SECTIONS] },
      against: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const numbers = [values.seconds, values.rounds, values.connections].map(Number);
  const [seconds = 0, rounds = 0, connections = 0] = numbers;
  const sections = SECTIONS.filter((section) => values.only.includes(section));
  const wrong = numbers.some((number) => !(number > 0)) || !Number.isInteger(rounds);
  if (wrong || new Set(values.only).size !== sections.length) throw new Error(USAGE);
  const timing = { seconds, rounds, connections };
  const { json, against, profile } = values;
  return { json, sections, timing, against, profile };
}

class Bench {
  private readonly rows: ReportRow[] = [];
  private readonly rounds: Record<string, unknown> = {};
  private readonly service: Contestant;

  constructor(
    private readonly stage: Stage,
    private readonly generator: LoadGenerator,
    private readonly options: Options,
  ) {
    this.service = stage.contestants.find(({ name }) => name === 'service')!;
  }

  async run(): Promise<Report> {
    const { timing, against } = this.options;
    const environment = environmentOf(timing, this.stage.postgres);
    if (against !== undefined) environment['before'] = commitOf(against);
    await sleep(SETTLE_MS);
    const idle = await this.memory();
    for (const section of this.options.sections) {
      say(`measuring ${section}`);
      if (section === 'payments' || section === 'webhooks') await this.money(section);
      if (section === 'reads') await this.reads('document read', documentPaths(this.stage), '"id"');
      if (section === 'pdf') await this.pdf();
    }
    this.rows.push({ name: 'memory idle', unit: 'MB', ...idle });
    this.rows.push({ name: 'memory after all load', unit: 'MB', ...(await this.memory()) });
    await this.stage.stopServers();
    if (this.options.sections.includes('start-up')) await this.startUp();
    environment['load average at the end'] = loadAverage();
    return { environment, rows: this.rows, rounds: this.rounds };
  }

  private async money(kind: 'payments' | 'webhooks'): Promise<void> {
    const { stage, generator, options } = this;
    const rounds = await measureMoney(kind, stage, generator, options.timing, say);
    this.rounds[kind] = rounds;
    const of = (pick: (round: Round) => number): Figures =>
      Object.fromEntries(
        stage.contestants.map(({ name }) => [name, median(rounds[name].map(pick))]),
      );
    this.rows.push({
      name: kind,
      unit: '/s',
      ...of((round) => round.perSecond),
      ...(rounds.before.length > 0 && { toBefore: pairedRatio(rounds, 'before') }),
      toBare: pairedRatio(rounds, 'bare'),
      toTextbook: pairedRatio(rounds, 'textbook'),
    });
    this.rows.push({ name: `${kind} p50`, unit: 'ms', ...of((round) => round.p50Ms) });
    this.rows.push({ name: `${kind} p99`, unit: 'ms', ...of((round) => round.p99Ms) });
    this.rows.push({
      name: `${kind} CPU of the process`,
      unit: 'ms',
      ...of((round) => round.cpuMs),
    });
    this.rows.push({
      name: `${kind} CPU of PostgreSQL`,
      unit: 'ms',
      ...of((round) => round.postgresMs),
    });
  }

  private async reads(name: string, paths: string[], expected: string): Promise<void> {
    const { service, generator, options } = this;
    const rounds = await measureReads(paths, expected, service, generator, options.timing);
    this.rounds[name] = rounds;
    const of = (pick: (round: Round) => number) => median(rounds.map(pick));
    this.rows.push({ name, unit: '/s', service: of((round) => round.perSecond) });
    this.rows.push({ name: `${name} p50`, unit: 'ms', service: of((round) => round.p50Ms) });
    this.rows.push({ name: `${name} p99`, unit: 'ms', service: of((round) => round.p99Ms) });
  }

  private async pdf(): Promise<void> {
    const { serviceMs, rawMs, paths } = await measureRenders(this.stage, this.service);
    this.rounds['PDF first render'] = { serviceMs, rawMs };
    this.rows.push({
      name: 'PDF first render (bare: warm page.pdf)',
      unit: 'ms',
      service: median(serviceMs),
      bare: median(rawMs),
      toBare: median(rawMs.map((raw, index) => raw / (serviceMs[index] ?? Number.NaN))),
    });
    await this.reads('PDF download', paths, '%PDF-');
  }

  private async startUp(): Promise<void> {
    const startUp = await measureStartUp(this.stage);
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

function environmentOf({ seconds, rounds, connections }: Timing, database: string) {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores, ${cpus()[0]?.model.trim()}, ${process.platform}`,
    node: process.version,
    database,
    method:
      `${connections} connections, ${rounds} rounds of ${seconds} s in turn, medians; ` +
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
function pairedRatio(rounds: Rounds, other: Name): number {
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
  const stage = await openStage({
    links: options.sections.includes('webhooks') ? linksNeeded(options.timing) : 1,
    serviceNodeArgs: options.profile === undefined ? [] : profiling,
    against: options.against,
    say,
  });
  try {
    return await new Bench(stage, generator, options).run();
  } finally {
    await stage.close();
  }
}

const isUsual = (section: Section): boolean =>
  (USUAL_SECTIONS as readonly string[]).includes(section);

async function main(): Promise<void> {
  const options = readOptions();
  const { sections, timing } = options;
  const generator = new LoadGenerator();
  try {
    const report: Report = sections.some((section) => isUsual(section))
      ? await compare(options, generator)
      : { environment: environmentOf(timing, 'that of bench:data'), rows: [], rounds: {} };
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
