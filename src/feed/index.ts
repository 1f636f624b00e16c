export { HeldDeliveries } from './application/held-deliveries.js';
export { EndpointRefusal } from './domain/endpoint-refusals.js';
export { FeedRefusal } from './domain/feed-refusals.js';
export { FeedModule } from './feed.module.js';
/** @public */
export { EventBody, presentEvent } from './wire/event.js';
/** @public */
export { EVENT_TYPES, scopeOf, TYPES_TO_ASK_FOR, typesAskedFor } from './wire/event-types.js';
