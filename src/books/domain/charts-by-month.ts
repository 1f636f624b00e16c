import type { IsoDate } from '../../kernel/clock.js';
import {
  chartOf,
  type ChartOfAccounts,
  type ChartSettings,
  NO_CHART_SETTINGS,
} from './chart-of-accounts.js';
import { closingOn, monthsOf, type PeriodClosing } from './period.js';

/** The charts of an account: a closed month keeps the one that it was closed with. */
export class ChartsByMonth {
  private readonly charts = new Map<number, ChartOfAccounts>();

  /** @param versions in their order, without the first one, which says nothing */
  constructor(
    private readonly versions: readonly ChartSettings[],
    private readonly openFrom: IsoDate,
    private readonly closings: readonly PeriodClosing[],
  ) {}

  get current(): ChartSettings {
    return this.versions.at(-1) ?? NO_CHART_SETTINGS;
  }

  on(day: IsoDate): ChartOfAccounts {
    const closing = closingOn(day, this.openFrom, this.closings);
    const settings = closing ? this.keptBy(closing) : this.current;
    const known = this.charts.get(settings.version);
    if (known) return known;
    const chart = chartOf(settings);
    this.charts.set(settings.version, chart);
    return chart;
  }

  /** One for each month of these days. */
  within(from: IsoDate, to: IsoDate): ChartOfAccounts[] {
    return monthsOf({ from, to }).map((month) => this.on(month.from));
  }

  /** A closing from before anything was said of the chart has the first one that is. */
  private keptBy({ chartVersion }: PeriodClosing): ChartSettings {
    const [first = NO_CHART_SETTINGS] = this.versions;
    return this.versions.find(({ version }) => version === chartVersion) ?? first;
  }
}
