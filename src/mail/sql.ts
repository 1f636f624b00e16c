export { WRITTEN_TO_SELLER } from './domain/message.js';
