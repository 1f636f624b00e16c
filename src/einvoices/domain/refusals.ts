import { domainRefusals } from '../../kernel/domain-refusal.js';

export const EInvoiceRefusal = domainRefusals({
  conflict: {
    no_e_invoice: 'Only an issued invoice or credit note has an e-invoice; this one is a draft.',
  },
});
