import type { IntegrityCheck } from './integrity-check.js';
import { AUDIT_CHECKS } from './audit.js';
import { CONVERSION_CHECKS } from './conversions.js';
import { DAY_CHECKS } from './days.js';
import { DISPUTE_CHECKS } from './disputes.js';
import { DOCUMENT_CHECKS } from './documents.js';
import { DUNNING_CHECKS } from './dunning.js';
import { ENTRY_CHECKS } from './entries.js';
import { FACT_CHECKS } from './facts.js';
import { LEDGER_CHECKS } from './ledger.js';
import { PAYMENT_CHECKS } from './payments.js';
import { PAYOUT_CHECKS } from './payouts.js';
import { PERIOD_CHECKS } from './periods.js';
import { PROVIDER_CHECKS } from './providers.js';
import { SCHEDULE_CHECKS } from './schedules.js';
import { SEAL_CHECKS } from './seals.js';
import { SUM_CHECKS } from './sums.js';
import { TAX_CHECKS } from './taxes.js';

/** A new subject adds its checks here. The longest first: they are begun in this order. */
export const INTEGRITY_CHECKS: readonly IntegrityCheck[] = [
  ...SEAL_CHECKS,
  ...SUM_CHECKS,
  ...FACT_CHECKS,
  ...ENTRY_CHECKS,
  ...CONVERSION_CHECKS,
  ...LEDGER_CHECKS,
  ...DOCUMENT_CHECKS,
  ...PROVIDER_CHECKS,
  ...DISPUTE_CHECKS,
  ...PAYMENT_CHECKS,
  ...PAYOUT_CHECKS,
  ...PERIOD_CHECKS,
  ...SCHEDULE_CHECKS,
  ...DUNNING_CHECKS,
  ...DAY_CHECKS,
  ...TAX_CHECKS,
  ...AUDIT_CHECKS,
];
