import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Readiness } from './platform/observability/readiness.js';

const IDLE_EVERY_MS = 100;
/** Time for the request of a connection that was opened last. */
const SILENT_MS = 1000;

export interface DrainLimits {
  /** How long it still listens, so that balancers see `/readyz` and go elsewhere. */
  delaySeconds: number;
  /** How long requests under way may take after that. */
  seconds: number;
}

/**
 * Stops an HTTP server without a reset. Clients that keep their connection are served until an
 * answer tells them that it is the last one.
 */
export class Drain {
  private readonly sockets = new Set<Socket>();

  constructor(
    private readonly app: NestExpressApplication,
    private readonly server: Server,
  ) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  async run({ delaySeconds, seconds }: DrainLimits): Promise<void> {
    this.app.get(Readiness).state = 'stopping';
    this.server.prependListener('request', (_request, answer) => sayGoodbye(answer));
    for (const socket of this.sockets) {
      // The answer under way. Node has no public name for it; libraries that end servers use this one.
      sayGoodbye((socket as { _httpMessage?: ServerResponse })._httpMessage);
    }
    if (delaySeconds > 0) await sleep(delaySeconds * 1000);
    const idle = setInterval(() => this.server.closeIdleConnections(), IDLE_EVERY_MS);
    const silent = setTimeout(() => this.closeSilent(), SILENT_MS);
    const patience = setTimeout(() => this.server.closeAllConnections(), seconds * 1000);
    this.server.close();
    try {
      await this.app.close();
    } finally {
      clearInterval(idle);
      clearTimeout(silent);
      clearTimeout(patience);
    }
  }

  /** Node does not count connections as idle that were opened ahead and have sent nothing yet. */
  private closeSilent(): void {
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}

function sayGoodbye(answer: ServerResponse | undefined): void {
  if (answer && !answer.headersSent) answer.setHeader('Connection', 'close');
}
