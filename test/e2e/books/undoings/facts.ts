import { BANK_UNDONE } from './bank.js';
import { DOCUMENTS_UNDONE } from './documents.js';
import { PAYMENTS_UNDONE } from './payments.js';
import { REFUNDS_UNDONE } from './refunds.js';
import type { AllUndoings } from './shop.js';

/** Every fact of the ledger with its undoings: a new one does not compile without. */
export const UNDOINGS: AllUndoings = {
  ...DOCUMENTS_UNDONE,
  ...PAYMENTS_UNDONE,
  ...REFUNDS_UNDONE,
  ...BANK_UNDONE,
};
