import { AUSTRIA } from './austria.js';
import { FRANCE } from './france.js';
import { GERMANY } from './germany.js';
import { NETHERLANDS } from './netherlands.js';
import type { VatReturnForm } from './vat-return.js';

const FORMS = { AT: AUSTRIA, DE: GERMANY, FR: FRANCE, NL: NETHERLANDS };

/** The countries whose return is known by box. */
export const VAT_RETURN_COUNTRIES = Object.keys(FORMS);

export function vatReturnForm(country: string | null): VatReturnForm | null {
  return country !== null && Object.hasOwn(FORMS, country)
    ? FORMS[country as keyof typeof FORMS]
    : null;
}
