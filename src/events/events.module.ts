import { Module } from '@nestjs/common';
import { EventLog } from './application/event-log.js';
import { FactListeners } from './application/fact-listeners.js';
import { EventsQuery } from './infrastructure/events.query.js';

@Module({
  providers: [EventLog, EventsQuery, FactListeners],
  exports: [EventLog, EventsQuery, FactListeners],
})
export class EventsModule {}
