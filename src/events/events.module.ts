import { Module } from '@nestjs/common';
import { EventLog } from './application/event-log.js';
import { Facts } from './application/facts.js';
import { EventsQuery } from './infrastructure/events.query.js';

@Module({
  providers: [EventLog, EventsQuery, Facts],
  exports: [EventLog, EventsQuery, Facts],
})
export class EventsModule {}
