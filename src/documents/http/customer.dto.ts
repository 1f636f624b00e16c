import { Matching, Nested, Text } from '../../platform/http/fields.js';
import { type Buyer, buyerOf } from '../domain/party.js';
import { PartyRequest, ShippingAddressRequest } from './party.dto.js';

export const LanguageTag = (description?: string) =>
  Matching(
    {
      code: 'invalid_language',
      test: isLanguage,
      message: 'must be a BCP 47 language tag such as de or pt-BR',
    },
    { optional: true, example: 'de', ...(description && { description }) },
  );

export class CustomerRequest extends PartyRequest {
  @LanguageTag()
  language?: string;

  @Text({ max: 100, optional: true, description: 'What the buyer wants to read on documents.' })
  reference?: string;

  @Nested(() => ShippingAddressRequest, { optional: true })
  shipping_address?: ShippingAddressRequest;
}

function isLanguage(text: string): boolean {
  try {
    return text.length <= 35 && Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** What a customer's request says; a field that is null or absent is empty. */
export function toBuyer(request: CustomerRequest): Buyer {
  const { shipping_address: shipping, ...own } = withoutEmpty(request);
  return buyerOf({
    ...own,
    ...(shipping && { shipping_address: { ...NO_ADDRESS, ...withoutEmpty(shipping) } }),
  });
}

const NO_ADDRESS = {
  name: null,
  address: [],
  postal_code: null,
  city: null,
  region: null,
  country: null,
};

function withoutEmpty<Fields extends object>(fields: Fields): Fields {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given) as Fields;
}
