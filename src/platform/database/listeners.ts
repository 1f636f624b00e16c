import type { Tx } from './tx.js';

/**
 * Modules that add their own writes to the transaction in which something happens. If one throws,
 * nothing of the transaction is there. Work that takes time goes by events, after the commit.
 */
export class Listeners<Happened> {
  private readonly all: ((tx: Tx, happened: Happened) => void)[] = [];

  add(listener: (tx: Tx, happened: Happened) => void): void {
    this.all.push(listener);
  }

  /** @throws Error where a listener is asynchronous: the commit would not wait for its writes */
  tell(tx: Tx, happened: Happened): void {
    for (const listener of this.all) {
      const answer: unknown = listener(tx, happened);
      if (answer instanceof Object && 'then' in answer) refuseLate(answer);
    }
  }
}

/** A rejection that nobody looks at would end the process. */
function refuseLate(answer: object): never {
  Promise.resolve(answer).catch(() => undefined);
  throw new Error(
    'A listener of a transaction is asynchronous, so its writes would come after the commit. ' +
      'Queue them with `tx` and return nothing, or follow the events of what happened.',
  );
}
