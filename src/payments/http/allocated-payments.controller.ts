import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DomainError } from '../../kernel/domain-error.js';
import { publicId } from '../../kernel/ids.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import {
  type AllocatedPayment,
  AllocatedPayments,
} from '../application/allocated-payments.service.js';
import { presentPayment } from '../domain/present-payment.js';
import { customerIn, documentIn } from './payment-steps.controller.js';
import {
  type AllocationRequest,
  RecordedReceiptBody,
  RecordReceiptRequest,
} from './payment-steps.dto.js';
import { termsIn } from './payment.dto.js';
import { paymentWarnings } from './payment-warnings.dto.js';

/** The codes that refuse allocations. */
export const REFUSED_ALLOCATIONS = [
  'unknown_document',
  'unknown_customer',
  'customer_mismatch',
  'currency_mismatch',
  'document_not_payable',
  'document_busy',
  'amount_exceeds_due',
  'allocations_exceed_amount',
  'paid_at_in_future',
  'date_too_early',
  'said_twice',
] as const;

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
      'amount_not_integer',
      'unknown_method',
      'invalid_id',
      'insufficient_credit',
      'same_currency',
      'exchange_rate_required',
      'worth_out_of_range',
      'conversion_not_possible',
      'validation_failed',
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
    throw DomainError.invalid('said_twice', '/allocate', 'Send either allocations or allocate.');
  }
  return allocationsOf(allocations);
}

/** How much each document gets. @throws DomainError `unknown_document`, `said_twice` */
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
