import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Jobs } from '../../platform/jobs.js';
import { TestClockRepository } from '../infrastructure/test-clock.repository.js';

const EVERY_MS = 1000;

/** Tells the clock of each process where test clocks stand; those of others it hears of within a second. */
@Injectable()
export class TestClocks implements OnModuleInit {
  constructor(
    private readonly repository: TestClockRepository,
    private readonly clock: Clock,
    jobs: Jobs,
  ) {
    const options = { name: 'test clocks', inEachProcess: true, onlyReads: true };
    jobs.every(EVERY_MS, 'test clocks could not be read; tried again', () => this.read(), options);
  }

  /** Before the first request. */
  async onModuleInit(): Promise<void> {
    await this.read();
  }

  private async read(): Promise<void> {
    for (const { accountId, at } of await this.repository.all()) {
      this.clock.standAt(accountId, at);
    }
  }
}
