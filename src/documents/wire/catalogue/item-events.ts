import { z } from 'zod';
import type { DataOf } from '../../../events/index.js';
import { changedFields } from '../../../platform/http/validation/answer-fields.js';
import { type CatalogueItem, fieldsOfItem } from '../../domain/catalogue/catalogue-item.js';
import { changesBetween } from '../../domain/changes.js';
import { ItemBody, presentItem } from './item.js';

const step = z
  .object({
    item: z
      .object(ItemBody.shape)
      .meta({ id: 'Item', description: 'As `GET /v1/finance/items/{id}` showed it.' }),
  })
  .meta({ id: 'ItemStep' });
const updated = step.extend({ changed: changedFields }).meta({ id: 'ItemUpdate' });

/** The events about items of the catalogue; none is deleted. */
export const ITEM_EVENTS = {
  'item.created': { when: 'An item was made.', data: step, example: {} },
  'item.updated': { when: 'An item was changed.', data: updated, example: {} },
  'item.archived': {
    when: 'No new line may name an item any more.',
    data: step,
    example: { item: { archived_at: '2026-11-27T09:30:00.000Z' } },
  },
  'item.unarchived': { when: 'An item is back.', data: step, example: {} },
};

declare module '../../../events/domain/event.js' {
  interface EventData extends DataOf<typeof ITEM_EVENTS> {}
}

export const itemStep = (item: CatalogueItem) => ({ item: presentItem(item) });

export function itemUpdate(before: CatalogueItem, after: CatalogueItem) {
  const changes = changesBetween(fieldsOfItem(before), fieldsOfItem(after));
  return { ...itemStep(after), changed: changes.map(({ field }) => field) };
}
