import type { Profile } from '../profile.js';
import type { EInvoiceProfile } from '../../../documents/index.js';
import type { SemanticInvoice } from '../semantic/semantic-invoice.js';
import { EN16931_RULES, FACTUR_X_RULES } from './en16931-rules.js';
import { FRENCH_CII_RULES, FRENCH_UBL_RULES } from './french-rules.js';
import { GERMAN_PEPPOL_RULES, XRECHNUNG_RULES } from './german-rules.js';
import { NATIONAL_RULES } from './national-rules.js';
import {
  BELGIAN_RULES,
  OFF_LINES_WARNING,
  PEPPOL_RULES,
  SHARED_PEPPOL_RULES,
} from './peppol-rules.js';
import type { EInvoiceRule } from './rule.js';
import { SCHEME_RULES } from './scheme-rules.js';

const XRECHNUNG = [...EN16931_RULES, ...XRECHNUNG_RULES, ...SHARED_PEPPOL_RULES, OFF_LINES_WARNING];

/** UBL.BE 1.31 has a copy of EN 16931 without these, or with another meaning. */
const NOT_IN_UBL_BE = new Set(
  (
    'BR-AF-02 BR-AF-03 BR-AF-04 BR-AG-02 BR-AG-03 BR-AG-04 BR-IC-12 BR-O-02 BR-DEC-23 BR-CO-17 ' +
    'BR-CO-26 BR-S-09 BR-AF-09 BR-AG-09'
  ).split(' '),
);

/** All that a document of ours can break, by profile (decision 244). */
export const RULES_OF: Record<EInvoiceProfile, readonly EInvoiceRule[]> = {
  'en16931-ubl': EN16931_RULES,
  'en16931-cii': EN16931_RULES,
  peppol: [
    ...EN16931_RULES,
    ...PEPPOL_RULES,
    ...GERMAN_PEPPOL_RULES,
    ...NATIONAL_RULES,
    ...SCHEME_RULES,
  ],
  'xrechnung-ubl': XRECHNUNG,
  'xrechnung-cii': XRECHNUNG,
  'factur-x': [...EN16931_RULES, ...FACTUR_X_RULES],
  'france-ubl': [...EN16931_RULES, ...FRENCH_UBL_RULES],
  'france-cii': [...EN16931_RULES, ...FRENCH_CII_RULES],
  'ubl-be': [...EN16931_RULES.filter(({ id }) => !NOT_IN_UBL_BE.has(id)), ...BELGIAN_RULES],
};

/** A rule that a document breaks, at one place of it. */
export interface EInvoiceFinding {
  rule: string;
  severity: EInvoiceRule['severity'];
  message: string;
  pointer: string;
}

/** The first of each rule's places; ten thousand lines may have the same mistake. */
const MOST_PLACES = 20;

export function brokenRulesOf(invoice: SemanticInvoice, profile: Profile): EInvoiceFinding[] {
  return RULES_OF[profile.id].flatMap(({ id, severity, message, broken }) =>
    [...new Set(broken(invoice, profile))]
      .slice(0, MOST_PLACES)
      .map((pointer) => ({ rule: id, severity, message, pointer })),
  );
}
