import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Readiness } from './platform/observability/readiness.js';

const LOOK_EVERY_MS = 100;
/** A client that asks nothing for so long was not about to ask. */
const QUIET_MS = 1000;
const CALM_MS = 20;
/** Another turn of the loop takes microseconds when there is nothing to do. */
const SHORT_TURN_MS = 5;

export interface DrainLimits {
  /** How long it still listens, so that balancers see `/readyz` and go elsewhere. */
  delaySeconds: number;
  /** How long requests under way may take after that. */
  seconds: number;
}

/** Several processes at one port: resolves when all of them have come so far, or no longer matter. */
export type Together = (step: 'calm' | 'closed') => Promise<void>;

interface Kept {
  /** Read when the drain began: more since then is a request, perhaps a part of one. */
  bytesRead: number;
  busyAt: number;
}

/**
 * Stops an HTTP server without a reset. Clients that keep their connection are served until an
 * answer tells them that it is the last one.
 */
export class Drain {
  private readonly sockets = new Map<Socket, Kept>();
  private taken = 0;
  private isHolding = false;

  constructor(
    private readonly app: NestExpressApplication,
    private readonly server: Server,
    private readonly together: Together = async () => undefined,
  ) {
    server.on('connection', (socket) => {
      this.taken += 1;
      this.sockets.set(socket, { bytesRead: 0, busyAt: performance.now() });
      socket.once('close', () => this.sockets.delete(socket));
      // Node lets it flow in the next tick, whatever was said before.
      if (this.isHolding) process.nextTick(() => socket.pause());
    });
  }

  async run({ delaySeconds, seconds }: DrainLimits): Promise<void> {
    this.app.get(Readiness).state = 'stopping';
    this.server.prependListener('request', (_request, answer) => sayGoodbye(answer));
    for (const [socket, kept] of this.sockets) {
      Object.assign(kept, { bytesRead: socket.bytesRead, busyAt: performance.now() });
      sayGoodbye(answerOf(socket));
    }
    if (delaySeconds > 0) await sleep(delaySeconds * 1000);
    const ended = new Promise((resolve) => this.server.once('close', resolve));
    const patience = setTimeout(() => this.server.closeAllConnections(), seconds * 1000);
    await this.stopListening(seconds);
    const quiet = setInterval(() => this.closeQuiet(), LOOK_EVERY_MS);
    try {
      // The application would close connections whose request has come, but has not been read.
      await ended;
    } finally {
      clearInterval(quiet);
      clearTimeout(patience);
    }
    await this.app.close();
  }

  /**
   * The kernel takes connections for us, and resets those that wait when the port closes. So all
   * are taken first; nothing new is read meanwhile, as each answer makes its client connect anew.
   */
  private async stopListening(seconds: number): Promise<void> {
    this.isHolding = true;
    for (const socket of this.sockets.keys()) if (!answerOf(socket)) socket.pause();
    await this.calm(seconds);
    await this.together('calm');
    // That of HTTP would close idle connections, too.
    NetServer.prototype.close.call(this.server);
    await this.together('closed');
    this.isHolding = false;
    for (const socket of this.sockets.keys()) socket.resume();
  }

  /** Nobody comes any more, and nothing is under way that would make somebody come. */
  private async calm(seconds: number): Promise<void> {
    const begun = performance.now();
    let [cameAt, busyAt] = [begun, begun];
    for (let now = begun; now - begun < seconds * 500;) {
      const { taken } = this;
      const isBusy = [...this.sockets.keys()].some(answerOf);
      await (isBusy ? sleep(SHORT_TURN_MS) : nextTurn());
      const turned = performance.now();
      if (this.taken > taken) cameAt = turned;
      if (isBusy || this.taken > taken || turned - now > SHORT_TURN_MS) busyAt = turned;
      now = turned;
      // A few slow requests hold nobody up.
      if (now - busyAt >= CALM_MS || now - cameAt >= QUIET_MS) return;
    }
  }

  /** Node's own `closeIdleConnections` cuts off whoever has not read all of an answer yet. */
  private closeQuiet(): void {
    const now = performance.now();
    for (const [socket, kept] of this.sockets) {
      if (answerOf(socket)) kept.busyAt = now;
      else if (socket.bytesRead === kept.bytesRead && now - kept.busyAt >= QUIET_MS) {
        socket.destroy();
      }
    }
  }
}

/** The answer under way. Node has no public name for it; libraries that end servers use this one. */
function answerOf(socket: Socket): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse })._httpMessage ?? undefined;
}

function sayGoodbye(answer: ServerResponse | undefined): void {
  if (answer && !answer.headersSent) answer.setHeader('Connection', 'close');
}
