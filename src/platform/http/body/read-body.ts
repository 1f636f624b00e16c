import type { Response } from 'express';
import type { Hold } from './bodies-in-flight.js';
import { HttpProblem } from '../problem.js';
import type { ApiRequest } from '../request.js';
import { RequestRefusal } from '../request-refusals.js';

/**
 * Reads the bytes of a body. Those that Content-Length promises are counted before they come, and
 * chunks without a length when they come.
 */
export function readBody(
  request: ApiRequest,
  response: Response,
  mostBytes: number,
  hold: Hold,
): Promise<Buffer> {
  if (request.destroyed) throw brokenOff();
  const promised = Number(request.headers['content-length'] ?? 0);
  if (promised > mostBytes) throw tooLarge();
  hold.take(promised);
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      try {
        if (length > mostBytes) throw tooLarge();
        if (length > promised) hold.take(chunk.length);
      } catch (error) {
        finish();
        // The rest is not read: the answer closes the connection.
        request.pause();
        reject(error as Error);
      }
    };
    const end = () => {
      finish();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length));
    };
    const breakOff = () => {
      finish();
      reject(brokenOff());
    };
    const finish = () => {
      request.off('data', take).off('end', end).off('close', breakOff);
    };
    request.on('data', take).on('end', end).on('close', breakOff);
  });
}

function tooLarge(): HttpProblem {
  return RequestRefusal.body_too_large.of();
}

function brokenOff(): HttpProblem {
  return RequestRefusal.malformed_request.of();
}
