import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { publicId, type Uuid, uuidOf } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { Log } from '../../platform/observability/log.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { within } from '../../platform/within.js';
import type { KeptSeal } from '../domain/kept-seal.js';
import type { SealHead } from './seals.repository.js';

/** A network disk may never answer; the seals go on. */
const PATIENCE_MS = 5000;
const LINES_AT_ONCE = 5000;

const Line = z.object({
  account: z.string(),
  sequence: z.int().positive(),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
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
   * The heads that could not be written yet: of each account the newest, which covers those before.
   */
  private readonly waiting = new Map<Uuid, SealHead>();
  private writing?: Promise<void>;

  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  /** Appends heads, and those that could not be written before. Never fails, never waits for long. */
  async keep(heads: readonly SealHead[]): Promise<void> {
    const path = this.config.sealHeadsFile;
    if (path === null) return;
    for (const head of heads) this.waiting.set(head.accountId, head);
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
    const lines = heads.map(({ accountId, sequence, digest, sealedAt }) =>
      JSON.stringify({
        account: publicId('acc', accountId),
        sequence: Number(sequence),
        digest,
        sealed_at: sealedAt.toISOString(),
      }),
    );
    await append(path, lines);
    for (const head of heads) {
      if (this.waiting.get(head.accountId) === head) this.waiting.delete(head.accountId);
    }
  }

  /** Lines for heads that the database lost, and that are no difference from now on. */
  async acceptLoss(lost: readonly KeptSeal[], at: Date): Promise<void> {
    const path = this.config.sealHeadsFile;
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
      const digest = lostHeadIn(line);
      if (digest) digests.add(digest);
    }
    return digests;
  }

  /**
   * The heads that the file has, some thousand at a time; none where there is no file. Lines that
   * are no heads prove nothing and are passed over.
   */
  async *kept(ofAccount: Uuid | null): AsyncGenerator<KeptSeal[]> {
    let heads: KeptSeal[] = [];
    for await (const line of this.lines()) {
      const head = headIn(line);
      if (!head || (ofAccount !== null && head.accountId !== ofAccount)) continue;
      heads.push(head);
      if (heads.length < LINES_AT_ONCE) continue;
      yield heads;
      heads = [];
    }
    yield heads;
  }

  private async *lines(): AsyncGenerator<string> {
    const path = this.config.sealHeadsFile;
    if (path === null) return;
    // Without waiting for whoever writes, where it is a pipe.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK;
    const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
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

/** Null: the line is no head, or says that one was lost. */
export function headIn(text: string): KeptSeal | null {
  const line = lineIn(text);
  const accountId = line && uuidOf('acc', line.account);
  return line && accountId && line.lost_accepted_at === undefined
    ? { accountId, sequence: BigInt(line.sequence), digest: line.digest }
    : null;
}

/** The digest of a head whose loss a line accepts. */
export function lostHeadIn(text: string): string | undefined {
  const line = lineIn(text);
  return line?.lost_accepted_at === undefined ? undefined : line.digest;
}

function lineIn(text: string): z.infer<typeof Line> | null {
  try {
    return Line.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
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
