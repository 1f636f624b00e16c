import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { AuditLog } from '../auth/index.js';
import { NO_ACCOUNT, uuidOf } from '../kernel/ids.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { byOperator } from '../platform/process-identity.js';

/** These change nothing. Every other command is in the audit log, as `cli.<command>`. */
const READING = new Set([
  'account.list',
  'audit',
  'client.list',
  'doctor',
  'erasures.lost',
  'gateway-events',
  'gateway-events.show',
  'integrity',
  'receipts',
  'upgrade',
]);

/** They take the database as it is, and nothing that an extension brings. */
const COPYING = new Set([
  'archive.verify',
  'archive.write',
  'backup',
  'database-url',
  'restore',
  'restored',
  'backups.key',
  'backups.list',
  'backups.verify',
  'backups.send',
  'backups.fetch',
  'files.move',
  'files.verify',
  'files.prune',
]);

/** They talk to a service as an integration does: it tells of them itself. */
const REMOTE = new Set(['events', 'listen', 'mcp', 'migrate-from', 'status', 'trigger']);

/** They tell of the commands alone. */
const TELLING = new Set(['completion']);

/** An operator whose extension is broken still saves, checks and reads the books. */
export function needsExtensions(command: Command): boolean {
  const name = commandName(command);
  return !READING.has(name) && !COPYING.has(name) && !REMOTE.has(name) && !TELLING.has(name);
}

/** Of what it changed, entries and events tell; this one says who called it, and how. */
export async function recordCommand(app: INestApplicationContext, command: Command): Promise<void> {
  const name = commandName(command);
  if (READING.has(name)) return;
  const { json: _, ...options } = command.opts<{ account?: string; json?: boolean }>();
  const accountId = (options.account && uuidOf('acc', options.account)) ?? NO_ACCOUNT;
  const { args } = command;
  await app.get(UnitOfWork).run(async (tx) =>
    app.get(AuditLog).record(tx, byOperator(accountId), {
      action: `cli.${name}`,
      subject: null,
      before: null,
      after: { ...(args.length > 0 && { arguments: args }), ...options },
    }),
  );
}

/** `bank-statements.import` */
export function commandName(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${commandName(parent)}.${command.name()}` : command.name();
}
