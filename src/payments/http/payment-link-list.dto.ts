import { z } from 'zod';
import { queryShape } from '../../platform/http/validation/shapes.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { currencyCode, shortText } from '../../platform/http/validation/text-fields.js';
import { instantText } from '../../platform/http/validation/date-fields.js';
import { countedPage, CountedQuery } from '../../platform/http/paging.js';
import { idParameter } from '../../platform/http/validation/standard-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { PAYMENT_LINK_STATUSES } from '../collecting/domain/payment-link.js';
import { PaymentLinkBody } from './payment.dto.js';

nameWords({ PaymentLinkStatus: PAYMENT_LINK_STATUSES });

export const PaymentLinkPage = countedPage('PaymentLinkPage', PaymentLinkBody);
export type PaymentLinkPage = z.output<typeof PaymentLinkPage>;

export const ListPaymentLinksQuery = queryShape({
  ...CountedQuery.shape,
  status: oneOf(PAYMENT_LINK_STATUSES, { optional: true }),
  gateway: shortText({ max: 60, optional: true }),
  document_id: idParameter('doc'),
  customer_id: idParameter('cus', { description: 'Links of the documents of this customer.' }),
  mandate_id: idParameter('mand', { description: 'Links that are collected by this mandate.' }),
  currency: currencyCode({ optional: true }),
  created_from: instantText({ optional: true }),
  created_to: instantText({ optional: true, description: 'Only links made before this instant.' }),
});
export type ListPaymentLinksQuery = z.output<typeof ListPaymentLinksQuery>;
