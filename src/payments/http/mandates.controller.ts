import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { customerId, documentId, DocumentRefusal } from '../../documents/index.js';
import { Clock } from '../../kernel/clock.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { pageById } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Patch, Post } from '../../platform/http/route.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import { idIn } from '../../platform/http/validation/standard-fields.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { Collections } from '../collecting/application/mandates/collections.service.js';
import { Mandates } from '../collecting/application/mandates/mandates.service.js';
import {
  presentMandate,
  CollectDocumentRequest,
  CreateMandateRequest,
  ListMandatesQuery,
  MandateBody,
  MandatePageBody,
  PatchMandateRequest,
} from '../collecting/wire/mandate.js';
import { presentPaymentLink, PaymentLinkBody } from '../collecting/wire/payment-link.js';
import { MandatesQuery } from '../collecting/infrastructure/mandates/mandates.query.js';
import { GatewayRefusal } from '../port/domain/gateway-refusals.js';
import { PaymentRefusal } from '../port/domain/payment-refusals.js';

/** Consents of customers to be debited, and debits of what their documents ask for. */
@ApiTags('mandates')
@Controller('v1/finance')
export class MandatesController {
  constructor(
    private readonly mandates: Mandates,
    private readonly collections: Collections,
    private readonly query: MandatesQuery,
    private readonly clock: Clock,
  ) {}

  @Post('customers/:id/mandates', 'payments:write', {
    summary: 'Ask a customer for a mandate',
    description:
      'The provider makes a page, whose address is in the answer. There the customer agrees to be debited. The provider keeps the bank account.',
    example: { gateway: 'sandbox', currency: 'EUR', collects_automatically: true },
    creates: MandateBody,
    at: 'finance/mandates/{id}',
    problems: [
      DocumentRefusal.customer_not_found,
      DocumentRefusal.customer_erased,
      GatewayRefusal.gateway_not_found,
      GatewayRefusal.gateway_not_assigned,
      GatewayRefusal.gateway_disabled,
      GatewayRefusal.gateway_unreadable,
      GatewayRefusal.gateway_keeps_no_mandates,
      GatewayRefusal.gateway_unavailable,
      GatewayRefusal.gateway_refused,
    ],
  })
  async createMandate(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: CreateMandateRequest }) body: CreateMandateRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentMandate, (guard) =>
      this.mandates.request(
        {
          ...byClient(caller),
          customerId: customerId(id),
          gateway: body.gateway,
          currency: body.currency,
          collectsAutomatically: body.collects_automatically ?? false,
          returnUrl: body.return_url ?? null,
        },
        guard,
      ),
    );
  }

  @Get('mandates', 'payments:read', {
    summary: 'List mandates, newest first',
    description: 'By customer or status, also those that are over.',
    answers: MandatePageBody,
  })
  async listMandates(
    @CallerOf() caller: Caller,
    @Query({ schema: ListMandatesQuery }) query: ListMandatesQuery,
  ) {
    const { status } = query;
    const filter = { status, customerId: idIn('cus', query.customer_id) };
    return pageById({ list: 'mandates', filter }, query, {
      rows: async (after, count) => this.query.list(caller.accountId, filter, after, count),
      present: presentMandate,
      total: async (most) => this.query.count(caller.accountId, filter, most),
    });
  }

  @Get('mandates/:id', 'payments:read', {
    summary: 'Read a mandate',
    description: 'As the provider told last how it stands.',
    answers: MandateBody,
    problems: [PaymentRefusal.mandate_not_found],
  })
  async getMandate(@CallerOf() caller: Caller, @Param('id') id: string) {
    return presentMandate(await this.query.get(caller.accountId, mandateId(id)));
  }

  @Patch('mandates/:id', 'payments:write', {
    summary: 'Change whether a mandate collects by itself',
    description:
      'The body is a JSON Merge Patch. It counts for invoices that are not overdue yet, from now on.',
    example: { collects_automatically: true },
    takes: 'mergePatch',
    answers: MandateBody,
    problems: [PaymentRefusal.mandate_not_found],
  })
  async updateMandate(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: PatchMandateRequest }) body: PatchMandateRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const isAutomatic = body.collects_automatically ?? null;
    return once.run(presentMandate, (guard) =>
      this.mandates.setAutomatic(byClient(caller), mandateId(id), isAutomatic, expected, guard),
    );
  }

  @Post('mandates/:id/cancel', 'payments:write', {
    summary: 'Cancel a mandate',
    description:
      'The provider ends it, and cancels debits by it that were not sent to the bank yet. It cannot be taken back.',
    answers: MandateBody,
    problems: [
      PaymentRefusal.mandate_not_found,
      PaymentRefusal.mandate_over,
      GatewayRefusal.gateway_not_found,
      GatewayRefusal.gateway_unreadable,
      GatewayRefusal.gateway_keeps_no_mandates,
      GatewayRefusal.gateway_unavailable,
    ],
  })
  async cancelMandate(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentMandate, (guard) =>
      this.mandates.cancel(byClient(caller), mandateId(id), guard),
    );
  }

  @Post('documents/:id/collect', 'payments:write', {
    summary: 'Collect what is due by a mandate',
    description:
      'The customer is debited on the due date, or on another day. The answer is a payment link without a page; it is paid, or fails, as the provider tells.',
    example: {},
    creates: PaymentLinkBody,
    at: 'finance/payment-links/{id}',
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.document_not_payable,
      PaymentRefusal.mandate_not_active,
      PaymentRefusal.mandate_currency_mismatch,
      PaymentRefusal.collection_under_way,
      DocumentRefusal.payment_processing,
      PaymentRefusal.charge_date_out_of_range,
      GatewayRefusal.gateway_refused,
    ],
  })
  async collectDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: CollectDocumentRequest }) body: CollectDocumentRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const present = (link: Parameters<typeof presentPaymentLink>[0]) =>
      presentPaymentLink(link, this.clock.now());
    return once.run(present, (guard) =>
      this.collections.collect(
        {
          ...byClient(caller),
          documentId: documentId(id),
          chargeOn: body.charge_date ?? null,
          expected,
        },
        guard,
      ),
    );
  }
}

function mandateId(text: string): Uuid {
  const uuid = uuidOf('mand', text);
  if (!uuid) throw PaymentRefusal.mandate_not_found.of();
  return uuid;
}
