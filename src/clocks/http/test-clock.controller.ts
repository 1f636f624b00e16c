import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { TestClockMoves } from '../application/test-clock-moves.service.js';
import { ClockRefusal } from '../domain/clock-refusals.js';
import {
  AdvanceTestClockRequest,
  presentTestClock,
  TestClockBody,
  toAdvance,
} from '../wire/test-clock.js';

@ApiTags('trying')
@Controller('v1/test-clock')
export class TestClockController {
  constructor(private readonly moves: TestClockMoves) {}

  @Get('', 'documents:read', {
    summary: 'Read the test clock',
    description: 'For accounts made for trying: what the day is for their documents.',
    answers: TestClockBody,
    problems: [ClockRefusal.test_clock_for_tests],
  })
  async getTestClock(@CallerOf() { accountId }: Caller): Promise<TestClockBody> {
    return presentTestClock(await this.moves.read(accountId));
  }

  @Post('advance', 'settings:write', {
    summary: 'Advance the test clock',
    description:
      'For accounts made for trying. Due dates, reminders and debits of the time between come in their order, before this answers; then the clock stands still. Deliveries of webhooks and mails leave by the clock of the server, at once. It never goes back.',
    example: { days: 31 },
    answers: TestClockBody,
    problems: [
      ClockRefusal.test_clock_for_tests,
      ClockRefusal.one_of_to_and_days,
      ClockRefusal.test_clock_only_forward,
      ClockRefusal.test_clock_too_far,
      ClockRefusal.test_clock_moved,
    ],
  })
  async advanceTestClock(
    @CallerOf() caller: Caller,
    @Body({ schema: AdvanceTestClockRequest }) body: AdvanceTestClockRequest,
    @OnceOnly() once: Once,
  ): Promise<TestClockBody | undefined> {
    const advance = toAdvance(body);
    return once.run(presentTestClock, (guard) =>
      this.moves.advance(byClient(caller), advance, guard),
    );
  }
}
