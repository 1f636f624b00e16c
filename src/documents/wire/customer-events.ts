import { z } from 'zod';
import type { DataOf } from '../../events/index.js';
import { publicId } from '../../kernel/ids.js';
import {
  changedFields,
  instant,
  publicIdOf,
  count,
} from '../../platform/http/validation/answer-fields.js';
import { changesBetween } from '../domain/changes.js';
import { type Customer, fieldsOf } from '../domain/parties/customer.js';

/** No names: events stay when a customer is deleted (decision 260). */
const step = z
  .object({
    customer: z
      .object({
        id: publicIdOf('cus'),
        version: count,
        archived_at: instant.nullable(),
      })
      .meta({
        id: 'Customer',
        description:
          'No name or address, as events are kept for ever: `GET /v1/finance/customers/{id}` has them.',
      }),
  })
  .meta({ id: 'CustomerStep' });

const updated = step.extend({ changed: changedFields }).meta({ id: 'CustomerUpdate' });
const archived = { customer: { archived_at: '2026-11-27T09:30:00.000Z' } };

/** The events about customers. */
export const CUSTOMER_EVENTS = {
  'customer.created': { when: 'A customer was made.', data: step, example: {} },
  'customer.updated': { when: 'A customer was changed.', data: updated, example: {} },
  'customer.archived': {
    when: 'No new document is made for a customer any more.',
    data: step,
    example: archived,
  },
  'customer.unarchived': { when: 'A customer is back.', data: step, example: {} },
  'customer.erased': {
    when: 'The data of a customer were erased; whoever has a copy of them erases it, too.',
    data: step,
    example: archived,
  },
  'customer.deleted': { when: 'A customer was deleted.', data: step, example: {} },
};

declare module '../../events/domain/event.js' {
  interface EventData extends DataOf<typeof CUSTOMER_EVENTS> {}
}

export function customerStep({ id, version, archivedAt }: Customer) {
  return {
    customer: {
      id: publicId('cus', id),
      version,
      archived_at: archivedAt?.toISOString() ?? null,
    },
  };
}

export function customerUpdate(before: Customer, after: Customer) {
  const changes = changesBetween(fieldsOf(before), fieldsOf(after));
  return { ...customerStep(after), changed: changes.map(({ field }) => field) };
}
