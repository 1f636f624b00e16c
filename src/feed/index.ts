export { FeedRefusal } from './domain/feed-refusals.js';
export { FeedModule } from './feed.module.js';
