import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { DUE_WORK, type DueWorkName } from '../domain/due-work-names.js';

/**
 * All that is due then: of an account with a test clock; or, for null, of all that go by the server's.
 * @returns how much it was
 */
type Round = (accountId: Uuid | null, now: Date) => Promise<number>;

/** Work whose day has come: of jobs, and of calls that move a clock. */
@Injectable()
export class DueWork {
  private readonly rounds = new Map<DueWorkName, Round>();

  constructor(private readonly clock: Clock) {}

  add(name: DueWorkName, round: Round): void {
    this.rounds.set(name, round);
  }

  /** A round of a job. */
  async ofAll(name: DueWorkName): Promise<number> {
    let count = await this.do(name, null);
    for (const accountId of this.clock.accountsWithOwn()) {
      count += await this.clock.inTimeOf(accountId, () => this.do(name, accountId));
    }
    return count;
  }

  /** All of an account with a test clock, in the order of the names. */
  async of(accountId: Uuid): Promise<{ work: DueWorkName; count: number }[]> {
    const done = [];
    for (const work of DUE_WORK) {
      const count = await this.clock.inTimeOf(accountId, () => this.do(work, accountId));
      if (count > 0) done.push({ work, count });
    }
    return done;
  }

  private async do(name: DueWorkName, accountId: Uuid | null): Promise<number> {
    return (await this.rounds.get(name)?.(accountId, this.clock.now())) ?? 0;
  }
}
