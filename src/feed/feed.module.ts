import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { EventsModule } from '../events/index.js';
import { WaitingReaders } from './application/waiting-readers.js';
import { EventsController } from './http/events.controller.js';

@Module({
  imports: [AuthModule, EventsModule],
  controllers: [EventsController],
  providers: [WaitingReaders],
})
export class FeedModule {}
