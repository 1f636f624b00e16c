import type { Command } from 'commander';
import { type AuditEntryBody, AuditQuery, presentAuditEntry } from '../auth/index.js';
import { prepareGateways } from '../boot.js';
import { headsIn } from './archive-commands.js';
import { accountIn } from './client-commands.js';
import type { CommandContext, Json } from './command-context.js';
import { examine } from './doctor/doctor.js';
import { examineLive } from './doctor/live.js';
import { addUpgrade } from './upgrade-command.js';
import { IntegrityQuery, type KeptSeal, type Loss, LossAcceptance } from '../integrity/index.js';
import { NO_ACCOUNT, publicId } from '../kernel/ids.js';
import { ConfigError } from '../platform/config/config-error.js';
import { migrate } from '../platform/database/migrate.js';

const NOT_FROM_HERE =
  'QUITTANCE_READ_ONLY: nothing is changed from here; run migrate where the service runs that writes.';

export function addUpkeepCommands(program: Command, context: CommandContext): void {
  addMigrate(program, context);
  addUpgrade(program, context);
  addDoctor(program, context);
  addIntegrity(program, context);
  addAudit(program, context);
}

function addMigrate(program: Command, { withDatabase, print, progress }: CommandContext): void {
  program
    .command('migrate')
    .description('bring the database schema up to date')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      withDatabase(async (urls, { readOnly }, installation) => {
        if (readOnly) throw new ConfigError(NOT_FROM_HERE);
        const migrated = await migrate(urls, installation.migrated, progress('migrations'));
        print(options, { migrated }, migrated.join('\n') || 'nothing to do');
      }),
    );
}

function addDoctor(program: Command, { withDatabase, print, fail }: CommandContext): void {
  program
    .command('doctor')
    .description('check database, migrations, Chromium, fonts, gateways and mail')
    .option('--live', 'look at a running installation, too, and at it from outside')
    .option('--json', 'print JSON')
    .action((options: { live?: true } & Json) =>
      withDatabase(async (urls, config, installation) => {
        await prepareGateways(config, installation.providers);
        const look = options.live ? examineLive : examine;
        const findings = await look(config, urls, installation);
        const lines = findings.flatMap(({ ok, warning, check, detail, next }) => [
          `${warning ? 'warn' : ok ? 'ok  ' : 'FAIL'} ${check}: ${detail}`,
          ...(next ? [`     ${next}`] : []),
        ]);
        print(options, { ok: findings.every(({ ok }) => ok), findings }, lines.join('\n'));
        if (findings.some(({ ok }) => !ok)) fail();
      }),
    );
}

type IntegrityOptions = Json & {
  account?: string;
  expectHead?: string[];
  acceptLoss?: true;
};

function addIntegrity(program: Command, { withApp, print, progress, fail }: CommandContext): void {
  program
    .command('integrity')
    .description('derive every balance again and verify the seals; exit 1 on a difference')
    .option('--account <id>', 'of one account only, acc_...')
    .option('--expect-head <seq:digest...>', 'seals that you kept: the chain must still have them')
    .option('--accept-loss', 'what a server that failed has lost is known: sealing goes on')
    .option('--json', 'print JSON')
    .action(async (options: IntegrityOptions) => {
      const accountId = options.account === undefined ? null : accountIn(options.account);
      const kept = keptSeals(accountId, options.expectHead ?? []);
      await withApp(async (app) => {
        if (options.acceptLoss) {
          const losses = await app.get(LossAcceptance).accept();
          const text = losses.map(lossLines).join('\n') || 'no loss is open';
          print(options, { losses: losses.map(presentLoss) }, text);
          return;
        }
        const query = app.get(IntegrityQuery);
        const { checks, sealed, unsealed, ...found } = await query.differences(
          accountId,
          progress('checks'),
        );
        const differences = [...found.differences, ...(await query.lostSeals(kept))];
        const lines = differences.map(
          ({ check, id, stored, derived }) =>
            `${id}: ${check}: stored ${stored}, derived ${derived}`,
        );
        const head = sealed && { sequence: Number(sealed.sequence), digest: sealed.digest };
        const all = { checks, differences, sealed: head, unsealed_rows: Number(unsealed) };
        const seal = head ? `; seal ${head.sequence}: ${head.digest}` : '';
        const none = `${checks} checks, no difference, ${unsealed} rows to be sealed${seal}`;
        print(options, all, lines.join('\n') || none);
        if (differences.length > 0) fail();
      });
    });
}

function addAudit(program: Command, { withApp, print }: CommandContext): void {
  program
    .command('audit')
    .description(
      'changes of settings and who made them, newest first, at most 1000; of every account and of none',
    )
    .option('--account <id>', 'of one account only, acc_...')
    .option('--since <instant>', 'such as 2026-11-20 or 2026-11-20T10:15:00Z')
    .option('--json', 'print JSON')
    .action((options: { account?: string; since?: string } & Json) =>
      withApp(async (app) => {
        const accountId = options.account === undefined ? null : accountIn(options.account);
        const since = { from: options.since === undefined ? undefined : instantIn(options.since) };
        const entries = await app.get(AuditQuery).list(accountId, since, null, 1000);
        const shown = entries.map((entry) => ({
          account_id: entry.accountId === NO_ACCOUNT ? null : publicId('acc', entry.accountId),
          ...presentAuditEntry(entry),
        }));
        print(options, { entries: shown }, shown.map(auditLine).join('\n') || 'none');
      }),
    );
}

function presentLoss({ noticedAt, count, facts, seals }: Loss): object {
  return { noticed_at: noticedAt.toISOString(), fact_count: count, facts, seals };
}

function lossLines({ noticedAt, count, facts, seals }: Loss): string {
  const noticed = `noticed at ${noticedAt.toISOString()}: ${count} facts, ${seals.length} seals`;
  return [noticed, ...facts, ...seals].join('\n  ');
}

/** Seals in a chain: the chain is an account's. */
function keptSeals(accountId: string | null, texts: readonly string[]): KeptSeal[] {
  if (texts.length === 0) return [];
  if (accountId === null)
    throw new Error('--expect-head: name the account of the chain with --account');
  return headsIn(texts).map((head) => ({ accountId, ...head }));
}

function instantIn(text: string): Date {
  const instant = new Date(text);
  if (!Number.isNaN(instant.getTime())) return instant;
  throw new Error(`--since: ${text} is no instant; write it as 2026-11-20T10:15:00Z`);
}

function auditLine(entry: AuditEntryBody): string {
  const { occurred_at, action, subject, actor, address, occurrences, before, after } = entry;
  const who = [actor.id ?? actor.type, address && `from ${address}`].filter(Boolean).join(' ');
  const times = occurrences > 1 ? ` ${occurrences} times` : '';
  const change = before || after ? ` ${JSON.stringify(before)} -> ${JSON.stringify(after)}` : '';
  return `${occurred_at} ${action}${subject ? ` ${subject}` : ''}${times} by ${who}${change}`;
}
