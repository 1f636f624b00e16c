import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DomainError } from '../../kernel/domain-error.js';
import { publicId, type Uuid, uuidOf } from '../../kernel/ids.js';
import { BearerAuth } from '../../platform/http/access.js';
import { ApiCreated, ApiIdempotent, ApiProblems } from '../../platform/http/openapi.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { Allocations, type Place } from '../application/allocations.service.js';
import { type RecordedReceipt, Receipts } from '../application/receipts.service.js';
import type { Holding } from '../domain/holding.js';
import { paymentNotFound, unknownDocument } from '../domain/payment-refusals.js';
import { presentHolding } from '../domain/present-holding.js';
import { presentPayment } from '../domain/present-payment.js';
import {
  type AllocationRequest,
  MoveRequest,
  RecordedReceiptBody,
  RecordReceiptRequest,
  ReverseRequest,
} from './payment-steps.dto.js';
import { PaymentDetailBody, termsIn } from './payment.dto.js';

/** What says how much of some money each document takes is refused with. */
export const REFUSED_RECEIPTS = [
  'unknown_document',
  'unknown_customer',
  'customer_mismatch',
  'currency_mismatch',
  'document_not_payable',
  'document_busy',
  'amount_exceeds_due',
  'allocations_exceed_amount',
  'paid_at_in_future',
  'said_twice',
];

/** Payments over several documents, and what becomes of payments. */
@ApiTags('payments')
@Controller('v1/finance/payments')
export class PaymentStepsController {
  constructor(
    private readonly receipts: Receipts,
    private readonly allocations: Allocations,
  ) {}

  @Post()
  @BearerAuth('payments:write')
  @ApiOperation({
    summary: 'Record one payment for several documents, or for a customer',
    operationId: 'recordReceipt',
  })
  @ApiIdempotent()
  @ApiCreated(RecordedReceiptBody)
  @ApiProblems(
    ...REFUSED_RECEIPTS,
    'amount_not_integer',
    'unknown_method',
    'insufficient_credit',
    'validation_failed',
    'database_unavailable',
  )
  async record(
    @CallerOf() caller: Caller,
    @Body() body: RecordReceiptRequest,
    @OnceOnly() once: Once,
  ): Promise<RecordedReceiptBody> {
    const command = {
      ...termsIn(body),
      accountId: caller.accountId,
      source: { by: 'client' as const, clientId: caller.clientId },
      customerId: body.customer_id == null ? null : customerIn(body.customer_id),
      allocate: allocationsIn(body),
    };
    return once.run(presentReceipt, (guard) => this.receipts.record(command, guard));
  }

  @Post(':id/allocations')
  @HttpCode(200)
  @BearerAuth('payments:write')
  @ApiOperation({
    summary: 'Move a part of a payment to another document, to credit or from it',
    operationId: 'movePayment',
  })
  @ApiIdempotent()
  @ApiOkResponse({ type: PaymentDetailBody })
  @ApiProblems(
    'payment_not_found',
    'payment_reversed',
    'unknown_document',
    'customer_mismatch',
    'currency_mismatch',
    'document_not_payable',
    'document_busy',
    'amount_exceeds_due',
    'amount_exceeds_allocated',
    'insufficient_credit',
    'same_place',
    'validation_failed',
    'database_unavailable',
  )
  async move(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: MoveRequest,
    @OnceOnly() once: Once,
  ): Promise<PaymentDetailBody> {
    return once.run(presentHolding, (guard) => {
      const move = {
        paymentId: paymentId(id),
        from: placeIn(body.from, '/from'),
        to: placeIn(body.to, '/to'),
        amountMinor: body.amount == null ? null : BigInt(body.amount),
      };
      return this.allocations.move(byClient(caller), move, guard);
    });
  }

  @Post(':id/reverse')
  @HttpCode(200)
  @BearerAuth('payments:write')
  @ApiOperation({
    summary: 'Take a wrong payment out of the books: it stays, and so does its reversal',
    operationId: 'reversePayment',
  })
  @ApiIdempotent()
  @ApiOkResponse({ type: PaymentDetailBody })
  @ApiProblems(
    'payment_not_found',
    'payment_reversed',
    'payment_refunded',
    'payment_not_reversible',
    'customer_credit_spent',
    'document_busy',
    'validation_failed',
    'database_unavailable',
  )
  async reverse(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: ReverseRequest,
    @OnceOnly() once: Once,
  ): Promise<PaymentDetailBody> {
    return once.run(presentHolding, (guard): Promise<Holding> =>
      this.allocations.reverse(
        byClient(caller),
        caller.clientId,
        paymentId(id),
        body.reason || null,
        guard,
      ),
    );
  }
}

/** @throws DomainError `payment_not_found` for text that is no payment id */
export function paymentId(text: string): Uuid {
  const id = uuidOf('pay', text);
  if (!id) throw paymentNotFound();
  return id;
}

/** @throws DomainError `invalid_id` */
export function customerIn(text: string): Uuid {
  const id = uuidOf('cus', text);
  if (id) return id;
  throw DomainError.invalid(
    'invalid_id',
    '/customer_id',
    'customer_id must be a customer id, cus_...',
  );
}

/** @throws DomainError `unknown_document` */
export function documentIn(text: string, pointer: string): Uuid {
  const id = uuidOf('doc', text);
  if (!id) throw unknownDocument(pointer);
  return id;
}

function placeIn(text: string, pointer: string): Place {
  return text === 'credit' ? text : documentIn(text, pointer);
}

function allocationsIn({ allocations, allocate }: RecordReceiptRequest) {
  if (!allocations) return allocate ?? 'none';
  if (allocate) {
    throw DomainError.invalid('said_twice', '/allocate', 'Send either allocations or allocate.');
  }
  return allocationsOf(allocations);
}

/** What each document gets. @throws DomainError `unknown_document`, `said_twice` */
export function allocationsOf(allocations: readonly AllocationRequest[]) {
  const seen = new Set<string>();
  return allocations.map(({ document_id, amount }, index) => {
    const pointer = `/allocations/${index}/document_id`;
    const documentId = documentIn(document_id, pointer);
    if (seen.has(documentId)) {
      throw DomainError.invalid('said_twice', pointer, 'Name each document once.');
    }
    seen.add(documentId);
    return { documentId, amountMinor: amount == null ? null : BigInt(amount) };
  });
}

function presentReceipt({ payment, parts }: RecordedReceipt): RecordedReceiptBody {
  return {
    success: true,
    payment: presentPayment(payment),
    documents: parts.map(({ document, applied }) => ({
      id: publicId('doc', document.state.id),
      number: document.state.number,
      applied: applied.toMinorNumber(),
      amount_paid: document.state.amountPaid.toMinorNumber(),
      amount_due: document.amountDue.toMinorNumber(),
      status: document.status,
    })),
    credited: payment.amount.minus(payment.applied).toMinorNumber(),
  };
}
