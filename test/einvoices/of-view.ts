import type { DocumentView } from '../../src/documents/domain/document-view.js';
import { accountsFor } from '../../src/documents/domain/parties/bank-account.js';
import {
  type FilesInBase64,
  semanticInvoice,
} from '../../src/einvoices/domain/document-invoice.js';

/** As the service makes it, with the words of cash discounts that a test gives. */
export const invoiceOf = (
  view: DocumentView,
  cashDiscounts: readonly string[] = [],
  files?: FilesInBase64,
) => semanticInvoice(view, { cashDiscounts, accounts: accountsFor(view) }, files);
