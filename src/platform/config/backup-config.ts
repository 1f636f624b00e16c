import { join, resolve } from 'node:path';
import type { BackupStoreConfig } from './backup-store-config.js';

/** Backups of the embedded database that are made by themselves. */
export interface BackupConfig {
  /** Absolute path. */
  folder: string;
  /** From one to the next; 0: none are made. */
  hours: number;
  /** The newest ones that stay. */
  kept: number;
  /** S3-compatible storage that they are sent to, too; null: none. */
  store: BackupStoreConfig | null;
}

interface BackupVariables {
  DATABASE_URL?: string | undefined;
  QUITTANCE_BACKUP_DIR?: string | undefined;
  QUITTANCE_BACKUP_HOURS?: number | undefined;
  QUITTANCE_BACKUPS_KEPT: number;
}

const OFF_HOURS = 0;
const DAILY_HOURS = 24;

export function backupConfig(
  variables: BackupVariables,
  {
    production,
    dataDir,
    cwd,
    store,
  }: { production: boolean; dataDir: string; cwd: string; store: BackupStoreConfig | null },
): BackupConfig {
  const { DATABASE_URL: server, QUITTANCE_BACKUP_DIR: folder } = variables;
  const usual = production && server === undefined ? DAILY_HOURS : OFF_HOURS;
  return {
    folder: folder ? resolve(cwd, folder) : join(dataDir, 'backups'),
    hours: variables.QUITTANCE_BACKUP_HOURS ?? usual,
    kept: variables.QUITTANCE_BACKUPS_KEPT,
    store,
  };
}

/** Backups that nobody makes are worse than none that were asked for. */
export function refusedBeside(given: Readonly<Record<string, string | undefined>>): string[] {
  if (!given['DATABASE_URL']) return [];
  return ['QUITTANCE_BACKUP_DIR', 'QUITTANCE_BACKUP_HOURS', 'QUITTANCE_BACKUPS_KEPT']
    .filter((name) => given[name] !== undefined && given[name] !== '0')
    .map(
      (name) =>
        `${name}: is for the embedded database; the server of DATABASE_URL has its own tools, see docs/operations.md#backup.`,
    );
}
