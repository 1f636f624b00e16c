import { type Command, Option } from 'commander';
import { addDays, dateIn, isCalendarDate, type IsoDate } from '../../kernel/clock.js';
import type { CommandCaller, CommandContext, Json } from '../command-context.js';
import { remoteCommand, type RemoteOptions, RemoteService } from '../remote/remote-service.js';
import { ExportFolder } from './export-folder.js';
import type { ExportSystem } from './export-system.js';
import { MigrationPlan } from './migration-plan.js';
import {
  comparedTotals,
  isTakenWhole,
  type MigrationOutcome,
  migrationText,
  presentMigration,
} from './migration-report.js';
import { openedWith, openingBalance } from './opening.js';
import { PatientService } from './patient-service.js';
import { SYSTEMS } from './systems.js';
import { Takeover } from './takeover.js';

interface MigrationOptions extends RemoteOptions, Json {
  write?: boolean;
  cutOver?: string;
  untaxed: string;
}

const UNTAXED = ['Z', 'E', 'O', 'AE', 'G', 'K'];

/** Comes from another system, over HTTP, as an integration would. */
export function addMigrationCommand(
  program: Command,
  { caller, print, fail }: CommandContext,
): void {
  remoteCommand(
    program
      .command('migrate-from')
      .description('take customers, items, open invoices and credit over from another system'),
  )
    .argument('<system>', SYSTEMS.map(({ name }) => name).join(' | '))
    .argument('<folder>', 'in which its export is')
    .option('--write', 'do it; without it, only tell what would be done and lost')
    .option('--cut-over <day>', 'the first day that is not the old system’s; else today')
    .addOption(
      new Option('--untaxed <category>', 'of lines without tax that do not say why')
        .choices(UNTAXED)
        .default('Z'),
    )
    .option('--json', 'print JSON')
    .action(async (name: string, folder: string, options: MigrationOptions) => {
      const system = SYSTEMS.find((one) => one.name === name);
      if (!system)
        throw new Error(`${name} is none of ${SYSTEMS.map((one) => one.name).join(', ')}`);
      const outcome = await migrated(system, folder, options, caller);
      print(options, presentMigration(outcome), migrationText(outcome));
      if (!isTakenWhole(outcome)) fail();
    });
}

async function migrated(
  system: ExportSystem,
  folder: string,
  options: MigrationOptions,
  caller: CommandCaller,
): Promise<MigrationOutcome> {
  const cutOverSaid = options.cutOver === undefined ? null : dayIn(options.cutOver);
  const service = new PatientService(await RemoteService.of(options, caller));
  const { time_zone: timeZone } = await service.ask<{ time_zone: string }>(
    'GET',
    '/v1/finance/seller',
  );
  const write = options.write ?? false;
  if (write) await assertNoMail(service);
  const cutOver = cutOverSaid ?? dateIn(timeZone, new Date());
  const plan = new MigrationPlan(system.name);
  const reading = { timeZone, untaxed: options.untaxed };
  await system.read(await ExportFolder.of(folder), plan, reading);
  const before = addDays(cutOver, -1);
  const settledAt = instantOn(before, timeZone);
  const terms = { write, cutOver, settledAt, title: system.title };
  const takeover = new Takeover(service, plan, terms);
  await takeover.run();
  const credited = [...plan.credits.values()].map(({ customer }) => customer);
  const customers = new Set(credited.flatMap((one) => takeover.customers.get(one) || []));
  const sums = write
    ? await openedWith(service, before, takeover.documents, customers)
    : takeover.planned;
  return {
    system: system.name,
    cutOver,
    isWritten: write,
    plan,
    takeover,
    totals: comparedTotals(plan.exported, sums),
    opening: write ? await openingBalance(service, cutOver) : null,
  };
}

/** Clients would get all their old invoices, and receipts for what they paid long ago. */
async function assertNoMail(service: PatientService): Promise<void> {
  const settings = await service.ask<Record<string, unknown>>('GET', '/v1/finance/mail-settings');
  const on = ['send_documents', 'send_receipts'].filter((name) => settings[name] === true);
  if (on.length === 0) return;
  throw new Error(
    `Turn ${on.join(' and ')} of the mail settings off until the migration is done: clients would get each old invoice.`,
  );
}

function dayIn(text: string): IsoDate {
  if (isCalendarDate(text)) return text;
  throw new Error('--cut-over: must be a day such as 2026-11-01.');
}

/** An instant that is on the day there: at noon of UTC, some islands have the next one. */
function instantOn(day: IsoDate, timeZone: string): string {
  const noon = `${day}T12:00:00Z`;
  return dateIn(timeZone, new Date(noon)) === day ? noon : `${day}T06:00:00Z`;
}
