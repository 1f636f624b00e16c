export { IntegrityQuery, type KeptSeal } from './infrastructure/integrity.query.js';
export { SealsRepository } from './infrastructure/seals.repository.js';
export { IntegrityModule } from './integrity.module.js';
