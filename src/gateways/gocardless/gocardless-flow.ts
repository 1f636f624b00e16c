import { firstCharacters } from '../../kernel/first-characters.js';
import type { MandateRequest } from '../../payments/index.js';
import { nearestLanguage } from '../page-language.js';

const NAME_LIMIT = 100;
/** developer.gocardless.com/api-reference, "Billing Request Flows". */
const LANGUAGES = 'en fr de pt es it nl da nb sl sv'.split(' ');

/** The page of a billing request, for its payer. */
export function flowOf(
  requestId: string,
  { payer, returnUrl, language: wished }: Pick<MandateRequest, 'payer' | 'returnUrl' | 'language'>,
): object {
  const language = nearestLanguage(wished, LANGUAGES);
  const customer = {
    ...(payer.name && { company_name: firstCharacters(payer.name, NAME_LIMIT) }),
    ...(payer.email && { email: payer.email }),
    ...(payer.country && { country_code: payer.country }),
  };
  return {
    ...(returnUrl !== null && { redirect_uri: returnUrl, exit_uri: returnUrl }),
    ...(language && { language }),
    prefilled_customer: customer,
    links: { billing_request: requestId },
  };
}
