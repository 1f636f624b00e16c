export { EVENT_COLUMNS, type EventColumns, toPastEvent } from './infrastructure/past-event.js';
