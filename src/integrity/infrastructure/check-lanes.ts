import { availableParallelism } from 'node:os';
import type pg from 'pg';
import type { Database } from '../../platform/database/database.js';
import { translateDatabaseError } from '../../platform/database/database-error.js';
import type { Lease } from '../../platform/database/servers/connections.js';
import { CheckFailed } from '../domain/check-failed.js';
import type { IntegrityDifference } from '../domain/integrity-run.js';
import { inLongSnapshot } from './long-snapshot.js';

/** Of one run: the work is the processors', and one connection may wait for the disk. */
const MOST_CONNECTIONS = Math.min(8, availableParallelism() + 1);

export interface CheckStep {
  name: string;
  find(client: pg.PoolClient): Promise<IntegrityDifference[]>;
}

/** Makes a check; null: there is no connection for it. @throws CheckFailed */
type Lane = (step: CheckStep) => Promise<IntegrityDifference[] | null>;

/** One connection, and more as long as the pool has enough of them. */
export function lanesOf(database: Database): Lane[] {
  const beside = Array.from({ length: MOST_CONNECTIONS - 1 }, (): Lane => async (step) => {
    const lease = await database.leaseBeside();
    return lease && made(step, lease);
  });
  const first: Lane = async (step) => made(step, await database.lease());
  return [first, ...beside];
}

/** Once it has all that was committed before the check: what is not there cannot be verified. */
export function laneOfReplica(database: Database): Lane {
  return async (step) => {
    let lease: Lease | undefined;
    try {
      return await database.reading(async (lessor) => {
        lease = undefined;
        lease = await lessor([]);
        return inLongSnapshot(lease, step.find);
      });
    } catch (error) {
      // Without a connection it was not tried: the run comes again.
      throw lease ? failure(step, error) : error;
    }
  };
}

async function made(step: CheckStep, lease: Lease): Promise<IntegrityDifference[]> {
  try {
    return await inLongSnapshot(lease, step.find);
  } catch (error) {
    throw failure(step, error);
  }
}

const failure = ({ name }: CheckStep, error: unknown) =>
  new CheckFailed(name, translateDatabaseError(error));

/** In their order, each by the next lane that has time. @returns whether to go on */
export async function makeAll(
  left: CheckStep[],
  lanes: readonly Lane[],
  told: (check: string, found: readonly IntegrityDifference[]) => Promise<boolean>,
): Promise<boolean> {
  let goesOn = true;
  const work = async (lane: Lane) => {
    for (let step = left.shift(); step; step = left.shift()) {
      const found = await lane(step).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
      if (!found) {
        left.unshift(step);
        return;
      }
      if (await told(step.name, found)) continue;
      goesOn = false;
      left.length = 0;
    }
  };
  for (const one of await Promise.allSettled(lanes.map(work))) {
    if (one.status === 'rejected') throw one.reason;
  }
  return goesOn;
}
