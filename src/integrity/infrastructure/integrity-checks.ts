import type { IntegrityCheck } from './integrity-check.js';
import { AUDIT_CHECKS } from './integrity-audit.js';
import { CONVERSION_CHECKS } from './integrity-conversions.js';
import { DAY_CHECKS } from './integrity-days.js';
import { DISPUTE_CHECKS } from './integrity-disputes.js';
import { DOCUMENT_CHECKS } from './integrity-documents.js';
import { DUNNING_CHECKS } from './integrity-dunning.js';
import { ENTRY_CHECKS } from './integrity-entries.js';
import { FACT_CHECKS } from './integrity-facts.js';
import { LEDGER_CHECKS } from './integrity-ledger.js';
import { PAYMENT_CHECKS } from './integrity-payments.js';
import { PAYOUT_CHECKS } from './integrity-payouts.js';
import { PERIOD_CHECKS } from './integrity-periods.js';
import { PROVIDER_CHECKS } from './integrity-providers.js';
import { SCHEDULE_CHECKS } from './integrity-schedules.js';
import { SEAL_CHECKS } from './integrity-seals.js';
import { TAX_CHECKS } from './integrity-taxes.js';

/** A new subject adds its checks here. The longest first: they are begun in this order. */
export const INTEGRITY_CHECKS: readonly IntegrityCheck[] = [
  ...SEAL_CHECKS,
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
