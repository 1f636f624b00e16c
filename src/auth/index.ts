export { Accounts } from './application/accounts.service.js';
export { AuthModule } from './auth.module.js';
export { newSecretText, sha256 } from './domain/secret-text.js';
