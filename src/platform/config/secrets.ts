import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './config-error.js';

/** An empty key would sign for everybody. */
const Stored = z.object({ secret: z.string().min(32) }).catchall(z.string().min(1));

/** Secrets that a start outside production makes for itself: `secrets.json` of the data folder. */
export class GeneratedSecrets {
  private constructor(
    private readonly file: string,
    private readonly byName: z.infer<typeof Stored>,
    private isNew: boolean,
  ) {}

  /** Makes the folder (0700) the first time. */
  static async of(dataDir: string): Promise<GeneratedSecrets> {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await chmod(dataDir, 0o700);
    const file = join(dataDir, 'secrets.json');
    const stored = await readFile(file, 'utf8').catch(absent);
    return stored === null
      ? new GeneratedSecrets(file, { secret: randomBytes(48).toString('base64url') }, true)
      : new GeneratedSecrets(file, parsed(stored, file), false);
  }

  /** The service's own. */
  get secret(): string {
    return this.byName.secret;
  }

  /** The one of that name, made where it is not there yet. */
  named(name: string, make: () => string): string {
    const known = this.byName[name];
    if (known !== undefined) return known;
    this.isNew = true;
    return (this.byName[name] = make());
  }

  /** Writes what was made. Written aside and renamed: a crash leaves no half file behind. */
  async keep(): Promise<void> {
    if (!this.isNew) return;
    const draft = `${this.file}.${process.pid}`;
    await writeFile(draft, `${JSON.stringify(this.byName, null, 2)}\n`, { mode: 0o600 });
    await rename(draft, this.file);
    this.isNew = false;
  }
}

/** The parser's own words would show the text. */
function parsed(text: string, file: string): z.infer<typeof Stored> {
  try {
    return Stored.parse(JSON.parse(text));
  } catch {
    throw new ConfigError(`${file}: was changed since it was written; restore or remove it.`);
  }
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
