export { Archives } from './application/archives.service.js';
export { ArchiveFault } from './infrastructure/archive/archive-fault.js';
export { assertHead, assertHeadsOfFile } from './infrastructure/archive/archive-heads.js';
export {
  type VerifiedArchive,
  verifyArchive,
} from './infrastructure/archive/archive-verification.js';
export { IntegrityRefusal } from './domain/integrity-refusals.js';
export type { KeptErasure, KeptSeal } from './domain/kept-seal.js';
export type { Loss } from './domain/loss.js';
export { examineSealHeads } from './infrastructure/heads-examination.js';
export { IntegrityQuery } from './infrastructure/integrity.query.js';
export { LossAcceptance } from './application/loss-acceptance.js';
export { SealHeadsFile } from './infrastructure/heads-file.repository.js';
export { SealsRepository } from './infrastructure/seals.repository.js';
export { IntegrityModule } from './integrity.module.js';
