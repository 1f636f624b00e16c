import { Nested, Text } from '../../platform/http/fields.js';
import { LanguageTag } from '../../platform/http/standard-fields.js';
import { type Buyer, buyerOf } from '../domain/party.js';
import { PartyRequest, ShippingAddressRequest } from './party.dto.js';

export class CustomerRequest extends PartyRequest {
  @LanguageTag({ optional: true })
  language?: string;

  @Text({ max: 100, optional: true, description: 'What the buyer wants to read on documents.' })
  reference?: string;

  @Nested(() => ShippingAddressRequest, { optional: true })
  shipping_address?: ShippingAddressRequest;
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
