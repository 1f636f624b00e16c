import { z } from 'zod';
import {
  paymentLinkStatus,
  type PaymentLink,
  PAYMENT_LINK_STATUSES,
} from '../domain/payment-link.js';
import { publicId } from '../../../kernel/ids.js';
import { instantText } from '../../../platform/http/validation/date-fields.js';
import { currencyCode, shortText } from '../../../platform/http/validation/text-fields.js';
import { idParameter, returnAddress } from '../../../platform/http/validation/standard-fields.js';
import { oneOf, flag, wholeNumber, amountMinor } from '../../../platform/http/validation/fields.js';
import { listQuery, countedPage, wholeList } from '../../../platform/http/paging.js';
import { queryShape, answerShape, requestShape } from '../../../platform/http/validation/shapes.js';
import { nameWords } from '../../../platform/http/openapi/words.js';
import {
  day,
  minorUnits,
  instant,
  currency,
  publicIdOf,
} from '../../../platform/http/validation/answer-fields.js';

export const CreatePaymentLinkRequest = requestShape('CreatePaymentLinkRequest', {
  gateway: shortText({
    max: 60,
    example: 'gateway-a',
    description: 'A configured gateway by its name, or one of your own by its id or name.',
  }),
  amount: amountMinor({ optional: true, description: 'Default: what is due and not on its way.' }),
  expires_in_days: wholeNumber({ min: 1, max: 365, optional: true, description: 'Default: 30.' }),
  return_url: returnAddress({
    optional: true,
    description: 'The page to which the payer’s browser returns.',
  }),
  despite_processing: flag({
    optional: true,
    description: 'Make the link also where money for the document is on its way already.',
  }),
});
export type CreatePaymentLinkRequest = z.output<typeof CreatePaymentLinkRequest>;

export const PaymentLinkBody = answerShape('PaymentLinkBody', {
  id: publicIdOf('plink'),
  document_id: publicIdOf('doc'),
  gateway: z.string().meta({ example: 'gateway-a' }),
  amount: minorUnits,
  currency,
  status: z.enum(PAYMENT_LINK_STATUSES),
  url: z
    .string()
    .nullable()
    .describe('The provider’s pay page; null for a gateway without an API key.'),
  created_at: instant,
  expires_at: instant,
  page_expires_at: instant.nullable().meta({
    description:
      'When the pay page ends, as the provider said; it may be before `expires_at`. null: it does not say.',
  }),
  processing_at: instant.nullable().meta({
    description: 'Since when the provider has had money on its way.',
  }),
  paid_at: instant.nullable(),
  failed_at: instant
    .nullable()
    .meta({ description: 'When the money did not come, or was taken back.' }),
  failure: z.string().nullable().describe('Why, as the provider says.'),
  canceled_at: instant.nullable(),
  mandate_id: publicIdOf('mand')
    .nullable()
    .describe('The mandate by which it is collected; null where the payer goes to a page.'),
  charge_on: day.nullable().meta({ description: 'The day for which the debit was asked for.' }),
});
export type PaymentLinkBody = z.output<typeof PaymentLinkBody>;

export const PaymentLinkList = wholeList('PaymentLinkList', PaymentLinkBody);
export type PaymentLinkList = z.output<typeof PaymentLinkList>;

nameWords({ PaymentLinkStatus: PAYMENT_LINK_STATUSES });

export const PaymentLinkPage = countedPage('PaymentLinkPage', PaymentLinkBody);
export type PaymentLinkPage = z.output<typeof PaymentLinkPage>;

export const ListPaymentLinksQuery = queryShape({
  ...listQuery(() => PaymentLinkBody).shape,
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

/** The public form of a payment link: in answers and in events. Amounts in minor units. */
export function presentPaymentLink(link: PaymentLink, now: Date): PaymentLinkBody {
  return {
    id: publicId('plink', link.id),
    document_id: publicId('doc', link.documentId),
    gateway: link.gateway,
    amount: link.amount.toMinorNumber(),
    currency: link.amount.currency,
    status: paymentLinkStatus(link, now),
    url: link.url,
    created_at: link.createdAt.toISOString(),
    expires_at: link.expiresAt.toISOString(),
    page_expires_at: link.pageExpiresAt?.toISOString() ?? null,
    processing_at: link.processingAt?.toISOString() ?? null,
    paid_at: link.paidAt?.toISOString() ?? null,
    failed_at: link.failedAt?.toISOString() ?? null,
    failure: link.failure,
    canceled_at: link.canceledAt?.toISOString() ?? null,
    mandate_id: link.collection && publicId('mand', link.collection.mandateId),
    charge_on: link.collection?.chargeOn ?? null,
  };
}
