import { z } from 'zod';
import { queryShape } from '../../../platform/http/validation/shapes.js';
import { oneOf } from '../../../platform/http/validation/fields.js';
import { currencyCode, shortText } from '../../../platform/http/validation/text-fields.js';
import { instantText } from '../../../platform/http/validation/date-fields.js';
import { countedPage, listQuery } from '../../../platform/http/paging.js';
import { flagParameter, idParameter } from '../../../platform/http/validation/standard-fields.js';
import { nameWords } from '../../../platform/http/openapi/words.js';
import { SHOWN_REFUND_STATUSES } from '../domain/refund.js';
import { REFUND_MEANINGS } from '../../recording/domain/payment-settings.js';
import { RefundBody } from './refund.js';

nameWords({ RefundStatus: SHOWN_REFUND_STATUSES });

export const RefundPage = countedPage('RefundPage', RefundBody);
export type RefundPage = z.output<typeof RefundPage>;

export const ListRefundsQuery = queryShape({
  ...listQuery(() => RefundBody).shape,
  status: oneOf(SHOWN_REFUND_STATUSES, { optional: true }),
  gateway: shortText({ max: 60, optional: true }),
  made_by: oneOf(['client', 'gateway'], {
    optional: true,
    description: '`gateway`: made at the provider, in its dashboard for instance.',
  }),
  meaning: oneOf(REFUND_MEANINGS, { optional: true }),
  is_undecided: flagParameter({
    optional: true,
    description:
      'Whether somebody has yet to say what it means: what it gave is due and undecided.',
  }),
  payment_id: idParameter('pay'),
  receipt_id: idParameter('rcpt', { description: 'The unmatched receipt whose money went back.' }),
  document_id: idParameter('doc', { description: 'Refunds that this one gave something of.' }),
  customer_id: idParameter('cus'),
  currency: currencyCode({ optional: true }),
  requested_from: instantText({ optional: true }),
  requested_to: instantText({
    optional: true,
    description: 'Only refunds asked for before this instant.',
  }),
});
export type ListRefundsQuery = z.output<typeof ListRefundsQuery>;
