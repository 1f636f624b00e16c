import type { LineRequest } from './calculation/calculation-request.js';
import type { Seller } from './parties/party.js';

interface SmallBusinessExemption {
  reason: string;
  /** VATEX; most countries have no code of their own. */
  code: string | null;
}

// The words that each law asks for, or that are usual where it asks for none in particular.
const BY_COUNTRY = new Map<string | null, SmallBusinessExemption>([
  ['DE', { reason: 'Steuerfrei für Kleinunternehmer, § 19 UStG', code: null }],
  ['AT', { reason: 'Steuerfrei für Kleinunternehmer, § 6 Abs. 1 Z 27 UStG', code: null }],
  ['FR', { reason: 'TVA non applicable, art. 293 B du CGI', code: 'VATEX-FR-FRANCHISE' }],
]);

const IN_GENERAL: SmallBusinessExemption = {
  reason: 'Exempt as a small enterprise, Article 284 of Directive 2006/112/EC',
  code: null,
};

/** Lines of a small business that say nothing of tax are exempt, with the words of its law. */
export function taxedAsSaid(
  lines: LineRequest[],
  { small_business: isSmall, country }: Pick<Seller, 'small_business' | 'country'>,
): LineRequest[] {
  if (!isSmall) return lines;
  const { reason, code } = BY_COUNTRY.get(country) ?? IN_GENERAL;
  return lines.map((line) =>
    line.taxRate !== undefined || line.taxCategory !== undefined
      ? line
      : {
          ...line,
          taxCategory: 'E',
          exemptionReason: line.exemptionReason ?? reason,
          details: {
            ...line.details,
            tax_exemption_code: line.details?.tax_exemption_code ?? code,
          },
        },
  );
}
