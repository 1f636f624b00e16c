import { z } from 'zod';
import { isPlainHttp } from '../../kernel/plain-http.js';
import { withoutEndSlashes } from '../../kernel/trim-end.js';
import { ConfigError } from './config-error.js';
import { keptPlan, type KeptPlan } from './kept-plan.js';

/** S3-compatible storage that encrypted backups are sent to. */
export interface BackupStoreConfig {
  bucket: string;
  /** Of its objects: empty, or with a slash at its end. */
  prefix: string;
  /** `https://s3.eu-central-1.amazonaws.com`; the bucket is the first part of the path. */
  endpoint: string;
  region: string;
  keyId: string;
  secret: string;
  /** Public keys of age; whoever has the identity of one can read a backup, and nobody else. */
  recipients: readonly string[];
  kept: KeptPlan;
}

const PLACE = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]{0,500}))?$/;
const USUAL_PLAN = '7 daily, 4 weekly, 12 monthly';

/** Variables of the store, for all that the environment may have. */
export const BackupStoreVariables = {
  QUITTANCE_BACKUP_TO: z
    .string()
    .regex(PLACE, 'must be s3://bucket or s3://bucket/prefix')
    .optional(),
  QUITTANCE_BACKUP_S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !isPlainHttp(url), 'must begin with https, unless it is of this machine')
    .transform(withoutEndSlashes)
    .optional(),
  QUITTANCE_BACKUP_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .default('us-east-1'),
  QUITTANCE_BACKUP_S3_KEY_ID: z.string().optional(),
  QUITTANCE_BACKUP_S3_SECRET: z.string().optional(),
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
  const place = PLACE.exec(env.QUITTANCE_BACKUP_TO ?? '');
  const keyId = env.QUITTANCE_BACKUP_S3_KEY_ID;
  const secret = env.QUITTANCE_BACKUP_S3_SECRET;
  const recipients = listOf(env.QUITTANCE_BACKUP_AGE_RECIPIENTS);
  if (!place) return null;
  const missing = [
    ...(keyId ? [] : ['QUITTANCE_BACKUP_S3_KEY_ID']),
    ...(secret ? [] : ['QUITTANCE_BACKUP_S3_SECRET']),
  ].map((name) => `${name}: is missing; QUITTANCE_BACKUP_TO needs it.`);
  if (missing.length > 0) throw new ConfigError(missing.join('\n'));
  await refuseUnreadable(recipients);
  const prefix = withoutEndSlashes(place[2] ?? '');
  const region = env.QUITTANCE_BACKUP_S3_REGION;
  return {
    bucket: place[1] ?? '',
    prefix: prefix && `${prefix}/`,
    endpoint: env.QUITTANCE_BACKUP_S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`,
    region,
    keyId: keyId ?? '',
    secret: secret ?? '',
    recipients,
    kept: env.QUITTANCE_BACKUP_KEEP,
  };
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
