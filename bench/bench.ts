import { availableParallelism, cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Contestant, type Name, openStage, POOL_SIZE, type Stage } from './contestants.js';
import { documentPaths, measureReads, measureRenders } from './documents-load.js';
import { measureLists } from './lists-load.js';
import { linksNeeded, measureMoney, type Round, type Rounds, type Timing } from './money-load.js';
import { LoadGenerator } from './processes.js';
import { formatReport, median, type Report, type ReportRow } from './report.js';
import { measureStartUp } from './startup.js';

const USUAL_SECTIONS = ['payments', 'webhooks', 'reads', 'pdf', 'start-up'] as const;
/** Lists only where they are asked for: they need the million documents of `bench:data`. */
const SECTIONS = [...USUAL_SECTIONS, 'lists'] as const;
type Section = (typeof SECTIONS)[number];

const USAGE = `npm run bench -- [--json] [--seconds 5] [--rounds 3] [--connections 32]
  [--only ${SECTIONS.join('|')}]   one section; may be given several times;
    all but lists if absent, which makes a million documents first
  [--profile folder]   writes a CPU profile of the service there`;

const SETTLE_MS = 3000;

interface Options {
  json: boolean;
  sections: Section[];
  timing: Timing;
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
      profile: { type: 'string' },
    },
  });
  const numbers = [values.seconds, values.rounds, values.connections].map(Number);
  const [seconds = 0, rounds = 0, connections = 0] = numbers;
  const sections = SECTIONS.filter((section) => values.only.includes(section));
  const wrong = numbers.some((number) => !(number > 0)) || !Number.isInteger(rounds);
  if (wrong || new Set(values.only).size !== sections.length) throw new Error(USAGE);
  const timing = { seconds, rounds, connections };
  return { json: values.json, sections, timing, profile: values.profile };
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
    const environment = environmentOf(this.options.timing, this.stage.postgres);
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
    const of = (pick: (round: Round) => number) => ({
      service: median(rounds.service.map(pick)),
      bare: median(rounds.bare.map(pick)),
      textbook: median(rounds.textbook.map(pick)),
    });
    this.rows.push({
      name: kind,
      unit: '/s',
      ...of((round) => round.perSecond),
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

  private async memory(): Promise<Record<Name, number>> {
    const memory = { service: 0, bare: 0, textbook: 0 };
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
    say,
  });
  try {
    return await new Bench(stage, generator, options).run();
  } finally {
    await stage.close();
  }
}

async function main(): Promise<void> {
  const options = readOptions();
  const { sections, timing } = options;
  const generator = new LoadGenerator();
  try {
    const report: Report = sections.some((section) => section !== 'lists')
      ? await compare(options, generator)
      : { environment: environmentOf(timing, 'that of bench:data'), rows: [], rounds: {} };
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
