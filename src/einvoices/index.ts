export { EInvoiceRefusal } from './domain/refusals.js';
export { EInvoicesModule } from './einvoices.module.js';
