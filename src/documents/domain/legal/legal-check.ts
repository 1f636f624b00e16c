import { invalidFields } from '../../../kernel/field-refusals.js';
import { INVOICE_RULES } from './invoice-rules.js';
import { type InvoiceRule, type JudgedDocument } from './invoice-rule.js';

/** A particular that a document lacks, or has wrong. */
export interface LegalFinding {
  code: string;
  message: string;
  /** JSON pointer into the document. */
  pointer: string;
  /** The rule of EN 16931, or the article of the law. */
  rule: string;
}

/** A document of 10,000 lines tells its first findings only. */
const MOST_FINDINGS = 100;

const EU = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' '),
);

/** Art. 220a and 238 for all of the EU; § 33 UStDV for Germany. In euros, with tax. */
const SIMPLIFIED_TO_MINOR = { DE: 25_000n, elsewhere: 10_000n };

/** All that is missing or wrong, by the law of the seller's country. Only what bills is judged. */
export function findingsOf(document: JudgedDocument): LegalFinding[] {
  if (document.kind === 'quote') return [];
  const isSimplified = mayBeSimplified(document);
  return INVOICE_RULES.filter(
    (rule) => holds(rule, document) && !(isSimplified && rule.notIfSimplified),
  )
    .flatMap((rule) =>
      rule.broken(document).map((pointer) => ({
        code: rule.refusal.code,
        message: `The document breaks ${rule.id}: ${rule.message}`,
        pointer,
        rule: rule.id,
      })),
    )
    .slice(0, MOST_FINDINGS);
}

/** @throws DomainError 422 with all of the findings */
export function refuseFindings(findings: readonly LegalFinding[]): void {
  if (findings.length === 0) return;
  const errors = findings.map(({ pointer, code, message }) => ({ pointer, code, message }));
  throw invalidFields(errors, findings.length === MOST_FINDINGS);
}

/** A seller without a country is asked for one, and for all that the EU asks for. */
function holds({ where }: InvoiceRule, { seller }: JudgedDocument): boolean {
  if (where === 'everywhere') return true;
  if (where === 'DE') return seller.country === 'DE';
  return seller.country === null || EU.has(seller.country);
}

function mayBeSimplified({ kind, seller, total, taxGroups }: JudgedDocument): boolean {
  if (kind !== 'invoice' || total.currency !== 'EUR') return false;
  if (taxGroups.some(({ category }) => category === 'AE' || category === 'K')) return false;
  const limit = SIMPLIFIED_TO_MINOR[seller.country === 'DE' ? 'DE' : 'elsewhere'];
  return total.minor <= limit;
}
