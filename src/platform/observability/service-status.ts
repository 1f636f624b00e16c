import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Config } from '../config/config.js';
import { ownVersion } from '../own-version.js';
import { type FigureSign, type FigureState, Figures, type ReadFigure } from './figures.js';

/** From the worst on. */
export const STATUS_ORDER = ['failed', 'behind', 'waits', 'fine'] as const;
export type StatusState = FigureState | 'fine';

/** One thing that is looked at, and how it stands. Counts and ages only: no account's data. */
interface StatusLine {
  state: StatusState;
  /** A noun phrase. */
  what: string;
  /** A count, or seconds; null: it could not be read. */
  value: number | null;
  /** The value as people read it: `3`, `2 h 5 min`. */
  shown: string;
  /** A command, a call or a page of docs; null: there is nothing to do. */
  next: string | null;
  /** The metric, with its label where it has one. */
  metric: string;
}

/** How the installation stands, the worst first. */
export interface StatusReport {
  /** RFC 3339. */
  at: string;
  version: string;
  /** It takes no changes by its configuration. */
  readOnly: boolean;
  state: StatusState;
  lines: StatusLine[];
}

const UNREADABLE = 'docs/runbook.md#figures-unreadable; the log says why';

/** Tells people what waits, what failed, what is behind, and the next step for each. */
@Injectable()
export class ServiceStatus {
  constructor(
    private readonly figures: Figures,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async report(): Promise<StatusReport> {
    const read = await this.figures.read();
    const lines = read.flatMap(linesOf).toSorted((one, other) => rank(one) - rank(other));
    return {
      at: this.clock.serverNow().toISOString(),
      version: await ownVersion(),
      readOnly: this.config.readOnly,
      state: lines[0]?.state ?? 'fine',
      lines,
    };
  }
}

const rank = ({ state }: StatusLine) => STATUS_ORDER.indexOf(state);

function linesOf({ definition, values }: ReadFigure): StatusLine[] {
  const { name, label, signs = [] } = definition;
  if (!values) {
    const what = signs[0]?.says ?? definition.help.replace(/\.$/, '');
    const unread = { state: 'failed', value: null, shown: 'could not be read' } as const;
    return [{ ...unread, what, next: UNREADABLE, metric: name }];
  }
  return signs.flatMap((sign) => {
    const found = Object.entries(values)
      .filter(([of]) => label === undefined || (sign.of ?? of) === of)
      .map(([of, value]): StatusLine => {
        const { state, next, what } = judged(sign, value, label === undefined ? undefined : of);
        const metric = label === undefined ? name : `${name}{${label}="${of}"}`;
        return {
          state,
          what,
          value: Number.isFinite(value) ? value : null,
          shown: shownValue(name, value),
          next,
          metric,
        };
      });
    // Of many that are alike, nobody wants to read that each is fine.
    const bad = found.filter(({ state }) => state !== 'fine');
    if (sign.of !== undefined || label === undefined) return found;
    if (bad.length > 0) return bad;
    const fine = { state: 'fine', what: sign.says, value: 0, shown: 'none', next: null } as const;
    return [{ ...fine, metric: name }];
  });
}

function judged({ of, state, above = 0, says, next }: FigureSign, value: number, label?: string) {
  const what = label === undefined || of !== undefined ? says : `${says}, ${label}`;
  return value > above
    ? ({ state, what, next } as const)
    : ({ state: 'fine', what, next: null } as const);
}

function shownValue(name: string, value: number): string {
  if (!Number.isFinite(value)) return 'never';
  if (value < 0) return 'not known yet';
  return name.endsWith('_seconds') ? shownDuration(value) : `${value}`;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** `2 h 5 min`: the two largest units. */
export function shownDuration(seconds: number): string {
  let left = Math.round(seconds);
  const parts = UNITS.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return { unit, count };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  if (first < 0) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => `${count} ${unit}`)
    .join(' ');
}
