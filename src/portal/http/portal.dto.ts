import { ApiProperty } from '@nestjs/swagger';
import { AllBut } from '../../platform/http/validation/composed-bodies.js';
import { ChangeBody, DocumentBody, presentDocument } from '../../documents/index.js';
import { PAYMENT_METHODS } from '../../kernel/payment-method.js';
import type { PayPage, PlannedCollection } from '../../payments/index.js';
import { OneOf, Paragraph, Text, Tick } from '../../platform/http/validation/fields.js';
import { LanguageTag } from '../../platform/http/validation/standard-fields.js';
import type { PortalDocument } from '../application/portal-pages.service.js';
import { NAME_MAX_LENGTH, REASON_MAX_LENGTH } from './portal-answer.js';

class ProcessingBody {
  @ApiProperty() amount!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ format: 'date-time' }) since!: string;
}

class PlannedCollectionBody {
  @ApiProperty() amount!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ format: 'date', description: 'The day of the debit.' }) charge_on!: string;
  @ApiProperty({ example: 'GoCardless' }) provider!: string;
  @ApiProperty({ type: String, nullable: true, example: 'ACME-7Q2M9' })
  mandate_reference!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Of the bank account.' })
  account_ending!: string | null;
}

export class PortalQuery {
  @LanguageTag({
    optional: true,
    description: 'Of the page; the document’s own when absent, else one that the browser asks for.',
  })
  language?: string;

  @Text({
    max: 60,
    optional: true,
    description:
      'The payment link that the client comes back from; the page says what became of it.',
  })
  payment?: string;

  @OneOf(['accepted', 'rejected'], {
    optional: true,
    description: 'The answer that the client has just given; the page thanks for it.',
  })
  answered?: string;
}

class ClientPaymentBody {
  @ApiProperty({ description: 'The part of a payment that the document has.' }) amount!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ enum: PAYMENT_METHODS }) method!: string;
  @ApiProperty({ format: 'date-time' }) paid_at!: string;
}

export class ClientPayPageBody {
  @ApiProperty({ example: 'gateway-a' }) gateway!: string;
  @ApiProperty({ description: 'The page of the provider.' }) url!: string;
  @ApiProperty() amount!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ format: 'date-time' }) expires_at!: string;
}

/** A client sees all of a document but what is the seller's own. */
export class PortalDocumentBody extends AllBut(DocumentBody, [
  'metadata',
  'external_id',
  'collection_method',
]) {
  @ApiProperty({
    type: [ChangeBody],
    description: 'What a revision changed in the version before it.',
  })
  changes!: ChangeBody[];
  @ApiProperty({
    type: [ProcessingBody],
    description: 'Payments that a provider has on their way.',
  })
  payments_processing!: ProcessingBody[];
  @ApiProperty({
    type: PlannedCollectionBody,
    nullable: true,
    description: 'What will be debited by the client’s mandate, so that it need not be paid.',
  })
  planned_collection!: PlannedCollectionBody | null;
  @ApiProperty({ type: [ClientPaymentBody], description: 'The newest 100, oldest first.' })
  payments!: ClientPaymentBody[];
  @ApiProperty({
    type: [ClientPayPageBody],
    description: 'Pay pages that are open; `pay` makes one for what is due.',
  })
  pay_links!: ClientPayPageBody[];
}

export class AcceptRequest {
  @Text({ max: NAME_MAX_LENGTH, optional: true, example: 'Ada Lovelace' })
  name?: string;

  @Tick({ optional: true, description: 'The page asks for it, and for the name.' })
  confirmed?: boolean | 'true';
}

export class RejectRequest {
  @Paragraph({ max: REASON_MAX_LENGTH, example: 'The price is not what we agreed.' })
  reason!: string;
}

export class PayRequest {
  @Text({ max: 60, optional: true, description: 'Needed where the seller offers several.' })
  gateway?: string;

  @Tick({ optional: true, description: 'Pay although money for it is on its way already.' })
  despite_processing?: boolean | 'true';
}

export class Success {
  @ApiProperty({ enum: [true] })
  success!: true;
}

/** Leaves out the seller's own actions, and drafts that clients do not know of yet. */
export function presentPortal({
  view,
  changes,
  processing,
  collection,
  payments,
  payLinks,
}: PortalDocument): PortalDocumentBody {
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
    payments: payments.map(({ amount, method, paidAt }) => ({
      amount: amount.toMinorNumber(),
      currency: amount.currency,
      method,
      paid_at: paidAt.toISOString(),
    })),
    pay_links: payLinks.map(presentPayPage),
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
