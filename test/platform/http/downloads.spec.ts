import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Response } from 'express';
import { Downloads } from '../../../src/platform/http/downloads.js';
import type { ApiRequest } from '../../../src/platform/http/request.js';
import { createLog } from '../../../src/platform/observability/log.js';

class ImpatientDownloads extends Downloads {
  protected override readonly chunkTakenWithinMs = 50;
}

describe('a download', () => {
  it('is broken off, and its source closed, when the client takes nothing for too long', async () => {
    const downloads = new ImpatientDownloads(createLog('silent'));
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) yield 'x'.repeat(1_000_000);
      } finally {
        isClosed = true;
      }
    }
    let ended: Promise<void> | undefined;
    const server = createServer((request, answer) => {
      const response = Object.assign(answer, {
        set: (headers: Record<string, string>) =>
          answer.setHeaders(new Map(Object.entries(headers))),
      }) as unknown as Response;
      const file = { type: 'text/csv', fileName: 'x.csv', chunks: endless() } as const;
      ended = downloads.send(request as unknown as ApiRequest, response, file);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const response = await new Promise<IncomingMessage>((resolve) => {
      get({ port, host: '127.0.0.1', agent: false }, resolve);
    });
    await ended;
    expect(isClosed).toBe(true);
    await expect(response.resume().toArray()).rejects.toThrow(/aborted/);
    server.close();
  });
});
