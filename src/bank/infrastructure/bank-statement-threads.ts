import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import type { KeyedBankStatement } from '../domain/bank-statement.js';
import { BankStatementReader, type MappedFile } from '../domain/bank-statement-reader.js';
import type {
  PayoutReport,
  PayoutReportFile,
  PayoutReportReader,
} from '../domain/payouts/payout-report.js';
import type {
  ReadStatement,
  RefusedFile,
  ThreadAnswer,
  ThreadFile,
} from './bank-statement-thread.js';
import { BankRefusal } from '../domain/refusals.js';

/** Beside this file and in its language: compiled, or as the source that tests run. */
const THREAD = new URL(`./bank-statement-thread${extname(import.meta.url)}`, import.meta.url);
const MOST_AT_ONCE = 2;
/** Of all accounts. One has half of the readers, and its place in the queue. */
const MOST_WAITING = 32;
const MOST_OF_ONE_ACCOUNT = 8;
const READ_WITHIN_MS = 20_000;
const LARGEST_HEAP_MB = 384;

interface Job {
  accountId: Uuid;
  file: ThreadFile;
  done: (answer: ThreadAnswer) => void;
  failed: (error: unknown) => void;
}

/**
 * Reads each file in a thread with a limit of time and memory, so that what a file costs is nobody
 * else's. An account has one reader at a time, whatever it sends.
 */
@Injectable()
export class BankStatementThreads
  extends BankStatementReader
  implements PayoutReportReader, OnModuleDestroy
{
  protected readonly readWithinMs: number = READ_WITHIN_MS;
  protected readonly largestHeapMb: number = LARGEST_HEAP_MB;
  private readonly waiting: Job[] = [];
  /** Accounts whose file is being read. */
  private readonly reading = new Set<Uuid>();
  private readonly threads = new Set<Worker>();
  private readonly idle = new Set<Worker>();

  async read(accountId: Uuid, file: MappedFile): Promise<KeyedBankStatement> {
    return revived((await this.answerTo(accountId, file)) as ReadStatement);
  }

  async readPayouts(accountId: Uuid, file: PayoutReportFile): Promise<PayoutReport> {
    return revivedReport((await this.answerTo(accountId, file)) as { report: PayoutReport });
  }

  /** The answer has the form that the format of the file asks for. */
  private async answerTo(accountId: Uuid, file: ThreadFile): Promise<ThreadAnswer> {
    const theirs = this.waiting.filter((job) => job.accountId === accountId).length;
    if (this.waiting.length >= MOST_WAITING || theirs >= MOST_OF_ONE_ACCOUNT) throw busy();
    return new Promise((done, failed) => {
      this.waiting.push({ accountId, file, done, failed });
      this.startNext();
    });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.terminate()));
  }

  /** Starts the first file whose account has no reader; files of one account keep their order. */
  private startNext(): void {
    if (this.reading.size >= MOST_AT_ONCE) return;
    const next = this.waiting.findIndex(({ accountId }) => !this.reading.has(accountId));
    const [job] = next < 0 ? [] : this.waiting.splice(next, 1);
    if (!job) return;
    this.reading.add(job.accountId);
    const finish = () => {
      this.reading.delete(job.accountId);
      this.startNext();
    };
    this.readInThread(job.file).then(job.done, job.failed).finally(finish);
  }

  private async readInThread(file: ThreadFile): Promise<ThreadAnswer> {
    const [thread = this.start()] = this.idle;
    this.idle.delete(thread);
    thread.ref();
    const answer = await this.answerOf(thread, file);
    thread.unref();
    this.idle.add(thread);
    if (!('refusal' in answer)) return answer;
    const { code, detail, context, errors } = answer.refusal;
    throw new DomainError('invalid', code, detail, context, errors);
  }

  private start(): Worker {
    const thread = new Worker(THREAD, {
      // It needs nothing of ours, least of all the secrets in the environment.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: this.largestHeapMb },
    });
    this.threads.add(thread);
    // A caller that waits has a listener of its own; an idle thread is only gone.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      this.threads.delete(thread);
      this.idle.delete(thread);
    });
    return thread;
  }

  /** Rejects when the thread ends without an answer, and ends one that takes too long. */
  private async answerOf(thread: Worker, file: ThreadFile): Promise<ThreadAnswer | RefusedFile> {
    const ended = new AbortController();
    const { signal } = ended;
    const limit = setTimeout(() => {
      ended.abort(tooLarge(`more than ${this.readWithinMs / 1000} s`));
      void thread.terminate();
    }, this.readWithinMs);
    const answer = once(thread, 'message', { signal });
    thread.postMessage(file);
    try {
      const [message] = (await Promise.race([answer, exitOf(thread, signal)])) as [
        ThreadAnswer | RefusedFile,
      ];
      return message;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const isFull = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      throw isFull ? tooLarge(`more than ${this.largestHeapMb} MB of memory`) : error;
    } finally {
      clearTimeout(limit);
      ended.abort();
    }
  }
}

async function exitOf(thread: Worker, signal: AbortSignal): Promise<never> {
  await once(thread, 'exit', { signal });
  throw new Error('the reader of bank statements ended');
}

const money = ({ minor, currency }: Money) => Money.of(minor, currency);

/** Objects lose their classes in the structured clone. */
function revived({ statement, keys }: ReadStatement): KeyedBankStatement {
  return {
    ...statement,
    sections: statement.sections.map((section, index) => ({
      ...section,
      opening: section.opening && { ...section.opening, amount: money(section.opening.amount) },
      closing: section.closing && { ...section.closing, amount: money(section.closing.amount) },
      entries: section.entries.map((one) => ({
        ...one,
        amount: money(one.amount),
        fee: money(one.fee),
        ...(one.batch && { batch: { ...one.batch, amount: money(one.batch.amount) } }),
      })),
      keys: (keys[index] ?? []).map(({ key, batchKey }) => ({
        key: Buffer.from(key, 'hex'),
        batchKey: batchKey === null ? null : Buffer.from(batchKey, 'hex'),
      })),
    })),
  };
}

const sums = <Sums extends { amount: Money; fee: Money }>(one: Sums): Sums => ({
  ...one,
  amount: money(one.amount),
  fee: money(one.fee),
});

function revivedReport({ report }: { report: PayoutReport }): PayoutReport {
  const payouts = report.payouts.map((one) => ({
    ...one,
    told: one.told && sums({ ...one.told, lines: one.told.lines.map(sums) }),
  }));
  return { ...report, payouts };
}

function busy(): DomainError {
  return BankRefusal.statement_busy.later(2);
}

function tooLarge(what: string): DomainError {
  return BankRefusal.statement_too_large.of(`Reading the file takes ${what}; split it.`);
}
