import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './config-error.js';

/** Secrets that a start outside production makes for itself. */
export interface GeneratedSecrets {
  secret: string;
  /** Secret of each webhook by provider. */
  stripe: string;
  sandbox: string;
  paypalWebhookId: string;
}

/** Reads `secrets.json` of the data folder; makes folder (0700) and file (0600) the first time. */
export async function readOrMakeSecrets(dataDir: string): Promise<GeneratedSecrets> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await chmod(dataDir, 0o700);
  const file = join(dataDir, 'secrets.json');
  const stored = await readFile(file, 'utf8').catch(absent);
  if (stored !== null) return parsed(stored, file);

  const made: GeneratedSecrets = {
    secret: randomBytes(48).toString('base64url'),
    stripe: `whsec_${randomBytes(24).toString('hex')}`,
    sandbox: `whsec_${randomBytes(24).toString('base64')}`,
    paypalWebhookId: randomBytes(9).toString('hex').toUpperCase().slice(0, 17),
  };
  // Written aside and renamed: a crash leaves no half file behind.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
  return made;
}

const Stored = z.object({
  secret: z.string().min(32),
  stripe: z.string().min(1),
  sandbox: z.string().min(1),
  paypalWebhookId: z.string().min(1),
});

/** An empty key would sign for everybody, and the parser's own words would show the text. */
function parsed(text: string, file: string): GeneratedSecrets {
  try {
    return Stored.parse(JSON.parse(text));
  } catch {
    throw new ConfigError(`${file}: is not what was written there; restore or remove it.`);
  }
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
