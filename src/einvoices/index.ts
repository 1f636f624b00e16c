export { EInvoices } from './application/e-invoices.service.js';
export { EInvoiceRefusal } from './domain/refusals.js';
export { EInvoicesModule } from './einvoices.module.js';
