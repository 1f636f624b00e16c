import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Clock } from '../../kernel/clock.js';
import { within } from '../within.js';
import { Log } from './log.js';
import { Metrics } from './metrics.js';

/** Shared by all who look within that time: ten scrapes at once ask the database once. */
const KEPT_MS = 5000;
/** Of all figures together; those of several processes are gathered within five seconds. */
const LONGEST_MS = 3000;
const AT_ONCE = 2;
/** Beyond it a count says "at least so many": nobody needs to know more, and to count costs. */
export const MOST_COUNTED = 10_000;

/** The meaning of a value above its limit: something is broken, late, or wants a person. */
export type FigureState = 'failed' | 'behind' | 'waits';

/** How a value is told to people. */
export interface FigureSign {
  /** The value of the label that it is about; absent: each of them. */
  of?: string;
  state: FigureState;
  /** From there on; below it all is fine. Default: nothing but 0 is fine. */
  above?: number;
  /** A noun phrase, which the value follows: `Messages that failed in the last day`. */
  says: string;
  /** A command, a call or a page of docs. */
  next: string;
}

/** The one place of a figure: Prometheus, `/status` and `cli status` read it. */
export interface FigureDefinition {
  /** By the conventions of Prometheus, with its unit last. */
  name: string;
  help: string;
  label?: string;
  signs?: readonly FigureSign[];
}

/** By the value of the label; of a figure without one, under any name. None: the figure is absent. */
export type FigureValues = Readonly<Record<string, number>>;

/** One of those that wait for a person: how many, and since when the first of them. */
export interface WaitingThings {
  count: number;
  oldest: Date | null;
}

/** A definition with its values as they were last read. */
export interface ReadFigure {
  definition: FigureDefinition;
  /** Undefined: they could not be read. */
  values: FigureValues | undefined;
}

const FOR_A_PERSON = {
  name: 'waiting_for_person',
  help: 'Things of all accounts that wait for a person, by what they are; 10000: or more.',
  label: 'what',
};

const FOR_A_PERSON_SECONDS = {
  name: 'waiting_for_person_seconds',
  help: 'Since when the oldest of these waits; 0: there is none.',
  label: 'what',
};

/** Work that has its time, by what it is about: how much of it is due, and since when. */
export interface DueWorkDefinition {
  counted: FigureDefinition;
  aged: FigureDefinition;
  /** Later than that, it is behind. */
  lateSeconds: number;
  says: string;
  next: string;
}

type HeldWorkDefinition = Pick<FigureDefinition, 'name' | 'help'> & Pick<FigureSign, 'says'>;

/** Providers are asked what became of these. */
export const LOOK_UPS_DUE: DueWorkDefinition = {
  counted: {
    name: 'look_ups_due',
    help: 'Things that a provider is to be asked about now; 10000: or more.',
    label: 'of',
  },
  aged: {
    name: 'look_up_oldest_due_seconds',
    help: 'How long the first of these has been due; 0: none is.',
    label: 'of',
  },
  lateSeconds: 900,
  says: 'Providers are to be asked about',
  next: 'see that a process with the role worker runs; docs/runbook.md#look-ups-behind',
};

/** The age of something that waits; 0: nothing does. */
export const secondsSince = (since: Date | null | undefined, now: Date): number =>
  since ? Math.max(0, (now.getTime() - since.getTime()) / 1000) : 0;

/** Definitions whose values one read gives, by their names. */
interface Source {
  definitions: readonly FigureDefinition[];
  read: (now: Date) => Promise<Readonly<Record<string, FigureValues>>>;
  values: Readonly<Record<string, FigureValues>> | undefined;
  /** A read that was given up goes on, and no other is begun beside it. */
  underWay: Promise<Readonly<Record<string, FigureValues>>> | undefined;
}

/**
 * Figures of the whole installation, the same in each process: what waits, failed or is behind. Each
 * module adds its own. They are read when somebody looks.
 */
@Injectable()
export class Figures {
  /** Tests want to see at once what they did, and wait for nothing that hangs. */
  keptMs = KEPT_MS;
  longestMs = LONGEST_MS;
  private readonly sources: Source[] = [];
  private readonly gauges = new Map<string, Gauge>();
  private readonly failures: Counter<'figure'>;
  private reading: Promise<void> | undefined;
  private readAt = -Infinity;

  constructor(
    private readonly metrics: Metrics,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.failures = new Counter({
      name: 'figures_failed_total',
      help: 'Times that a figure could not be read in time, and was absent.',
      labelNames: ['figure'],
      registers: [metrics.registry],
    });
  }

  measure(definition: FigureDefinition, read: (now: Date) => Promise<FigureValues>): void {
    this.measureTogether([definition], async (now) => ({ [definition.name]: await read(now) }));
  }

  /** @param since when the oldest began to wait; none: nothing does */
  measureAge(
    definition: FigureDefinition,
    since: (now: Date) => Promise<Date | null | undefined>,
  ): void {
    this.measure(definition, async (now) => ({ seconds: secondsSince(await since(now), now) }));
  }

  /** @param what a value of the label: few, and none of them an account's */
  measureForPerson(
    what: string,
    { says, next }: Pick<FigureSign, 'says' | 'next'>,
    read: (now: Date) => Promise<WaitingThings>,
  ): void {
    const signs = [{ of: what, state: 'waits', says, next }] as const;
    this.measureTogether([{ ...FOR_A_PERSON, signs }, FOR_A_PERSON_SECONDS], async (now) => {
      const { count, oldest } = await read(now);
      return {
        [FOR_A_PERSON.name]: { [what]: count },
        [FOR_A_PERSON_SECONDS.name]: { [what]: secondsSince(oldest, now) },
      };
    });
  }

  /** Work that waits for a word since the database was restored. */
  measureHeld({ name, help, says }: HeldWorkDefinition, read: () => Promise<number>): void {
    const next = 'cli release; docs/operations.md#after-a-restore';
    const signs = [{ state: 'waits', says, next }] as const;
    this.measure({ name, help, signs }, async () => ({ held: await read() }));
  }

  /** @param of a value of the label: few, and none of them an account's */
  measureDue(
    { counted, aged, lateSeconds, says, next }: DueWorkDefinition,
    of: string,
    read: (now: Date) => Promise<WaitingThings>,
  ): void {
    const sign = { of, state: 'behind', above: lateSeconds, next } as const;
    const signs = [{ ...sign, says: `${says} ${of.replaceAll('_', ' ')}` }];
    this.measureTogether([counted, { ...aged, signs }], async (now) => {
      const { count, oldest } = await read(now);
      return {
        [counted.name]: { [of]: count },
        [aged.name]: { [of]: secondsSince(oldest, now) },
      };
    });
  }

  /** All of them, at most some seconds old. */
  async read(): Promise<ReadFigure[]> {
    await this.fresh();
    return this.sources.flatMap(({ definitions, values }) =>
      definitions.map((definition) => ({ definition, values: values?.[definition.name] })),
    );
  }

  /** Figures of one read, each by its name. */
  measureTogether(definitions: Source['definitions'], read: Source['read']): void {
    this.sources.push({ definitions, read, values: undefined, underWay: undefined });
    for (const { name, help, label } of definitions) {
      if (this.gauges.has(name)) continue;
      const gauge = new Gauge({
        name,
        help,
        labelNames: label === undefined ? [] : [label],
        aggregator: 'max',
        registers: [this.metrics.registry],
        collect: () => this.collect(name, label),
      });
      this.gauges.set(name, gauge);
    }
  }

  private async collect(name: string, label: string | undefined): Promise<void> {
    const gauge = this.gauges.get(name);
    await this.fresh();
    gauge?.reset();
    // Without a label it would be 0 now, which says that all is fine.
    if (label === undefined) gauge?.remove();
    for (const { values } of this.sources) {
      for (const [of, value] of Object.entries(values?.[name] ?? {})) {
        if (label === undefined) gauge?.set(value);
        else gauge?.set({ [label]: of }, value);
      }
    }
  }

  /** One reading at a time, which all share who ask meanwhile. */
  private async fresh(): Promise<void> {
    if (performance.now() - this.readAt < this.keptMs) return;
    this.reading ??= this.readAll().finally(() => {
      this.readAt = performance.now();
      this.reading = undefined;
    });
    await this.reading;
  }

  private async readAll(): Promise<void> {
    const until = performance.now() + this.longestMs;
    const left = [...this.sources];
    const one = async () => {
      for (let source = left.shift(); source; source = left.shift()) {
        await this.readOne(source, until - performance.now());
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  }

  private async readOne(source: Source, withinMs: number): Promise<void> {
    const wasRead = source.values !== undefined;
    const names = source.definitions.map(({ name }) => name);
    try {
      if (withinMs <= 0) throw new Error('the figures before it took all of the time');
      source.underWay ??= source.read(this.clock.serverNow()).finally(() => {
        source.underWay = undefined;
      });
      source.values = await within(withinMs, 'the figure', source.underWay);
    } catch (error) {
      source.values = undefined;
      for (const figure of names) this.failures.inc({ figure });
      if (wasRead) this.log.warn({ error, figures: names }, 'figures could not be read');
    }
  }
}
