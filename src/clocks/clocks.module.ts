import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthModule } from '../auth/index.js';
import { DueWork } from './application/due-work.js';
import { TestClockMoves } from './application/test-clock-moves.service.js';
import { TestClocks } from './application/test-clocks.js';
import { OwnTimeGuard } from './http/own-time.guard.js';
import { TestClockController } from './http/test-clock.controller.js';
import { TestClockRepository } from './infrastructure/test-clock.repository.js';

@Module({
  imports: [AuthModule],
  controllers: [TestClockController],
  providers: [
    DueWork,
    TestClocks,
    TestClockMoves,
    TestClockRepository,
    { provide: APP_GUARD, useClass: OwnTimeGuard },
  ],
  exports: [DueWork],
})
export class ClocksModule {}
