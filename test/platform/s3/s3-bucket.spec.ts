import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { S3Bucket } from '../../../src/platform/s3/s3-bucket.js';
import { clearMemory } from '../../support/memory.js';

// A store that does not do what stores do.

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const NAMES = {
  to: 'TO',
  endpoint: 'ENDPOINT',
  region: 'REGION',
  keyId: 'KEY_ID',
  secret: 'SECRET',
};

async function bucketOf(answer: RequestListener, callMs = 400): Promise<S3Bucket> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return S3Bucket.open(
    {
      bucket: 'bucket',
      prefix: '',
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      keyId: 'A',
      secret: 'B',
      variables: NAMES,
    },
    { callMs, busyMs: [5, 5], againMs: [] },
  );
}

describe('a call of a store', () => {
  it.each([
    ['answers nothing', () => undefined],
    [
      'begins and goes on no more',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('begun');
      },
    ],
    [
      'begins a refusal and goes on no more',
      (_request, response) => {
        response.writeHead(403, { 'content-length': '1000' });
        response.write('<Error>');
      },
    ],
  ] satisfies [string, RequestListener][])(
    'ends in time, also when memory is cleared up, where it %s',
    async (_, answer) => {
      const bucket = await bucketOf(answer);
      const ended = bucket.getWhole('key', 5000).then(
        () => 'answered',
        (error: Error) => error.constructor.name,
      );
      for (let round = 0; round < 3; round += 1) {
        await sleep(50);
        clearMemory();
      }
      expect(await Promise.race([ended, sleep(5000, 'goes on')])).toBe('S3Failure');
    },
  );

  it.each([
    [503, 3],
    [429, 3],
    [403, 1],
    [404, 1],
  ])('is made again after %i as often as its patience says', async (status, calls) => {
    let made = 0;
    const bucket = await bucketOf((_request, response) => {
      made += 1;
      response.writeHead(status).end('<Error><Code>Some</Code></Error>');
    });
    await expect(bucket.getWhole('key', 5000)).rejects.toThrow('Some');
    expect(made).toBe(calls);
  });

  it('has what came in the end', async () => {
    let made = 0;
    const bucket = await bucketOf((_request, response) => {
      made += 1;
      response.writeHead(made === 1 ? 500 : 200).end('bytes');
    });
    expect((await bucket.getWhole('key', 5000)).toString()).toBe('bytes');
  });
});
