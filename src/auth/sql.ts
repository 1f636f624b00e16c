export { lockAccount } from './infrastructure/account.repository.js';
