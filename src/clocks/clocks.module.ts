import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { DueWork } from './application/due-work.js';
import { TestClockMoves } from './application/test-clock-moves.service.js';
import { TestClocks } from './application/test-clocks.js';
import { TestClockController } from './http/test-clock.controller.js';
import { TestClockRepository } from './infrastructure/test-clock.repository.js';

@Module({
  imports: [AuthModule],
  controllers: [TestClockController],
  providers: [DueWork, TestClocks, TestClockMoves, TestClockRepository],
  exports: [DueWork],
})
export class ClocksModule {}
