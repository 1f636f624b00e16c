import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { publicId, type Uuid, uuidOf } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { Log } from '../../platform/observability/log.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { within } from '../../platform/within.js';
import type { KeptErasure, KeptNumber, KeptSeal } from '../domain/kept-seal.js';
import type { KeptHead } from './seals.repository.js';

/** A network disk may never answer; the seals go on. */
const PATIENCE_MS = 5000;
const LINES_AT_ONCE = 5000;

const Line = z.object({
  account: z.string(),
  sequence: z.int().positive(),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /** The last that its rows gave, of each series and period. */
  numbers: z
    .array(z.object({ series: z.string(), period: z.string(), last: z.int().positive() }))
    .optional(),
  /** Customers who were erased. */
  erased: z.array(z.string()).optional(),
  /** Somebody knows that the database lost it. */
  lost_accepted_at: z.string().optional(),
});

/**
 * The heads of all chains outside of the database, where its owner cannot rewrite them: one JSON
 * object a line, only ever appended. Processes may share the file.
 */
@Injectable()
export class SealHeadsFile {
  /**
   * The heads that could not be written yet: of each account the newest, which covers those before, and
   * the numbers and erasures of all.
   */
  private readonly waiting = new Map<Uuid, KeptHead>();
  private writing?: Promise<void>;

  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  get path(): string | null {
    return this.config.sealHeadsFile;
  }

  /** Appends heads, and those that could not be written before. Never fails, never waits for long. */
  async keep(heads: readonly KeptHead[]): Promise<void> {
    const { path } = this;
    if (path === null) return;
    for (const head of heads) {
      const before = this.waiting.get(head.accountId);
      const numbers = lastOf([...(before?.numbers ?? []), ...head.numbers]);
      const erased = [...(before?.erased ?? []), ...head.erased];
      this.waiting.set(head.accountId, { ...head, numbers, erased });
    }
    if (this.waiting.size === 0) return;
    try {
      this.writing ??= this.write(path).finally(() => (this.writing = undefined));
      await within(PATIENCE_MS, 'writing', this.writing);
    } catch (error) {
      this.metrics.countUnwrittenHeads();
      this.log.warn({ error, path, heads: this.waiting.size }, 'heads of seals were not written');
    }
  }

  private async write(path: string): Promise<void> {
    const heads = [...this.waiting.values()];
    const lines = heads.map(({ accountId, sequence, digest, sealedAt, numbers, erased }) =>
      JSON.stringify({
        account: publicId('acc', accountId),
        sequence: Number(sequence),
        digest,
        sealed_at: sealedAt.toISOString(),
        ...(numbers.length > 0 && {
          numbers: numbers.map((one) => ({
            series: one.series,
            period: one.period,
            last: Number(one.sequence),
          })),
        }),
        ...(erased.length > 0 && { erased }),
      }),
    );
    await append(path, lines);
    for (const head of heads) {
      if (this.waiting.get(head.accountId) === head) this.waiting.delete(head.accountId);
    }
  }

  /** Lines for heads that the database lost, and that are no difference from now on. */
  async acceptLoss(lost: readonly KeptSeal[], at: Date): Promise<void> {
    const { path } = this;
    if (path === null || lost.length === 0) return;
    const lines = lost.map(({ accountId, sequence, digest }) =>
      JSON.stringify({
        account: publicId('acc', accountId),
        sequence: Number(sequence),
        digest,
        lost_accepted_at: at.toISOString(),
      }),
    );
    await append(path, lines);
  }

  /** The digests of heads whose loss was accepted. Read where one is missing only. */
  async accepted(): Promise<Set<string>> {
    const digests = new Set<string>();
    for await (const line of this.lines()) {
      const { lost } = readLine(line);
      if (lost !== undefined) digests.add(lost);
    }
    return digests;
  }

  /** All who were erased. @throws Error where the file is not there: nobody would be in it */
  async *erasures(): AsyncGenerator<KeptErasure> {
    for await (const line of this.lines({ isNeeded: true })) yield* readLine(line).erasures;
  }

  /**
   * The heads that the file has, some thousand at a time; none where there is no file. Lines that
   * are no heads prove nothing and are passed over.
   */
  async *kept(ofAccount: Uuid | null): AsyncGenerator<KeptSeal[]> {
    let heads: KeptSeal[] = [];
    for await (const line of this.lines()) {
      const { head } = readLine(line);
      if (!head || (ofAccount !== null && head.accountId !== ofAccount)) continue;
      heads.push(head);
      if (heads.length < LINES_AT_ONCE) continue;
      yield heads;
      heads = [];
    }
    yield heads;
  }

  private async *lines({ isNeeded = false } = {}): AsyncGenerator<string> {
    const { path } = this;
    if (path === null) return;
    // Without waiting for whoever writes, where it is a pipe.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK;
    const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && !isNeeded) return null;
      throw error;
    });
    if (!file) return;
    try {
      for await (const line of file.readLines()) yield line;
    } finally {
      await file.close();
    }
  }
}

/** One line of the file. */
interface HeadLine {
  /** Null: it says that a head was lost, or is no line of ours. */
  head: KeptSeal | null;
  /** The digest of a head whose loss it accepts. */
  lost?: string;
  /** Those that were given by then. */
  numbers: KeptNumber[];
  erasures: KeptErasure[];
}

const NO_HEAD: HeadLine = { head: null, numbers: [], erasures: [] };

export function readLine(text: string): HeadLine {
  const line = lineIn(text);
  if (line?.lost_accepted_at !== undefined) return { ...NO_HEAD, lost: line.digest };
  const accountId = line && uuidOf('acc', line.account);
  if (!line || !accountId) return NO_HEAD;
  const { digest, numbers = [], erased = [] } = line;
  return {
    head: { accountId, sequence: BigInt(line.sequence), digest },
    numbers: numbers.map(({ last, ...of }) => ({ accountId, ...of, sequence: BigInt(last) })),
    erasures: erased.flatMap((id) => {
      const customerId = uuidOf('cus', id);
      return customerId ? [{ accountId, customerId }] : [];
    }),
  };
}

function lineIn(text: string): z.infer<typeof Line> | null {
  try {
    return Line.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Of each series and period; the later ones are higher. */
function lastOf(numbers: readonly KeptNumber[]): KeptNumber[] {
  return [...new Map(numbers.map((one) => [`${one.series} ${one.period}`, one])).values()];
}

async function append(path: string, lines: readonly string[]): Promise<void> {
  const file = await open(path, 'a+', 0o640);
  try {
    // A line that a full disk cut off stays a line of its own.
    await file.appendFile(`${(await endsInLine(file)) ? '' : '\n'}${lines.join('\n')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function endsInLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 0x0a;
}
