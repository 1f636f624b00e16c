import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  allocationsOf,
  REFUSED_ALLOCATIONS,
  customerIn,
  RecordedReceiptBody,
  RecordReceiptRequest,
} from '../recording/wire/payment-steps.js';
import { publicId } from '../../kernel/ids.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import {
  type AllocatedPayment,
  AllocatedPayments,
} from '../recording/application/allocated-payments.service.js';
import { presentPayment, termsIn } from '../recording/wire/payment.js';
import { paymentWarnings } from '../recording/wire/payment-warnings.js';
import { PaymentRefusal } from '../port/domain/payment-refusals.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

/** Payments over several documents, or of a customer alone. */
@ApiTags('payments')
@Controller('v1/finance/payments')
export class AllocatedPaymentsController {
  constructor(private readonly payments: AllocatedPayments) {}

  @Post('', 'payments:write', {
    summary: 'Record one payment for several documents, or for a customer',
    description:
      'Say the part of each document, or let the oldest be paid first. What is left is credit of the customer.',
    creates: RecordedReceiptBody,
    at: 'finance/payments/{payment.id}',
    example: {
      amount: 25_000,
      method: 'bank_transfer',
      allocations: [{ document_id: 'doc_01h455vb4pex5vsknk084sn02q' }],
    },
    problems: [
      ...REFUSED_ALLOCATIONS,
      FieldRefusal.amount_not_integer,
      FieldRefusal.unknown_method,
      FieldRefusal.invalid_id,
      FieldRefusal.insufficient_credit,
      FieldRefusal.same_currency,
      PaymentRefusal.exchange_rate_required,
      PaymentRefusal.worth_out_of_range,
      PaymentRefusal.conversion_not_possible,
      FieldRefusal.validation_failed,
    ],
  })
  async recordReceipt(
    @CallerOf() caller: Caller,
    @Body({ schema: RecordReceiptRequest }) body: RecordReceiptRequest,
    @OnceOnly() once: Once,
  ) {
    const command = {
      ...termsIn(body),
      accountId: caller.accountId,
      source: { by: 'client' as const, clientId: caller.clientId },
      customerId: body.customer_id == null ? null : customerIn(body.customer_id),
      allocate: allocationsIn(body),
    };
    return once.run(presentRecorded, (guard) => this.payments.record(command, guard));
  }
}

function allocationsIn({ allocations, allocate }: RecordReceiptRequest) {
  if (!allocations) return allocate ?? 'none';
  if (allocate) {
    throw FieldRefusal.said_twice.at('/allocate', 'Send either allocations or allocate.');
  }
  return allocationsOf(allocations);
}

function presentRecorded({ payment, parts, bookedOn }: AllocatedPayment): RecordedReceiptBody {
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
    ...paymentWarnings(
      bookedOn,
      null,
      parts.map(({ document }) => document),
    ),
  };
}
