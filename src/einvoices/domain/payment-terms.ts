import type { Profile } from './profile.js';
import type { SemanticInvoice } from './semantic/semantic-invoice.js';

/** BT-20: in words, or by the lines that German readers take apart (BR-DE-18). */
export function paymentTermsText(
  { paymentTerms, cashDiscounts }: Pick<SemanticInvoice, 'paymentTerms' | 'cashDiscounts'>,
  { writesSkonto }: Profile,
): string | null {
  if (!writesSkonto || cashDiscounts.length === 0) return paymentTerms;
  return cashDiscounts
    .map(({ days, percent }) => `#SKONTO#TAGE=${String(days)}#PROZENT=${withTwoPlaces(percent)}#\n`)
    .join('');
}

function withTwoPlaces(percent: string): string {
  const [whole = '', fraction = ''] = percent.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}
