import { Body, Controller, Get, Param, Post, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { customerId, Customers, documentId, Documents } from '../../documents/index.js';
import { DomainError } from '../../kernel/domain-error.js';
import { publicId, uuidOf } from '../../kernel/ids.js';
import { BearerAuth } from '../../platform/http/access.js';
import { ApiCreated, ApiIdempotent, ApiProblems } from '../../platform/http/openapi.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { Payments, type RecordedPayment } from '../application/payments.service.js';
import { parsePaymentMethod } from '../domain/payment-method.js';
import { presentPayment } from '../domain/present-payment.js';
import { PaymentsQuery } from '../infrastructure/payments.query.js';
import { AmountExample } from './amount-example.interceptor.js';
import {
  CreditList,
  PaymentBody,
  PaymentList,
  RecordedPaymentBody,
  RecordPaymentRequest,
  UnmatchedReceiptList,
} from './payment.dto.js';

@ApiTags('payments')
@Controller('v1/finance')
export class PaymentsController {
  constructor(
    private readonly payments: Payments,
    private readonly query: PaymentsQuery,
    private readonly documents: Documents,
    private readonly customers: Customers,
  ) {}

  @Post('documents/:id/payments')
  @BearerAuth('payments:write')
  @UseInterceptors(AmountExample)
  @ApiOperation({ summary: 'Record a payment', operationId: 'recordPayment' })
  @ApiIdempotent()
  @ApiCreated(RecordedPaymentBody)
  @ApiProblems(
    'document_not_found',
    'document_not_payable',
    'document_busy',
    'amount_exceeds_due',
    'amount_not_integer',
    'unknown_method',
    'currency_mismatch',
    'insufficient_credit',
    'validation_failed',
    'database_unavailable',
  )
  async record(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: RecordPaymentRequest,
    @OnceOnly() once: Once,
  ): Promise<RecordedPaymentBody> {
    const command = {
      accountId: caller.accountId,
      clientId: caller.clientId,
      amountMinor: BigInt(body.amount),
      method: parsePaymentMethod(body.method) ?? 'other',
      currency: body.currency ?? null,
      reference: body.reference || null,
      note: body.note || null,
      metadata: body.metadata ?? {},
      paidAt: body.paid_at == null ? null : new Date(body.paid_at),
      onOverpayment: body.on_overpayment ?? 'reject',
      warnOfSimilar: !once.hasKey,
    };
    return once.run(presentRecorded, (guard) =>
      this.payments.record({ ...command, documentId: documentId(id) }, guard),
    );
  }

  @Get('documents/:id/payments')
  @BearerAuth('payments:read')
  @ApiOperation({ summary: 'Payments of a document', operationId: 'listDocumentPayments' })
  @ApiOkResponse({ type: PaymentList })
  @ApiProblems('document_not_found')
  async ofDocument(@CallerOf() caller: Caller, @Param('id') id: string): Promise<PaymentList> {
    await this.documents.assertExists(caller.accountId, documentId(id));
    return { data: await this.query.ofDocument(caller.accountId, documentId(id)) };
  }

  @Get('payments/:id')
  @BearerAuth('payments:read')
  @ApiOperation({ summary: 'Read a payment', operationId: 'getPayment' })
  @ApiOkResponse({ type: PaymentBody })
  @ApiProblems('payment_not_found')
  async get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<PaymentBody> {
    const uuid = uuidOf('pay', id);
    const payment = uuid && (await this.query.find(caller.accountId, uuid));
    if (payment) return payment;
    throw DomainError.notFound('payment_not_found', 'There is no such payment.');
  }

  @Get('customers/:id/credit')
  @BearerAuth('payments:read')
  @ApiOperation({ summary: 'What a customer has overpaid', operationId: 'getCustomerCredit' })
  @ApiOkResponse({ type: CreditList })
  @ApiProblems('customer_not_found')
  async credit(@CallerOf() caller: Caller, @Param('id') id: string): Promise<CreditList> {
    const customer = await this.customers.find(caller.accountId, customerId(id));
    return { data: await this.query.creditOf(caller.accountId, customer.id) };
  }

  @Get('unmatched-receipts')
  @BearerAuth('payments:read')
  @ApiOperation({
    summary: 'Money that a provider took and no document could take',
    operationId: 'listUnmatchedReceipts',
  })
  @ApiOkResponse({ type: UnmatchedReceiptList })
  async unmatched(@CallerOf() caller: Caller): Promise<UnmatchedReceiptList> {
    return { data: await this.query.unmatched(caller.accountId) };
  }
}

function presentRecorded({ payment, document, similar }: RecordedPayment): RecordedPaymentBody {
  return {
    success: true,
    amount_paid: document.state.amountPaid.toMinorNumber(),
    amount_due: document.amountDue.toMinorNumber(),
    status: document.status,
    payment: presentPayment(payment),
    ...(similar && {
      warnings: [
        {
          code: 'similar_payment',
          message:
            'A payment with the same amount, method and reference was recorded in the last day; ' +
            'send an Idempotency-Key to make repeats safe.',
          payment_id: publicId('pay', similar),
        },
      ],
    }),
  };
}
