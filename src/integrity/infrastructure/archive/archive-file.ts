import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { Progress } from '../../../kernel/progress.js';
import { FileFault } from './archive-fault.js';

/** A row holds one body of a request at most, twice over: as values, and in base64. */
const LONGEST_LINE_BYTES = 67_108_864;

/**
 * The lines of an archive, each as it is read, without its end.
 * @throws FileFault where the file is no whole, undamaged gzip file of lines
 */
export async function* linesOf(path: string, progress?: Progress): AsyncGenerator<Buffer> {
  // Without waiting for whoever writes, where it is a pipe.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const { size } = await file.stat();
  const compressed = file.createReadStream();
  try {
    const gunzip = createGunzip();
    compressed.once('error', (error) => gunzip.destroy(error));
    let begun: Buffer[] = [];
    let length = 0;
    for await (const chunk of compressed.pipe(gunzip) as AsyncIterable<Buffer>) {
      progress?.(compressed.bytesRead, size);
      let from = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
        yield Buffer.concat([...begun, chunk.subarray(from, end)]);
        [begun, length, from] = [[], 0, end + 1];
      }
      const rest = chunk.subarray(from);
      length += rest.length;
      if (length > LONGEST_LINE_BYTES)
        throw new FileFault('a line is longer than any of an archive');
      if (rest.length > 0) begun.push(rest);
    }
    if (length > 0) throw new FileFault('the file is cut off in the middle of a line');
  } catch (error) {
    throw faultOf(error);
  } finally {
    compressed.destroy();
  }
}

/** Those of zlib, by their code: a disk that fails says so itself. */
function faultOf(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return new FileFault('the file is cut off');
  if (!code.startsWith('Z_')) return error;
  return new FileFault(`the file is no gzip file, or is damaged: ${message}`);
}
