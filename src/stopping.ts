import cluster from 'node:cluster';

/** A terminal sends SIGINT to all of several processes; the first says when to stop. */
const SIGNALS: readonly NodeJS.Signals[] = cluster.isWorker ? ['SIGTERM'] : ['SIGTERM', 'SIGINT'];

/**
 * A stop is asked for by a signal, from the first moment on, also while the service starts. The
 * first one stops what there is; the second ends the process at once, whichever signals they are.
 */
class Stopping {
  private readonly controller = new AbortController();
  private stopAll = (_why: string): void => process.exit(0);

  /** A start looks at it between its steps. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  listen(): void {
    if (cluster.isWorker) process.on('SIGINT', () => undefined);
    for (const name of SIGNALS) {
      process.on(name, () => {
        if (this.signal.aborted) process.exit(130);
        this.ask(name);
      });
    }
  }

  /** Before that nothing is open, and a process may just end. */
  set by(stopAll: (why: string) => void) {
    this.stopAll = stopAll;
  }

  ask(why: string): void {
    if (this.signal.aborted) return;
    this.controller.abort();
    this.stopAll(why);
  }
}

/** Of this process. */
export const stopping = new Stopping();
