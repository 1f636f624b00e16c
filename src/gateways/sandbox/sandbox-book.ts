import { link, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errnoOf, orAbsent, fileText, writeWhole, writtenAside } from './sandbox-files.js';
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
    const draft = await writtenAside(this.payments, payment);
    try {
      // Unlike a rename, it refuses a name that is taken.
      await link(draft, join(this.payments, fileOf(payment)));
      return payment;
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
      return (await this.find(payment)) ?? payment;
    } finally {
      await rm(draft);
    }
  }

  async find(named: Named): Promise<SandboxPayment | undefined> {
    const text = await fileText(join(this.payments, fileOf(named)));
    return text === undefined ? undefined : SandboxPayment.parse(JSON.parse(text));
  }

  /** Keeps what is still to be sent of a payment. */
  async plan(named: Named, sendings: readonly SandboxSending[]): Promise<void> {
    const file = join(this.sendings, fileOf(named));
    if (sendings.length === 0) return rm(file, { force: true });
    return writeWhole(this.sendings, fileOf(named), sendings);
  }

  /** The payments of which something is still to be sent. */
  async waiting(): Promise<Named[]> {
    const files = await readdir(this.sendings).catch((error: unknown) => orAbsent(error, []));
    return files.flatMap((file) => {
      const [gateway, linkId, ending] = file.split('.');
      return gateway && linkId && ending === 'json' ? [{ gateway, linkId }] : [];
    });
  }

  async sendingsOf(named: Named): Promise<SandboxSending[]> {
    const text = await fileText(join(this.sendings, fileOf(named)));
    return text === undefined ? [] : z.array(SandboxSending).parse(JSON.parse(text));
  }
}

/** Neither the name of a gateway nor an id has a dot. */
function fileOf({ gateway, linkId }: Named): string {
  return `${gateway}.${linkId}.json`;
}
