export { Accounts, type Credentials } from './application/accounts.service.js';
export { AuthModule } from './auth.module.js';
export { newSecretText, sha256 } from './domain/secret-text.js';
export type { SellerProfile } from './infrastructure/account.row.js';
