import type { SelectedFields } from '../../platform/http/selected-fields.js';
import { ALL_PARTS, type ViewPart, type ViewParts } from '../domain/view-parts.js';
import type { DocumentBody } from './document-body.js';
import { DocumentDetailsBody } from './document-details.js';

const DETAILS: readonly string[] = Object.keys(DocumentDetailsBody.shape);

/** The fields that are not made of the row of `documents` alone. A test asks for each field by itself. */
const MADE_OF: Partial<Record<keyof DocumentBody, readonly ViewPart[]>> = {
  seller: ['seller'],
  customer: ['customer'],
  notes: ['notes'],
  metadata: ['metadata'],
  attachments: ['details'],
  tax_total_in_tax_currency: ['details'],
  discounts: ['discounts'],
  charges: ['charges'],
  lines: ['lines'],
  tax_groups: ['taxGroups'],
  loss: ['taxGroups', 'creditedTaxes'],
  origin: ['origin'],
  follow_ups: ['followUps'],
  amount_given_back: ['givenBack'],
  available_actions: ['availableActions'],
};

/** The parts of a view that these fields are made of. */
export function viewPartsOf(fields: SelectedFields | undefined): ViewParts {
  if (!fields) return ALL_PARTS;
  const parts = new Set<ViewPart>();
  for (const name of fields.names()) {
    if (DETAILS.includes(name)) parts.add('details');
    for (const part of MADE_OF[name as keyof DocumentBody] ?? []) parts.add(part);
  }
  return parts;
}
