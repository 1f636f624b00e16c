import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { fileText, writeWhole } from './sandbox-files.js';

/** How a refund ends. `unanswered`: nobody knows, and nobody who asks gets an answer. */
const RefundStanding = z.enum(['succeeded', 'pending', 'failed', 'unanswered']);
export type RefundStanding = z.infer<typeof RefundStanding>;

/** The sandbox's memory of refunds over the API, where somebody told it how they end. */
export class SandboxRefundBook {
  private readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'sandbox', 'refunds');
  }

  /** @param subject a refund; or a payment, whose refunds to come begin so */
  async keep(gateway: string, subject: string, standing: RefundStanding): Promise<void> {
    await writeWhole(this.folder, fileOf(gateway, subject), { standing });
  }

  async find(gateway: string, subject: string): Promise<RefundStanding | undefined> {
    const text = await fileText(join(this.folder, fileOf(gateway, subject)));
    return text === undefined
      ? undefined
      : z.object({ standing: RefundStanding }).parse(JSON.parse(text)).standing;
  }
}

/** A provider's ids are of any characters, so they name no file themselves. */
function fileOf(gateway: string, subject: string): string {
  return `${createHash('sha256').update(`${gateway} ${subject}`).digest('hex')}.json`;
}
