import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { WaitingReaders } from './application/waiting-readers.js';
import { EventsController } from './http/events.controller.js';
import { EventFeedQuery } from './infrastructure/event-feed.query.js';

@Module({
  imports: [AuthModule],
  controllers: [EventsController],
  providers: [EventFeedQuery, WaitingReaders],
})
export class FeedModule {}
