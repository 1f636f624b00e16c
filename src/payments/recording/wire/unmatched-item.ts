import { z } from 'zod';
import { publicId } from '../../../kernel/ids.js';
import {
  type UnmatchedItem,
  DIRECTIONS_OF_ITEMS,
  UNMATCHED_ITEM_STATUSES,
} from '../domain/unmatched-item.js';
import type { MovedMoney } from '../../port/domain/provider-report.js';
import { paragraph } from '../../../platform/http/validation/text-fields.js';
import { requestShape, queryShape, answerShape } from '../../../platform/http/validation/shapes.js';
import { oneOf } from '../../../platform/http/validation/fields.js';
import { listQuery, countedPage } from '../../../platform/http/paging.js';

export const UnmatchedItemBody = answerShape('UnmatchedItemBody', {
  id: z.string().meta({ example: 'item_01h455vb4pex5vsknk084sn02q' }),
  status: z.string().meta({ enum: UNMATCHED_ITEM_STATUSES }),
  direction: z
    .string()
    .meta({ enum: DIRECTIONS_OF_ITEMS, description: 'Whether money came in or went out.' }),
  gateway: z.string(),
  provider_payment_id: z.string().nullable(),
  link_reference: z.string().nullable(),
  amount: z
    .number()
    .nullable()
    .describe('Minor units; null where the event does not say it exactly.'),
  currency: z.string().nullable(),
  told: z.string().describe('What happened.'),
  what_to_do: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  reason: z.string().nullable().describe('Of the last step.'),
  received_at: z.string().meta({ format: 'date-time' }),
});
export type UnmatchedItemBody = z.output<typeof UnmatchedItemBody>;

export const UnmatchedItemPage = countedPage('UnmatchedItemPage', UnmatchedItemBody);
export type UnmatchedItemPage = z.output<typeof UnmatchedItemPage>;

export const ListUnmatchedItemsQuery = queryShape({
  ...listQuery(() => UnmatchedItemBody).shape,
  status: oneOf(UNMATCHED_ITEM_STATUSES, { optional: true, description: 'Default: `open`.' }),
});
export type ListUnmatchedItemsQuery = z.output<typeof ListUnmatchedItemsQuery>;

export const MarkUnmatchedItemRequest = requestShape('MarkUnmatchedItemRequest', {
  reason: paragraph({ max: 500, example: 'A sale of our other shop.' }),
});
export type MarkUnmatchedItemRequest = z.output<typeof MarkUnmatchedItemRequest>;

const WHAT_TO_DO: Record<MovedMoney['direction'], string> = {
  in:
    'Look the payment up at the gateway. If it pays a document, record it there with the same ' +
    'reference, or let the operator claim it; record or import a payout; if it is of another ' +
    'shop, close this item.',
  out:
    'Look it up at the gateway. Record a refund of the payment by hand if it gave money back, or ' +
    'reverse it; record or import a payout; if it is of another shop, close this item.',
};

/** The public form of an item. Amounts in minor units. */
export function presentUnmatchedItem(item: UnmatchedItem): UnmatchedItemBody {
  return {
    id: publicId('item', item.id),
    status: item.status,
    direction: item.direction,
    gateway: item.gateway,
    provider_payment_id: item.providerPaymentId,
    link_reference: item.linkReference,
    amount: item.amount?.toMinorNumber() ?? null,
    currency: item.amount?.currency ?? null,
    told: item.told,
    what_to_do: WHAT_TO_DO[item.direction],
    event_id: item.eventId,
    event_type: item.eventType,
    reason: item.reason,
    received_at: item.receivedAt.toISOString(),
  };
}
