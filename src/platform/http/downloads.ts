import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { create as contentDisposition } from 'content-disposition';
import type { Response } from 'express';
import { DomainError } from '../../kernel/domain-error.js';
import { FairQueue, type QueueStanding } from '../fair-queue.js';
import { Log } from '../observability/log.js';
import type { ApiRequest } from './request.js';
import { toWindows1252 } from './windows-1252.js';
import { RequestRefusal } from './request-refusals.js';

/** Each holds a connection to the database for as long as its client reads. */
const MOST_AT_ONCE = 4;
/** The most of one account, so that another account finds room. */
const MOST_OF_ONE = 2;

export interface Download {
  type: 'text/csv' | 'application/json' | 'application/x-ndjson' | 'text/html';
  /** Default: `utf-8`. */
  charset?: 'windows-1252';
  /** Name to save it by; absent: it is shown. */
  fileName?: string;
  /** The content security policy of a page, which is shown and not saved. */
  policy?: string;
  /** A chunk is made when the one before it is on its way. */
  chunks: AsyncGenerator<string, void>;
}

/** Answers that are made while they are sent, as fast as the client takes them. */
@Injectable()
export class Downloads {
  /** It is less than the database allows an idle transaction. */
  protected readonly chunkTakenWithinMs: number = 20_000;
  private readonly places = new FairQueue({
    places: MOST_AT_ONCE,
    each: MOST_OF_ONE,
    waiting: 0,
    refusal: busy,
  });

  constructor(private readonly log: Log) {}

  get standing(): QueueStanding {
    return this.places.standing;
  }

  /**
   * An error before the first chunk is an ordinary problem. After it the connection breaks, so that
   * nobody takes a part for the whole.
   */
  async send(request: ApiRequest, response: Response, download: Download): Promise<void> {
    const { chunks, type, fileName, charset = 'utf-8', policy } = download;
    const owner = request.user?.accountId ?? '';
    await this.places.enter(owner);
    try {
      const first = request.method === 'HEAD' ? undefined : await chunks.next();
      response.set({
        'Content-Type': `${type}; charset=${charset}`,
        ...(fileName && {
          'Content-Disposition': contentDisposition(fileName, {
            type: policy ? 'inline' : 'attachment',
          }),
        }),
        ...(policy && { 'Content-Security-Policy': policy }),
      });
      if (first === undefined) response.end();
      else await this.pipe(request, response, encoded(restOf(first, chunks), charset));
    } finally {
      await chunks.return();
      this.places.leave(owner);
    }
  }

  private async pipe(
    request: ApiRequest,
    response: Response,
    chunks: AsyncIterable<string | Buffer>,
  ): Promise<void> {
    const watched = takenInTime(chunks, this.chunkTakenWithinMs, () => response.destroy());
    try {
      // The next page is read while this one leaves. If it fails, the connection breaks.
      await pipeline(Readable.from(watched, { highWaterMark: 1 }), response);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The client went away, or was too slow.
      if (code === 'ERR_STREAM_PREMATURE_CLOSE') return;
      this.log.error({ request_id: request.id, error }, 'a download broke');
    }
  }
}

async function* restOf(
  first: IteratorResult<string, void>,
  chunks: AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  if (first.done) return;
  yield first.value;
  yield* chunks;
}

async function* encoded(
  chunks: AsyncIterable<string>,
  charset: 'utf-8' | 'windows-1252',
): AsyncGenerator<string | Buffer, void> {
  for await (const chunk of chunks) yield charset === 'utf-8' ? chunk : toWindows1252(chunk);
}

async function* takenInTime(
  chunks: AsyncIterable<string | Buffer>,
  withinMs: number,
  giveUp: () => void,
): AsyncGenerator<string | Buffer, void> {
  for await (const chunk of chunks) {
    const timer = setTimeout(giveUp, withinMs);
    try {
      yield chunk;
    } finally {
      clearTimeout(timer);
    }
  }
}

function busy(): DomainError {
  return RequestRefusal.export_busy.later(
    5,
    `At most ${MOST_OF_ONE} exports of an account run at once; ask again in a moment.`,
  );
}
