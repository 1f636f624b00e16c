import type { Command } from 'commander';
import { HeldSchedules } from '../schedules/index.js';
import type { CommandContext, Json } from './command-context.js';

/** Schedules after a backup was restored: what was made since then would be made again. */
export function addScheduleCommands(program: Command, { withApp, print }: CommandContext): void {
  const schedules = program
    .command('schedules')
    .description('schedules that wait for your word since a backup was restored');
  schedules
    .command('held')
    .description('whether they wait, and how many would make a document now')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      withApp(async (app) => {
        const survey = await app.get(HeldSchedules).survey();
        const state = survey.held ? 'they wait' : 'they do not wait';
        print(options, survey, `${state}; ${survey.due} would make a document now`);
      }),
    );
  schedules
    .command('release')
    .description('let them go on; pause or skip before what was made after the backup')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      withApp(async (app) => {
        await app.get(HeldSchedules).release();
        print(options, { held: false }, 'they go on');
      }),
    );
}
