export { Commits } from './application/commits.js';
export { type CommittedFact, CommittedFacts } from './application/committed-facts.js';
export { EventLog } from './application/event-log.js';
export { FactListeners } from './application/fact-listeners.js';
export type { OwnTables } from './application/own-tables.js';
export type { DataOf, EventDefinitions } from './application/event-schema.js';
export type { Event, EventData, EventType } from './domain/event.js';
export { type FeedPosition, NO_EVENT, positionIn, positionText } from './domain/feed-position.js';
export { EventMarks, type EventWindow } from './infrastructure/event-marks.repository.js';
export { EventsModule } from './events.module.js';
export { EventsQuery, type HistoryEvent } from './infrastructure/events.query.js';
export {
  EventFeedQuery,
  type FeedEnd,
  type FeedFilter,
} from './infrastructure/event-feed.query.js';
export type { PastEvent } from './infrastructure/past-event.js';
