import type { ExportSystem } from './export-system.js';
import { INVOICE_NINJA } from './invoice-ninja/ninja-export.js';
import { OWN_CSV } from './own-csv/csv-export.js';
import { STRIPE } from './stripe/stripe-export.js';

/** Another system is a folder with a reader, and a line here. */
export const SYSTEMS: readonly ExportSystem[] = [STRIPE, INVOICE_NINJA, OWN_CSV];
