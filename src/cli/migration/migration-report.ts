import type { IsoDate } from '../../kernel/clock.js';
import { Money } from '../../kernel/money.js';
import {
  type CurrencySums,
  type LeftOutRow,
  type MigrationPlan,
  placeText,
} from './migration-plan.js';
import type { Takeover } from './takeover.js';

/** One sum of the export, and the same of the service. */
interface ComparedTotal {
  what: 'open invoices' | 'credit';
  currency: string;
  export: bigint;
  /** After a dry run: what there would be. */
  service: bigint;
}

interface OpeningLine {
  account: string;
  currency: string;
  balance: bigint;
}

export interface MigrationOutcome {
  system: string;
  cutOver: IsoDate;
  isWritten: boolean;
  plan: MigrationPlan;
  takeover: Takeover;
  totals: ComparedTotal[];
  /** Of the whole account; null after a dry run. */
  opening: OpeningLine[] | null;
}

export function comparedTotals(
  exported: MigrationPlan['exported'],
  service: Record<'open' | 'credit', CurrencySums>,
): ComparedTotal[] {
  const compared = (what: ComparedTotal['what'], of: 'open' | 'credit') => {
    const currencies = [...exported[of].all, ...service[of].all].map(([currency]) => currency);
    return [...new Set(currencies)].toSorted().map((currency) => ({
      what,
      currency,
      export: exported[of].of(currency),
      service: service[of].of(currency),
    }));
  };
  return [...compared('open invoices', 'open'), ...compared('credit', 'credit')];
}

const leftOutRows = ({ plan, takeover }: MigrationOutcome): LeftOutRow[] =>
  [...plan.leftOut, ...takeover.leftOut].toSorted((one, other) =>
    one.place.file === other.place.file
      ? one.place.line - other.place.line
      : one.place.file < other.place.file
        ? -1
        : 1,
  );

const isEqual = (total: ComparedTotal) => total.export === total.service;

/** Whether all was taken over that has a place here. */
export const isTakenWhole = (outcome: MigrationOutcome): boolean =>
  leftOutRows(outcome).length === 0 && outcome.totals.every(isEqual);

/** Amounts are decimals as text, which no reader rounds. */
export function presentMigration(outcome: MigrationOutcome): object {
  const { system, cutOver, isWritten, plan, takeover, totals, opening } = outcome;
  return {
    system,
    cut_over: cutOver,
    written: isWritten,
    rows: takeover.counts,
    lost: plan.losses.map(({ what, count, sums }) => ({
      what,
      count,
      sums: sums.all.map(([currency, amount]) => ({ currency, amount: decimal(amount, currency) })),
    })),
    left_out: leftOutRows(outcome).map(({ place, ...row }) => ({ ...place, ...row })),
    totals: totals.map((total) => ({
      what: total.what,
      currency: total.currency,
      export: decimal(total.export, total.currency),
      service: decimal(total.service, total.currency),
      equal: isEqual(total),
    })),
    opening_balance:
      opening?.map(({ account, currency, balance }) => ({
        account,
        currency,
        balance: decimal(balance, currency),
      })) ?? null,
    whole: isTakenWhole(outcome),
  };
}

export function migrationText(outcome: MigrationOutcome): string {
  const { isWritten, takeover, plan, totals, cutOver, opening } = outcome;
  const { counts } = takeover;
  const made = isWritten ? 'made' : 'new';
  const rows = Object.entries(counts).map(([what, { made: fresh, known }]) => [
    what,
    `${fresh}`,
    `${known}`,
  ]);
  const lost = plan.losses.map(({ what, count, sums }) => [
    what,
    `${count}`,
    sums.all.map(([currency, amount]) => `${decimal(amount, currency)} ${currency}`).join(', '),
  ]);
  const leftOut = leftOutRows(outcome).map(({ place, subject, id, reason }) => [
    placeText(place),
    subject,
    id,
    reason,
  ]);
  const sums = totals.map((total) => [
    total.what,
    total.currency,
    decimal(total.export, total.currency),
    decimal(total.service, total.currency),
    isEqual(total) ? 'equal' : 'DIFFERENT',
  ]);
  const parts = [
    tableText('Taken over', ['', made, 'here already'], rows),
    tableText('Has no place here', ['', 'count', 'sums'], lost),
    tableText('Left out', ['line', '', 'id', 'why'], leftOut),
    tableText('Totals', ['', '', 'export', isWritten ? 'service' : 'would be', ''], sums),
    opening &&
      tableText(
        `Opening balance of ${cutOver}`,
        ['account', '', 'debit less credit'],
        opening.map((line) => [line.account, line.currency, decimal(line.balance, line.currency)]),
      ),
    isWritten ? '' : 'A dry run: nothing was written. Run it again with --write.',
  ];
  return parts.filter(Boolean).join('\n\n');
}

const decimal = (amount: bigint, currency: string) => Money.of(amount, currency).toDecimalString();

const AMOUNT = /^-?[\d.]+$/;

/** Columns as wide as their widest cell; amounts stand at the right. */
function tableText(title: string, head: readonly string[], rows: readonly string[][]): string {
  if (rows.length === 0) return `${title}: nothing`;
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  const isRight = head.map((_, at) => rows.every((row) => AMOUNT.test(row[at] ?? '')));
  const lines = all.map((row) =>
    row
      .map((cell, at) =>
        isRight[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return [title, ...lines.map((line) => `  ${line}`)].join('\n');
}
