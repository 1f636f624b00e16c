import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { isatty } from 'node:tty';

/** The lines that wait for a reader that does not read: a few thousand. */
const LIMIT_BYTES = 1024 * 1024;
const CHUNK_BYTES = 65_536;
const RETRY_MS = 50;

/**
 * Lines to standard output or standard error that never wait for whoever reads them. Lines wait in
 * a bounded queue; what does not fit, or cannot be written, is lost and counted.
 */
export class Output {
  readonly isTerminal: boolean;
  /** Lines that were lost so far. */
  lost = 0;
  /** Called when writing works again, with the lines that were lost since the last time. */
  onRecovery?: (lost: number) => void;

  private readonly fd: number;
  private told = 0;
  private queue: string[] = [];
  private queuedBytes = 0;
  /** The rest of what is being written. */
  private chunk: Buffer | undefined;
  private isWriting = false;
  /** A line was cut off: the next one begins with its end. */
  private isCut = false;
  private retry: NodeJS.Timeout | undefined;
  private onEmpty: (() => void) | undefined;

  constructor(fd: 1 | 2) {
    this.isTerminal = isatty(fd);
    this.fd = withoutWaiting(fd);
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.queuedBytes + bytes > LIMIT_BYTES) {
      this.lost += 1;
      return;
    }
    this.queue.push(line);
    this.queuedBytes += bytes;
    this.next();
  }

  /** For what writes text of its own: `console`, a library. */
  asStream(): Writable {
    return new Writable({
      decodeStrings: false,
      write: (text: string | Buffer, _encoding, done) => {
        this.write(text.toString());
        done();
      },
    });
  }

  /** Resolves when everything is written, or when it takes too long. */
  async flushed(milliseconds: number): Promise<void> {
    if (this.isEmpty()) return;
    await new Promise<void>((resolve) => {
      const patience = setTimeout(resolve, milliseconds);
      this.onEmpty = () => {
        clearTimeout(patience);
        resolve();
      };
    });
  }

  /** Writes at once what can be written, for a process that ends now. */
  flushNow(): void {
    try {
      // A write under way in a thread is left to it.
      if (this.isWriting) return;
      while (this.take()) {
        const rest = this.chunk ?? Buffer.alloc(0);
        this.chunk = rest.subarray(writeSync(this.fd, rest));
      }
    } catch {
      // Nobody is left to be told.
    }
  }

  private next(): void {
    if (this.isWriting || this.retry || !this.take()) return;
    const chunk = this.chunk ?? Buffer.alloc(0);
    this.isWriting = true;
    write(this.fd, chunk, (error, written) => {
      this.isWriting = false;
      if (error) this.failed(error, chunk);
      else this.wrote(chunk, written);
      this.next();
    });
  }

  /** Whether there is something to write: the rest of a chunk, or as many lines as make a chunk. */
  private take(): boolean {
    if (this.chunk?.length) return true;
    if (this.queue.length === 0) return false;
    let bytes = 0;
    let lines = 0;
    while (lines < this.queue.length && (lines === 0 || bytes < CHUNK_BYTES)) {
      bytes += Buffer.byteLength(this.queue[lines] ?? '');
      lines += 1;
    }
    const text = this.queue.splice(0, lines).join('');
    this.chunk = Buffer.from(this.isCut ? `\n${text}` : text);
    this.queuedBytes -= bytes;
    this.isCut = false;
    return true;
  }

  private wrote(chunk: Buffer, bytes: number): void {
    this.chunk = chunk.subarray(bytes);
    if (this.chunk.length > 0 || this.queue.length > 0) return;
    const lost = this.lost - this.told;
    this.told = this.lost;
    if (lost > 0) this.onRecovery?.(lost);
    if (this.isEmpty()) this.onEmpty?.();
  }

  private failed(error: NodeJS.ErrnoException, chunk: Buffer): void {
    if (error.code === 'EAGAIN') {
      // The reader is slow or stopped. This keeps no process alive that has nothing else to do.
      this.retry = setTimeout(() => {
        this.retry = undefined;
        this.next();
      }, RETRY_MS).unref();
      return;
    }
    // No space, no reader: these lines are lost, and the next ones find out whether it lasts.
    this.lost += chunk.filter((byte) => byte === NEWLINE).length;
    this.isCut = true;
    this.chunk = undefined;
    if (this.isEmpty()) this.onEmpty?.();
  }

  private isEmpty(): boolean {
    return !this.chunk?.length && this.queue.length === 0;
  }
}

const NEWLINE = 0x0a;

/**
 * A descriptor whose writes do not wait. It is opened anew, so that other processes that share ours
 * keep theirs as it is. A file is left as it is, because a new descriptor would write over it.
 */
function withoutWaiting(fd: 1 | 2): number {
  try {
    if (fstatSync(fd).isFile()) return fd;
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // A socket, or another user's pipe: Node's own stream makes it one that does not wait.
    void (fd === 1 ? process.stdout : process.stderr);
    return fd;
  }
}
