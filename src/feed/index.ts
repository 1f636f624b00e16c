export { HeldDeliveries } from './application/held-deliveries.js';
export { EndpointRefusal } from './domain/endpoint-refusals.js';
export { FeedRefusal } from './domain/feed-refusals.js';
export { FeedModule } from './feed.module.js';
