import { Injectable } from '@nestjs/common';
import { Periods } from '../../books/index.js';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Progress } from '../../kernel/progress.js';
import { ArchiveRepository } from '../infrastructure/archive/archive.repository.js';

/** Years of an account's books that are over, as files that prove themselves. */
@Injectable()
export class Archives {
  constructor(
    private readonly periods: Periods,
    private readonly archive: ArchiveRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes nothing out of the database.
   * @throws Error where the year is not closed, or its closing not sealed
   */
  async write(accountId: Uuid, year: number, path: string, progress?: Progress): Promise<void> {
    const { periods } = await this.periods.list(accountId);
    const december = periods.find(({ month }) => month === `${year}-12`);
    if (december?.status !== 'closed' || !december.closedAt)
      throw new Error(`${year} is not closed: POST /v1/finance/periods/${year}-12/close does it`);
    const { closedAt } = december;
    const wanted = { accountId, year, closedAt, at: this.clock.serverNow() };
    const written = await this.archive.write(path, wanted, progress);
    if (written === 'not_sealed')
      throw new Error(
        `the closing of ${year} is not sealed yet: try again in some seconds, while the service runs`,
      );
    if (written === 'empty') throw new Error(`nothing of ${year} is in the books of this account`);
  }
}
