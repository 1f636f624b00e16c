import type { Command } from 'commander';
import type { CommandContext, Json } from './command-context.js';
import { BASELINE_TIMESTAMP } from '../platform/database/data-source.js';
import { pendingMigrations } from '../platform/database/migrate.js';
import {
  LONGEST_LOCK_SECONDS,
  type PlannedMigration,
  upgradePlan,
} from '../platform/database/upgrade/upgrade-plan.js';
import { readOnce } from './doctor/server.js';

/** Tells what `migrate` would do, before it does. */
export function addUpgrade(program: Command, { withDatabase, print, fail }: CommandContext): void {
  program
    .command('upgrade')
    .description('tell what migrations will do here, how long, and what may run beside them')
    .requiredOption('--check', 'change nothing; migrate does what it tells')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      withDatabase(async ({ app }) => {
        const pending = await pendingMigrations(app);
        const isNew = pending.some(({ name }) => name.endsWith(`${BASELINE_TIMESTAMP}`));
        const plan = isNew
          ? []
          : await upgradePlan(pending, async <Row>(text: string) => readOnce<Row>(app, text));
        const longest = Math.max(0, ...plan.flatMap(blockingSeconds));
        const oldMayGoOn = plan.every((one) => one.oldMayGoOn);
        const seconds = plan.reduce((sum, one) => sum + one.seconds, 0);
        const shown = {
          migrations: plan.map(asJson),
          seconds: rounded(seconds),
          longest_lock_seconds: rounded(longest),
          old_processes_may_run: oldMayGoOn,
          new_database: isNew,
        };
        print(options, shown, textOf(plan, { isNew, longest, oldMayGoOn, seconds }));
        if (!oldMayGoOn || longest > LONGEST_LOCK_SECONDS) fail();
      }),
    );
}

const blockingSeconds = ({ tables }: PlannedMigration) =>
  tables.filter((one) => one.isBlocking).map((one) => one.seconds);

function asJson({ name, does, tables, seconds, oldMayGoOn }: PlannedMigration) {
  return {
    name,
    does,
    locks: tables.map((one) => ({
      table: one.table,
      mode: one.mode,
      rows: Math.round(one.rows),
      blocks_writers: one.isBlocking,
      seconds: rounded(one.seconds),
    })),
    seconds: rounded(seconds),
    old_processes_may_run: oldMayGoOn,
  };
}

interface Whole {
  isNew: boolean;
  longest: number;
  oldMayGoOn: boolean;
  seconds: number;
}

function textOf(plan: readonly PlannedMigration[], { isNew, longest, oldMayGoOn, seconds }: Whole) {
  if (isNew) return 'the database is new: migrate makes the schema, and nobody waits';
  if (plan.length === 0) return 'nothing to do';
  const lines = plan.flatMap((one) => [
    `${one.name}: some ${rounded(one.seconds)} s`,
    ...one.does.map((sentence) => `  ${sentence}`),
    ...one.tables
      .filter((held) => held.isBlocking)
      .map(
        (held) =>
          `  ${held.table} (some ${Math.round(held.rows)} rows): writers wait some ${rounded(held.seconds)} s`,
      ),
    ...(one.oldMayGoOn ? [] : ['  stop all processes of the version before']),
  ]);
  const beside = oldMayGoOn
    ? 'processes of the version before may go on beside it'
    : 'stop all processes of the version before, then migrate';
  const total = `${plan.length} migrations, some ${rounded(seconds)} s; the longest lock some ${rounded(longest)} s; ${beside}`;
  return [...lines, total].join('\n');
}

const rounded = (seconds: number) => Math.round(seconds * 100) / 100;
