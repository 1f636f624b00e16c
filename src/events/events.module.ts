import { Module } from '@nestjs/common';
import { EventLog } from './application/event-log.js';
import { FactListeners } from './application/fact-listeners.js';
import { EventMarks } from './infrastructure/event-marks.repository.js';
import { EventFeedQuery } from './infrastructure/event-feed.query.js';
import { EventsQuery } from './infrastructure/events.query.js';

@Module({
  providers: [EventLog, EventFeedQuery, EventMarks, EventsQuery, FactListeners],
  exports: [EventLog, EventFeedQuery, EventMarks, EventsQuery, FactListeners],
})
export class EventsModule {}
