import { type Uuid, uuidOf } from '../../../kernel/ids.js';
import type { FieldOptions } from '../../../platform/http/validation/fields.js';
import { matching } from '../../../platform/http/validation/text-fields.js';
import { DocumentRefusal } from '../../domain/refusals.js';

/** It names nothing, and stands for text in a body that is no id of ours. */
const NOTHING: Uuid = '00000000-0000-0000-0000-000000000000';

export const taxRateId = (options: FieldOptions) =>
  matching(
    {
      refusal: DocumentRefusal.unknown_tax_rate,
      test: (text) => uuidOf('txr', text) !== undefined,
      message: 'must be the id of a tax rate, txr_...',
    },
    { ...options, optional: true },
  );

export const itemId = (options: FieldOptions) =>
  matching(
    {
      refusal: DocumentRefusal.unknown_item,
      test: (text) => uuidOf('prod', text) !== undefined,
      message: 'must be the id of an item, prod_...',
    },
    { ...options, optional: true },
  );

/** The UUID of an `ItemId`. */
export function itemIdIn(text: string): Uuid {
  return uuidOf('prod', text) ?? NOTHING;
}

/** The UUID of a `TaxRateId`. */
export function taxRateIdIn(text: string): Uuid {
  return uuidOf('txr', text) ?? NOTHING;
}
