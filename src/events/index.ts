export { EventLog } from './application/event-log.js';
export { FactListeners } from './application/fact-listeners.js';
export type { OwnTables } from './application/own-tables.js';
export type { DataOf } from './application/event-schema.js';
export type { Event, EventData, EventType } from './domain/event.js';
export { EventMarks, type EventWindow } from './infrastructure/event-marks.repository.js';
export { EventsModule } from './events.module.js';
export { EventsQuery, type PastEvent } from './infrastructure/events.query.js';
