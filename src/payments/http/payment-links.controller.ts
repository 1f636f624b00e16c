import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { documentId, Documents, DocumentRefusal } from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import { instantIn } from '../../platform/http/validation/date-fields.js';
import { idIn } from '../../platform/http/validation/standard-fields.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { pageById, WHOLE } from '../../platform/http/paging.js';
import { PaymentLinks } from '../collecting/application/payment-links.service.js';
import type { PaymentLink } from '../collecting/domain/payment-link.js';
import {
  presentPaymentLink,
  ListPaymentLinksQuery,
  PaymentLinkPage,
  CreatePaymentLinkRequest,
  PaymentLinkBody,
  PaymentLinkList,
} from '../collecting/wire/payment-link.js';
import {
  type PaymentLinkFilter,
  PaymentLinksQuery,
} from '../collecting/infrastructure/payment-links.query.js';
import { GatewayRefusal } from '../port/domain/gateway-refusals.js';
import { PaymentRefusal } from '../port/domain/payment-refusals.js';

@ApiTags('payment links')
@Controller('v1/finance')
export class PaymentLinksController {
  private readonly present = (link: PaymentLink) => presentPaymentLink(link, this.clock.now());

  constructor(
    private readonly links: PaymentLinks,
    private readonly query: PaymentLinksQuery,
    private readonly documents: Documents,
    private readonly clock: Clock,
  ) {}

  @Post('documents/:id/payment-links', 'payments:write', {
    summary: 'Create a link to pay at a provider',
    description:
      'For what is due, or a part of it. The provider is asked for a pay page, whose address is in the answer. Its webhook marks the link paid.',
    example: { gateway: 'sandbox', amount: 10000 },
    creates: PaymentLinkBody,
    at: 'finance/payment-links/{id}',
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.document_not_payable,
      DocumentRefusal.payment_processing,
      GatewayRefusal.gateway_not_found,
      GatewayRefusal.gateway_not_assigned,
      GatewayRefusal.gateway_disabled,
      GatewayRefusal.gateway_unreadable,
      GatewayRefusal.gateway_unavailable,
      GatewayRefusal.gateway_refused,
      DocumentRefusal.amount_exceeds_due,
    ],
  })
  async createPaymentLink(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: CreatePaymentLinkRequest }) body: CreatePaymentLinkRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(this.present, (guard) =>
      this.links.create(
        {
          ...byClient(caller),
          documentId: documentId(id),
          gateway: body.gateway,
          amountMinor: body.amount == null ? null : BigInt(body.amount),
          expected,
          expiresInDays: body.expires_in_days ?? null,
          returnUrl: body.return_url ?? null,
          despiteProcessing: body.despite_processing ?? false,
        },
        guard,
      ),
    );
  }

  @Get('documents/:id/payment-links', 'payments:read', {
    summary: 'List the payment links of a document',
    description: 'Open, paid, failed, canceled and expired ones, oldest first.',
    answers: PaymentLinkList,
    problems: [DocumentRefusal.document_not_found],
  })
  async listPaymentLinks(@CallerOf() caller: Caller, @Param('id') id: string) {
    await this.documents.assertExists(caller.accountId, documentId(id));
    const links = await this.links.ofDocument(caller.accountId, documentId(id));
    return { data: links.map(this.present), ...WHOLE };
  }

  @Get('payment-links', 'payments:read', {
    summary: 'List payment links, newest first',
    description: 'Those of all documents, with filters that may be combined.',
    answers: PaymentLinkPage,
  })
  async listAllPaymentLinks(
    @CallerOf() caller: Caller,
    @Query({ schema: ListPaymentLinksQuery }) query: ListPaymentLinksQuery,
  ) {
    const { accountId } = caller;
    const filter = toFilter(query);
    const now = this.clock.now();
    return pageById({ list: 'payment links', filter }, query, {
      rows: async (after, count) => this.query.list(accountId, filter, now, after, count),
      present: this.present,
      total: async (most) => this.query.count(accountId, filter, now, most),
    });
  }

  @Get('payment-links/:id', 'payments:read', {
    summary: 'Read a payment link',
    description: 'With its status, the address of the pay page, and the payment that came of it.',
    answers: PaymentLinkBody,
    problems: [PaymentRefusal.payment_link_not_found],
  })
  async getPaymentLink(@CallerOf() caller: Caller, @Param('id') id: string) {
    return this.present(await this.links.find(caller.accountId, linkId(id)));
  }

  @Post('payment-links/:id/cancel', 'payments:write', {
    summary: 'Cancel an open payment link',
    description:
      'Its pay page is no longer shown. Money that is paid there all the same is not lost: it is booked, or becomes an unmatched receipt.',
    answers: PaymentLinkBody,
    problems: [PaymentRefusal.payment_link_not_found, PaymentRefusal.payment_link_not_open],
  })
  async cancelPaymentLink(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(this.present, (guard) =>
      this.links.cancel(byClient(caller), linkId(id), guard),
    );
  }
}

function toFilter(query: ListPaymentLinksQuery): PaymentLinkFilter {
  const { status, gateway, document_id, customer_id, mandate_id, currency } = query;
  return {
    status,
    gateway,
    documentId: idIn('doc', document_id),
    customerId: idIn('cus', customer_id),
    mandateId: idIn('mand', mandate_id),
    currency,
    createdFrom: instantIn(query.created_from),
    createdTo: instantIn(query.created_to),
  };
}

function linkId(text: string): Uuid {
  const uuid = uuidOf('plink', text);
  if (!uuid) throw PaymentRefusal.payment_link_not_found.of();
  return uuid;
}
