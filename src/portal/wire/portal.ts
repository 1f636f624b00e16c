import { z } from 'zod';
import {
  allBut,
  answerShape,
  queryShape,
  requestShape,
} from '../../platform/http/validation/shapes.js';
import { ChangeBody, DocumentBody, presentDocument } from '../../documents/index.js';
import { PAYMENT_METHODS } from '../../kernel/payment-method.js';
import type { PayPage, PlannedCollection } from '../../payments/index.js';
import {
  field,
  type Field,
  type FieldOptions,
  oneOf,
  passing,
} from '../../platform/http/validation/fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { paragraph, shortText } from '../../platform/http/validation/text-fields.js';
import { languageTag } from '../../platform/http/validation/standard-fields.js';
import { CLIENT_RIGHTS, type ClientSchedule, SCHEDULE_STATUSES } from '../../schedules/index.js';
import type { OpenedDocument } from '../application/portal-pages.service.js';

/** True or false as JSON has it; a box that was ticked in a form is `true` as text. */
function tick<const Options extends FieldOptions>(
  options: Options = {} as Options,
): Field<boolean | 'true', Options> {
  const rule = passing<boolean | 'true'>(
    FieldRefusal.invalid_boolean,
    (value) => typeof value === 'boolean' || value === 'true',
    'must be true or false',
  );
  const schema = { oneOf: [{ type: 'boolean' }, { type: 'string', enum: ['true'] }] };
  return field(rule, [FieldRefusal.invalid_boolean], schema, options);
}

const ANSWERS = ['accepted', 'rejected', 'end_asked', 'ended'] as const;
nameWords({ PortalAnswer: ANSWERS });

export const NAME_MAX_LENGTH = 100;
export const REASON_MAX_LENGTH = 2000;

const ProcessingBody = answerShape('ProcessingBody', {
  amount: z.number(),
  currency: z.string(),
  since: z.string().meta({ format: 'date-time' }),
});
type ProcessingBody = z.output<typeof ProcessingBody>;

const PlannedCollectionBody = answerShape('PlannedCollectionBody', {
  amount: z.number(),
  currency: z.string(),
  charge_on: z.string().meta({ format: 'date', description: 'The day of the debit.' }),
  provider: z.string().meta({ example: 'GoCardless' }),
  mandate_reference: z.string().nullable().meta({ example: 'ACME-7Q2M9' }),
  account_ending: z.string().nullable().describe('Of the bank account.'),
});
type PlannedCollectionBody = z.output<typeof PlannedCollectionBody>;

export const PortalQuery = queryShape({
  language: languageTag({
    optional: true,
    description: 'Of the page; the document’s own when absent, else one that the browser asks for.',
  }),
  payment: shortText({
    max: 60,
    optional: true,
    description:
      'The payment link that the client comes back from; the page says what became of it.',
  }),
  answered: oneOf(ANSWERS, {
    optional: true,
    description: 'The answer that the client has just given; the page thanks for it.',
  }),
});
export type PortalQuery = z.output<typeof PortalQuery>;

const ClientPaymentBody = answerShape('ClientPaymentBody', {
  amount: z.number().describe('The part of a payment that the document has.'),
  credited: z.number().describe('The part above what was due, which became credit.'),
  currency: z.string(),
  method: z.string().meta({ enum: PAYMENT_METHODS }),
  paid_at: z.string().meta({ format: 'date-time' }),
});
type ClientPaymentBody = z.output<typeof ClientPaymentBody>;

export const ClientPayPageBody = answerShape('ClientPayPageBody', {
  gateway: z.string().meta({ example: 'gateway-a' }),
  url: z.string().describe('The page of the provider.'),
  amount: z.number(),
  currency: z.string(),
  expires_at: z.string().meta({ format: 'date-time' }),
});
export type ClientPayPageBody = z.output<typeof ClientPayPageBody>;

const PortalScheduleBody = answerShape('PortalScheduleBody', {
  name: z.string().meta({ example: 'Rent, flat 4' }),
  status: z.enum(SCHEDULE_STATUSES),
  next_on: z.string().nullable().meta({
    format: 'date',
    description: 'The day of the next document; null: none is to come, or it is paused.',
  }),
  next_total: z
    .number()
    .nullable()
    .describe('With the prices and taxes of today; null where it is not known yet.'),
  currency: z.string().nullable().describe('Of `next_total`.'),
  end_date: z
    .string()
    .nullable()
    .meta({ format: 'date', description: 'The last day of its last period; null: it goes on.' }),
  client_may: z
    .enum(CLIENT_RIGHTS)
    .describe('`ask_to_end` and `end` are the routes of these names. `nothing`, once it ends.'),
  end_asked: z.boolean().describe('Whether that was asked, and nothing has changed since.'),
});
type PortalScheduleBody = z.output<typeof PortalScheduleBody>;

/** A client sees all of a document but what is the seller's own. */
export const PortalDocumentBody = answerShape('PortalDocumentBody', {
  ...allBut(DocumentBody.shape, ['metadata', 'external_id', 'collection_method']),
  changes: z.array(ChangeBody).describe('What a revision changed in the version before it.'),
  payments_processing: z
    .array(ProcessingBody)
    .describe('Payments that a provider has on their way.'),
  planned_collection: PlannedCollectionBody.nullable().describe(
    'What will be debited by the client’s mandate, so that it need not be paid.',
  ),
  schedule: PortalScheduleBody.nullable().describe(
    'That made it, and will make the next one; null: none did.',
  ),
  payments: z.array(ClientPaymentBody).describe('The newest 100, oldest first.'),
  pay_links: z
    .array(ClientPayPageBody)
    .describe('Pay pages that are open; `pay` makes one for what is due.'),
});
export type PortalDocumentBody = z.output<typeof PortalDocumentBody>;

export const AcceptRequest = requestShape('AcceptRequest', {
  name: shortText({ max: NAME_MAX_LENGTH, optional: true, example: 'Ada Lovelace' }),
  confirmed: tick({ optional: true, description: 'The page asks for it, and for the name.' }),
});
export type AcceptRequest = z.output<typeof AcceptRequest>;

export const RejectRequest = requestShape('RejectRequest', {
  reason: paragraph({ max: REASON_MAX_LENGTH, example: 'The price is not what we agreed.' }),
});
export type RejectRequest = z.output<typeof RejectRequest>;

export const PayRequest = requestShape('PayRequest', {
  gateway: shortText({
    max: 60,
    optional: true,
    description: 'Needed where the seller offers several.',
  }),
  despite_processing: tick({
    optional: true,
    description: 'Pay although money for it is on its way already.',
  }),
});
export type PayRequest = z.output<typeof PayRequest>;

export const Success = answerShape('Success', {
  success: z.literal(true),
});
export type Success = z.output<typeof Success>;

/** Leaves out the seller's own actions, and drafts that clients do not know of yet. */
export function presentPortal({
  view,
  changes,
  processing,
  collection,
  payments,
  payLinks,
  schedule,
}: OpenedDocument): PortalDocumentBody {
  const presented = presentDocument(view);
  const { metadata: _labels, external_id: _key, collection_method: _method, ...shown } = presented;
  return {
    ...shown,
    follow_ups: shown.follow_ups.filter(({ number }) => number !== null),
    available_actions: shown.available_actions.filter(({ action }) =>
      ['accept', 'reject'].includes(action),
    ),
    changes,
    payments_processing: processing.map(({ amount, since }) => ({
      amount: amount.toMinorNumber(),
      currency: amount.currency,
      since: since.toISOString(),
    })),
    planned_collection: collection && presentCollection(collection),
    schedule: schedule && presentClientSchedule(schedule),
    payments: payments.map(({ amount, credited, method, paidAt }) => ({
      amount: amount.toMinorNumber(),
      credited: credited.toMinorNumber(),
      currency: amount.currency,
      method,
      paid_at: paidAt.toISOString(),
    })),
    pay_links: payLinks.map(presentPayPage),
  };
}

function presentClientSchedule(schedule: ClientSchedule): PortalScheduleBody {
  const { name, status, nextOn, nextTotal, endDate, clientMay, isEndAsked } = schedule;
  return {
    name,
    status,
    next_on: nextOn,
    next_total: nextTotal?.toMinorNumber() ?? null,
    currency: nextTotal?.currency ?? null,
    end_date: endDate,
    client_may: clientMay,
    end_asked: isEndAsked,
  };
}

function presentCollection(planned: PlannedCollection): PlannedCollectionBody {
  const { amount, on, provider, reference, accountEnding } = planned;
  return {
    amount: amount.toMinorNumber(),
    currency: amount.currency,
    charge_on: on,
    provider,
    mandate_reference: reference,
    account_ending: accountEnding,
  };
}

export function presentPayPage(page: PayPage): ClientPayPageBody {
  const { gateway, url, amount, expiresAt, pageExpiresAt } = page;
  const end = pageExpiresAt && pageExpiresAt < expiresAt ? pageExpiresAt : expiresAt;
  return {
    gateway,
    url,
    amount: amount.toMinorNumber(),
    currency: amount.currency,
    expires_at: end.toISOString(),
  };
}
