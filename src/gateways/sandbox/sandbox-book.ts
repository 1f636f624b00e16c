import { randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { SandboxPayment, SandboxSending } from './sandbox-outcomes.js';

type Named = Pick<SandboxPayment, 'gateway' | 'linkId'>;

/**
 * The sandbox's own memory, in files of the data folder: a provider knows what it took, whatever
 * becomes of us. All processes of one folder read the same (decision 172).
 */
export class SandboxBook {
  private readonly payments: string;
  private readonly sendings: string;

  constructor(dataDir: string) {
    this.payments = join(dataDir, 'sandbox', 'payments');
    this.sendings = join(dataDir, 'sandbox', 'sendings');
  }

  /** @returns the payment that counts: the first of its link */
  async keep(payment: SandboxPayment): Promise<SandboxPayment> {
    await mkdir(this.payments, { recursive: true, mode: 0o700 });
    const draft = await written(this.payments, payment);
    try {
      // Unlike a rename, it refuses a name that is taken.
      await link(draft, join(this.payments, fileOf(payment)));
      return payment;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      return (await this.find(payment)) ?? payment;
    } finally {
      await rm(draft);
    }
  }

  async find(named: Named): Promise<SandboxPayment | undefined> {
    const text = await textOf(join(this.payments, fileOf(named)));
    return text === undefined ? undefined : SandboxPayment.parse(JSON.parse(text));
  }

  /** Keeps what is still to be sent of a payment. */
  async plan(named: Named, sendings: readonly SandboxSending[]): Promise<void> {
    const file = join(this.sendings, fileOf(named));
    if (sendings.length === 0) return rm(file, { force: true });
    await mkdir(this.sendings, { recursive: true, mode: 0o700 });
    await rename(await written(this.sendings, sendings), file);
  }

  /** The payments of which something is still to be sent. */
  async waiting(): Promise<Named[]> {
    const files = await readdir(this.sendings).catch((error: unknown) => absent(error, []));
    return files.flatMap((file) => {
      const [gateway, linkId, ending] = file.split('.');
      return gateway && linkId && ending === 'json' ? [{ gateway, linkId }] : [];
    });
  }

  async sendingsOf(named: Named): Promise<SandboxSending[]> {
    const text = await textOf(join(this.sendings, fileOf(named)));
    return text === undefined ? [] : z.array(SandboxSending).parse(JSON.parse(text));
  }
}

/** Neither the name of a gateway nor an id has a dot. */
function fileOf({ gateway, linkId }: Named): string {
  return `${gateway}.${linkId}.json`;
}

/** Written aside, so that nobody reads half of it. @returns its path */
async function written(folder: string, content: unknown): Promise<string> {
  const draft = join(folder, `draft-${randomBytes(8).toString('hex')}`);
  await writeFile(draft, JSON.stringify(content, null, 2), { mode: 0o600 });
  return draft;
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => absent(error, undefined));
}

function absent<Nothing>(error: unknown, nothing: Nothing): Nothing {
  if (codeOf(error) === 'ENOENT') return nothing;
  throw error;
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}
