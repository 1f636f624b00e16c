import { z } from 'zod';
import { ConfigError } from './config-error.js';
import { keptPlan, type KeptPlan } from './kept-plan.js';
import { S3_SHAPES, s3Config, type S3Config, type S3VariableNames } from './s3-config.js';

/** S3-compatible storage that encrypted backups are sent to. */
export interface BackupStoreConfig extends S3Config {
  /** Public keys of age; whoever has the identity of one can read a backup, and nobody else. */
  recipients: readonly string[];
  kept: KeptPlan;
}

const USUAL_PLAN = '7 daily, 4 weekly, 12 monthly';

const NAMES: S3VariableNames = {
  to: 'QUITTANCE_BACKUP_TO',
  endpoint: 'QUITTANCE_BACKUP_S3_ENDPOINT',
  region: 'QUITTANCE_BACKUP_S3_REGION',
  keyId: 'QUITTANCE_BACKUP_S3_KEY_ID',
  secret: 'QUITTANCE_BACKUP_S3_SECRET',
};

/** Variables of the store, for all that the environment may have. */
export const BackupStoreVariables = {
  QUITTANCE_BACKUP_TO: S3_SHAPES.to,
  QUITTANCE_BACKUP_S3_ENDPOINT: S3_SHAPES.endpoint,
  QUITTANCE_BACKUP_S3_REGION: S3_SHAPES.region,
  QUITTANCE_BACKUP_S3_KEY_ID: S3_SHAPES.keyId,
  QUITTANCE_BACKUP_S3_SECRET: S3_SHAPES.secret,
  QUITTANCE_BACKUP_AGE_RECIPIENTS: z.string().optional(),
  QUITTANCE_BACKUP_KEEP: z
    .string()
    .default(USUAL_PLAN)
    .transform((text, context) => {
      const plan = keptPlan(text);
      if (plan) return plan;
      context.addIssue(`must be counts of periods, such as ${USUAL_PLAN}`);
      return z.NEVER;
    }),
};
const Variables = z.object(BackupStoreVariables);
type BackupStoreValues = z.infer<typeof Variables>;

/** For a command that needs the store alone, such as a restore on a new machine. @throws ConfigError */
export async function readBackupStore(
  environment: NodeJS.ProcessEnv,
): Promise<BackupStoreConfig | null> {
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  const { data, error } = Variables.safeParse(Object.fromEntries(given));
  if (!data) {
    const lines = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(lines.join('\n'));
  }
  return backupStore(data);
}

/** @throws ConfigError for what is missing */
export async function backupStore(env: BackupStoreValues): Promise<BackupStoreConfig | null> {
  const values = {
    to: env.QUITTANCE_BACKUP_TO,
    endpoint: env.QUITTANCE_BACKUP_S3_ENDPOINT,
    region: env.QUITTANCE_BACKUP_S3_REGION,
    keyId: env.QUITTANCE_BACKUP_S3_KEY_ID,
    secret: env.QUITTANCE_BACKUP_S3_SECRET,
  };
  const place = s3Config(values, NAMES);
  if (!place) return null;
  const recipients = listOf(env.QUITTANCE_BACKUP_AGE_RECIPIENTS);
  await refuseUnreadable(recipients);
  return { ...place, recipients, kept: env.QUITTANCE_BACKUP_KEEP };
}

/** A backup that is written for a mistyped key is one that nobody can read. */
async function refuseUnreadable(recipients: readonly string[]): Promise<void> {
  if (recipients.length === 0) return;
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new ConfigError(
        'QUITTANCE_BACKUP_AGE_RECIPIENTS: must be public keys of age, age1..., with commas; `backups key` makes one.',
      );
    }
  }
}

const listOf = (text = ''): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
