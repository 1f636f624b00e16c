import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/*
 * Below the ports that the system gives to connections: one of those could be taken again before
 * the service listens on it. Each test file begins anywhere: no connection that an earlier one has
 * kept is then to the same address, and other processes look elsewhere.
 */
const FIRST = 16_384;
const COUNT = 16_384;
let next = randomInt(COUNT);

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
