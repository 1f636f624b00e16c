export { PrivacyRefusal } from './domain/privacy-refusals.js';
export { PrivacyModule } from './privacy.module.js';
