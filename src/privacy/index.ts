export { PrivacyRefusal } from './domain/privacy-refusals.js';
export { LostErasures } from './application/lost-erasures.js';
export { PrivacyModule } from './privacy.module.js';
