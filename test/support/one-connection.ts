import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import type { TestService } from './service.js';

// A transaction that wants a second connection stands still when all are held by those who wait for
// its locks. So no test may see one.

type Work = (tx: object) => Promise<unknown>;
type Attempt = (work: Work, ...rest: unknown[]) => Promise<unknown>;

/** Whether the work that is done here holds a connection. */
const holds = new AsyncLocalStorage<() => boolean>();
const second = new Set<string>();

const prototype = UnitOfWork.prototype as unknown as Record<'attempt', Attempt>;
const { attempt } = prototype;
prototype.attempt = async function attemptWatched(this: UnitOfWork, work, ...rest) {
  const watched: Work = async (tx) =>
    holds.run(
      () => (tx as { begun: boolean }).begun,
      async () => work(tx),
    );
  return attempt.call(this, watched, ...rest);
};

/** Notes where a transaction of the service asks for another connection. */
export function watchConnections({ app }: Pick<TestService, 'app'>): void {
  const { master } = app.get(DataSource).driver as unknown as {
    master: { connect(...given: unknown[]): unknown };
  };
  const connect = master.connect.bind(master);
  master.connect = (...given) => {
    if (holds.getStore()?.()) second.add(placeOf(new Error('second').stack ?? ''));
    return connect(...given);
  };
}

/** @throws Error where one has, since the last call */
export function expectOneConnection(): void {
  const places = [...second];
  second.clear();
  if (places.length === 0) return;
  throw new Error(
    `A transaction took a second connection; read through its \`tx\`:\n${places.join('\n')}`,
  );
}

const placeOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => line.includes('/src/') && !line.includes('/platform/database/'))
    .slice(0, 4)
    .map((line) => line.trim())
    .join('\n  ');
