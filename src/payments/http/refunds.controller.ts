import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { BearerAuth } from '../../platform/http/access.js';
import { NoFields } from '../../platform/http/fields.js';
import { ApiCreated, ApiIdempotent, ApiProblems } from '../../platform/http/openapi.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import type { RequestRefund } from '../application/refund-planning.js';
import type { SeenRefund } from '../application/refund-settlement.js';
import { Refunds } from '../application/refunds.service.js';
import { paymentNotFound } from '../domain/payment-refusals.js';
import { presentHolding } from '../domain/present-holding.js';
import { presentRefund } from '../domain/present-refund.js';
import { type RefundFrom, refundNotFound } from '../domain/refund.js';
import { presentUnmatchedReceipt } from '../domain/unmatched-receipt.js';
import { HoldingsQuery } from '../infrastructure/holdings.query.js';
import { RefundsQuery } from '../infrastructure/refunds.query.js';
import { documentIn, paymentId } from './payment-steps.controller.js';
import {
  RefundBody,
  RefundedBody,
  RefundList,
  refundMethod,
  RefundPaymentRequest,
  type RefundReceiptRequest,
} from './refund.dto.js';

@ApiTags('refunds')
@Controller('v1/finance')
export class RefundsController {
  constructor(
    private readonly refunds: Refunds,
    private readonly query: RefundsQuery,
    private readonly holdings: HoldingsQuery,
  ) {}

  @Post('payments/:id/refunds')
  @BearerAuth('refunds:write')
  @ApiOperation({
    summary: 'Refund a payment, in full or part, through its gateway or by hand',
    description:
      'A provider that does not answer leaves the refund `unknown`: its money is set aside, and the ' +
      'provider is asked until it tells. Read the refund to see how it ended.',
    operationId: 'refundPayment',
  })
  @ApiIdempotent()
  @ApiCreated(RefundedBody)
  @ApiProblems(
    'payment_not_found',
    'payment_reversed',
    'payment_not_refundable',
    'amount_exceeds_refundable',
    'amount_not_integer',
    'currency_mismatch',
    'unknown_method',
    'unknown_document',
    'document_busy',
    'validation_failed',
    'database_unavailable',
  )
  async refund(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: RefundPaymentRequest,
    @OnceOnly() once: Once,
  ): Promise<RefundedBody> {
    return once.run(presentSeen, (guard) => {
      const of = { paymentId: paymentId(id) };
      const command = { ...termsOf(caller, body), of, from: placeIn(body.from) };
      return this.refunds.request(command, guard);
    });
  }

  @Get('payments/:id/refunds')
  @BearerAuth('payments:read')
  @ApiOperation({ summary: 'Refunds of a payment, oldest first', operationId: 'listRefunds' })
  @ApiOkResponse({ type: RefundList })
  @ApiProblems('payment_not_found')
  async ofPayment(@CallerOf() caller: Caller, @Param('id') id: string): Promise<RefundList> {
    const { accountId } = caller;
    const payment = paymentId(id);
    if (!(await this.holdings.find(accountId, payment))) throw paymentNotFound();
    const refunds = await this.query.ofPayment(accountId, payment);
    return { data: refunds.map(presentRefund) };
  }

  @Get('refunds/:id')
  @BearerAuth('payments:read')
  @ApiOperation({ summary: 'Read a refund', operationId: 'getRefund' })
  @ApiOkResponse({ type: RefundBody })
  @ApiProblems('refund_not_found')
  async get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<RefundBody> {
    return presentRefund(await this.query.get(caller.accountId, refundId(id)));
  }

  @Post('refunds/:id/look-up')
  @HttpCode(200)
  @BearerAuth('refunds:write')
  @ApiOperation({
    summary: 'Ask the provider now what became of a refund',
    operationId: 'lookUpRefund',
  })
  @ApiIdempotent()
  @ApiOkResponse({ type: RefundedBody })
  @ApiProblems('refund_not_found', 'document_busy', 'database_unavailable')
  async lookUp(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() _body: NoFields,
    @OnceOnly() once: Once,
  ): Promise<RefundedBody> {
    return once.run(presentSeen, (guard) =>
      this.refunds.lookUp(caller.accountId, refundId(id), guard),
    );
  }
}

/** What every refund says, of a payment or of a receipt. */
export function termsOf(
  { accountId, clientId }: Caller,
  body: RefundReceiptRequest,
): Omit<RequestRefund, 'of' | 'from'> {
  return {
    accountId,
    clientId,
    amountMinor: body.amount == null ? null : BigInt(body.amount),
    currency: body.currency ?? null,
    method: body.method == null ? null : (refundMethod(body.method) ?? null),
    reference: body.reference || null,
    reason: body.reason || null,
  };
}

export function presentSeen({ refund, holding, receipt }: SeenRefund): RefundedBody {
  return {
    refund: presentRefund(refund),
    ...(holding && { payment: presentHolding(holding) }),
    ...(receipt && { receipt: presentUnmatchedReceipt(receipt) }),
  };
}

function placeIn(text: string | undefined): RefundFrom {
  if (text == null) return null;
  return text === 'credit' ? text : { documentId: documentIn(text, '/from') };
}

function refundId(text: string): Uuid {
  const id = uuidOf('rfnd', text);
  if (!id) throw refundNotFound();
  return id;
}
