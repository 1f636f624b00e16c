export { Admissions } from './application/admissions.js';
export { AuditLog } from './application/audit-log.js';
export { type AuditedTx, AuditedWork } from './application/audited-work.js';
export { ACCOUNT_DEFAULTS, Accounts } from './application/accounts.service.js';
export { ACCOUNT_MODES, type AccountMode } from './domain/account-mode.js';
export { RefusalLog } from './application/refusal-log.js';
export { type AuditEntryBody, presentAuditEntry } from './wire/audit.js';
export { AuditQuery } from './infrastructure/audit.query.js';
export {
  type ApiClientChange,
  ApiClients,
  DEFAULT_OVERLAP_HOURS,
} from './application/api-clients.service.js';
export { type ClientBody, presentClient } from './wire/client.js';
export { ApiClientsQuery } from './infrastructure/api-clients.query.js';
export { AuthModule } from './auth.module.js';
export type { AccountRow } from './infrastructure/account.row.js';
export { newSecretText, sha256 } from './domain/secret-text.js';
export { type IssuedFor, TokenIssuer } from './domain/token-issuer.js';
export { AuthRefusal } from './domain/auth-refusals.js';
