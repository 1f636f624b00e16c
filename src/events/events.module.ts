import { Module } from '@nestjs/common';
import { EventLog } from './application/event-log.js';
import { EventsQuery } from './infrastructure/events.query.js';

@Module({
  providers: [EventLog, EventsQuery],
  exports: [EventLog, EventsQuery],
})
export class EventsModule {}
