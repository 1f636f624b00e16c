import { Module } from '@nestjs/common';
import { Commits } from './application/commits.js';
import { CommittedFacts } from './application/committed-facts.js';
import { EventLog } from './application/event-log.js';
import { FactListeners } from './application/fact-listeners.js';
import { EventMarks } from './infrastructure/event-marks.repository.js';
import { EventFeedQuery } from './infrastructure/event-feed.query.js';
import { ReaderFigures } from './infrastructure/reader-figures.js';
import { EventsQuery } from './infrastructure/events.query.js';

@Module({
  providers: [
    Commits,
    CommittedFacts,
    EventLog,
    EventFeedQuery,
    EventMarks,
    EventsQuery,
    FactListeners,
    ReaderFigures,
  ],
  exports: [
    Commits,
    CommittedFacts,
    EventLog,
    EventFeedQuery,
    EventMarks,
    EventsQuery,
    FactListeners,
  ],
})
export class EventsModule {}
