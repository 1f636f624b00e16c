import type { Progress } from '../../../kernel/progress.js';
import { ownVersion } from '../../own-version.js';
import type { Config } from '../../config/config.js';
import { recordOperator } from '../operator-entry.js';
import { clientFor } from '../servers/server-client.js';
import { backUp } from './backup.js';
import type { BackupManifest } from './backup-manifest.js';

/**
 * A backup that the audit log names before it is made: so whatever is restored says by its last
 * entries that it is a copy.
 */
export async function recordedBackup(
  { dataDir, cacheDir, backups }: Pick<Config, 'dataDir' | 'cacheDir' | 'backups'>,
  action: 'backup.begun' | 'cli.backup',
  ownerUrl: string,
  file: string,
  progress?: Progress,
): Promise<BackupManifest> {
  const client = clientFor(ownerUrl);
  await client.connect();
  try {
    await recordOperator(client, action, { file });
  } finally {
    await client.end();
  }
  const leaveOut = [cacheDir, backups.folder];
  const quittance = await ownVersion();
  return backUp({ dataDir, file, ownerUrl, leaveOut, quittance, progress });
}
