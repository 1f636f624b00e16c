import { z } from 'zod';
import { publicId } from '../../../kernel/ids.js';
import type { Mandate } from '../domain/mandates/mandate.js';
import { instant, currency, publicIdOf } from '../../../platform/http/validation/answer-fields.js';
import { answerShape, queryShape, requestShape } from '../../../platform/http/validation/shapes.js';
import { countedPage, listQuery } from '../../../platform/http/paging.js';
import { nameWords } from '../../../platform/http/openapi/words.js';
import { flag, oneOf } from '../../../platform/http/validation/fields.js';
import { currencyCode, shortText } from '../../../platform/http/validation/text-fields.js';
import { dateText } from '../../../platform/http/validation/date-fields.js';
import { idParameter, returnAddress } from '../../../platform/http/validation/standard-fields.js';
import { MANDATE_STATUSES } from '../../port/domain/mandates/mandate-status.js';

nameWords({ MandateStatus: MANDATE_STATUSES });

const AUTOMATIC =
  'Whether invoices of the customer in this currency are collected on their due date, each once.';

export const CreateMandateRequest = requestShape('CreateMandateRequest', {
  gateway: shortText({ max: 60, description: 'A gateway whose provider keeps mandates.' }),
  currency: currencyCode({ description: 'Of what may be collected: it decides the scheme.' }),
  collects_automatically: flag({ optional: true, description: `${AUTOMATIC} Default: false.` }),
  return_url: returnAddress({
    optional: true,
    description: 'The page to come back to from the provider.',
  }),
});
export type CreateMandateRequest = z.output<typeof CreateMandateRequest>;

export const PatchMandateRequest = requestShape('PatchMandateRequest', {
  collects_automatically: flag({ optional: true, description: AUTOMATIC }),
});
export type PatchMandateRequest = z.output<typeof PatchMandateRequest>;

export const CollectDocumentRequest = requestShape('CollectDocumentRequest', {
  charge_date: dateText({
    optional: true,
    description:
      'The day of the debit, at most 90 days ahead. A provider that needs longer takes its next possible day. Default: the due date.',
  }),
});
export type CollectDocumentRequest = z.output<typeof CollectDocumentRequest>;

export const MandateBody = answerShape('MandateBody', {
  id: publicIdOf('mand'),
  customer_id: publicIdOf('cus'),
  gateway: z.string().meta({ example: 'gocardless' }),
  currency,
  status: z
    .enum(MANDATE_STATUSES)
    .describe(
      '`pending`: the customer has not agreed yet. `suspended`: it may come back. Only an `active` one collects.',
    ),
  url: z.string().nullable().describe('The page where the customer agrees, while it is pending.'),
  scheme: z.string().nullable().describe('In the word of the provider.'),
  account_ending: z
    .string()
    .nullable()
    .describe('The last characters of the bank account, as the provider masks it.'),
  reference: z.string().nullable().meta({
    example: 'ACME-7Q2M9',
    description: 'By which the customer knows it, such as from a bank statement.',
  }),
  provider_mandate_id: z.string().nullable(),
  collects_automatically: z.boolean().describe(AUTOMATIC),
  failure: z.string().nullable().describe('Why it ended, in a short code.'),
  version: z.number(),
  created_at: instant,
  activated_at: instant.nullable(),
  ended_at: instant.nullable(),
});
export type MandateBody = z.output<typeof MandateBody>;

export const MandatePageBody = countedPage('MandatePageBody', MandateBody);
export type MandatePageBody = z.output<typeof MandatePageBody>;

export const ListMandatesQuery = queryShape({
  ...listQuery(() => MandateBody).shape,
  customer_id: idParameter('cus'),
  status: oneOf(MANDATE_STATUSES, { optional: true }),
});
export type ListMandatesQuery = z.output<typeof ListMandatesQuery>;

/** The public form of a mandate: in answers and in events. */
export function presentMandate(mandate: Mandate): MandateBody {
  return {
    id: publicId('mand', mandate.id),
    customer_id: publicId('cus', mandate.customerId),
    gateway: mandate.gateway,
    currency: mandate.currency,
    status: mandate.status,
    url: mandate.status === 'pending' ? mandate.url : null,
    scheme: mandate.scheme,
    reference: mandate.reference,
    account_ending: mandate.accountEnding,
    provider_mandate_id: mandate.providerMandateId,
    collects_automatically: mandate.automaticSince !== null,
    failure: mandate.failure,
    version: mandate.version,
    created_at: mandate.createdAt.toISOString(),
    activated_at: mandate.activatedAt?.toISOString() ?? null,
    ended_at: mandate.endedAt?.toISOString() ?? null,
  };
}
