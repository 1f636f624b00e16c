import { minorDigits } from '../../kernel/currency.js';
import type { Money } from '../../kernel/money.js';
import type { Profile } from './profile.js';
import type { SemanticInvoice } from './semantic/semantic-invoice.js';

/** BT-20: in words, with reductions as sentences, or as lines that German readers take apart (BR-DE-18). */
export function paymentTermsText(
  { paymentTerms, cashDiscounts }: Pick<SemanticInvoice, 'paymentTerms' | 'cashDiscounts'>,
  { writesSkonto }: Profile,
): string | null {
  if (!writesSkonto || cashDiscounts.length === 0) {
    const sentences = [paymentTerms, ...cashDiscounts.map(({ words }) => words)];
    return sentences.filter(Boolean).join('\n') || null;
  }
  const lines = cashDiscounts.map(
    ({ days, percent, base }) =>
      `#SKONTO#TAGE=${String(days)}#PROZENT=${withTwoPlaces(percent)}#${baseText(base)}\n`,
  );
  return `${paymentTerms === null ? '' : `${paymentTerms}\n`}${lines.join('')}`;
}

/** German readers know amounts with two decimals only. */
function baseText(base: Money | null): string {
  return base && minorDigits(base.currency) === 2 ? `BASISBETRAG=${base.toDecimalString()}#` : '';
}

function withTwoPlaces(percent: string): string {
  const [whole = '', fraction = ''] = percent.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}
