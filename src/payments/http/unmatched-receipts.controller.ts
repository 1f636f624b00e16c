import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { pageById } from '../../platform/http/paging.js';
import { instantIn } from '../../platform/http/validation/date-fields.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { Refunds } from '../returning/application/refunds/refunds.service.js';
import {
  type AssignedUnmatchedReceipt,
  UnmatchedReceipts,
} from '../recording/application/unmatched-receipts.service.js';
import { presentPayment } from '../recording/wire/payment.js';
import {
  presentUnmatchedReceipt,
  AssignedReceiptBody,
  AssignReceiptRequest,
  ListUnmatchedReceiptsQuery,
  UnmatchedReceiptBody,
  UnmatchedReceiptPage,
} from '../recording/wire/unmatched-receipt.js';
import { UnmatchedReceiptsQuery } from '../recording/infrastructure/unmatched-receipts.query.js';
import { countedIn } from '../recording/wire/conversion.js';
import { customerIn, documentIn } from '../recording/wire/payment-steps.js';
import { paymentWarnings } from '../recording/wire/payment-warnings.js';
import { presentSeen, termsOf } from './refunds.controller.js';
import { RefundedBody, RefundReceiptRequest } from '../returning/wire/refund.js';
import { PaymentRefusal } from '../port/domain/payment-refusals.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { DocumentRefusal } from '../../documents/index.js';

/** Money from a provider that no document could take. It is assigned, or given back. */
@ApiTags('unmatched receipts')
@Controller('v1/finance/unmatched-receipts')
export class UnmatchedReceiptsController {
  constructor(
    private readonly receipts: UnmatchedReceipts,
    private readonly query: UnmatchedReceiptsQuery,
    private readonly refunds: Refunds,
  ) {}

  @Get('', 'payments:read', {
    summary: 'List money from providers that no document could take, newest first',
    description:
      'The money is real and is in the books as `unmatched_receipts`, until it is assigned or refunded.',
    answers: UnmatchedReceiptPage,
  })
  async listUnmatchedReceipts(
    @CallerOf() caller: Caller,
    @Query({ schema: ListUnmatchedReceiptsQuery }) query: ListUnmatchedReceiptsQuery,
  ) {
    const { status = 'open' } = query;
    return pageById({ list: 'unmatched-receipts', status }, query, {
      rows: async (after, count) => this.query.list(caller.accountId, status, after, count),
      present: presentUnmatchedReceipt,
      total: async (most) => this.query.count(caller.accountId, status, most),
    });
  }

  @Get(':id', 'payments:read', {
    summary: 'Read an unmatched receipt',
    description: 'With the reason why no document took it, and what became of it.',
    answers: UnmatchedReceiptBody,
    problems: [PaymentRefusal.receipt_not_found],
  })
  async getUnmatchedReceipt(@CallerOf() caller: Caller, @Param('id') id: string) {
    return presentUnmatchedReceipt(await this.query.get(caller.accountId, receiptId(id)));
  }

  @Post(':id/assign', 'payments:write', {
    summary: 'Assign an unmatched receipt to a document or a customer',
    description: 'It becomes a payment of the documents that you name, or credit of the customer.',
    answers: AssignedReceiptBody,
    example: { document_id: 'doc_01h455vb4pex5vsknk084sn02q' },
    problems: [
      PaymentRefusal.receipt_not_found,
      PaymentRefusal.receipt_settled,
      PaymentRefusal.payment_disputed,
      PaymentRefusal.refund_under_way,
      FieldRefusal.invalid_id,
      PaymentRefusal.unknown_document,
      DocumentRefusal.unknown_customer,
      PaymentRefusal.currency_mismatch,
      DocumentRefusal.document_not_payable,
      FieldRefusal.date_in_future,
      FieldRefusal.date_too_early,
      FieldRefusal.one_value_required,
      FieldRefusal.required,
      FieldRefusal.same_currency,
      PaymentRefusal.exchange_rate_required,
      PaymentRefusal.worth_out_of_range,
      FieldRefusal.validation_failed,
    ],
  })
  async assignUnmatchedReceipt(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: AssignReceiptRequest }) body: AssignReceiptRequest,
    @OnceOnly() once: Once,
  ) {
    const { accountId, clientId } = caller;
    return once.run(presentAssigned, (guard) =>
      this.receipts.assign(
        {
          accountId,
          clientId,
          receiptId: receiptId(id),
          to: homeIn(body),
          countsAs: countedIn(body.counts_as),
          assignedAt: instantIn(body.assigned_at) ?? null,
        },
        guard,
      ),
    );
  }

  @Post(':id/refunds', 'refunds:write', {
    summary: 'Refund an unmatched receipt',
    description: 'The money goes back through its gateway, or is recorded as given back by hand.',
    example: { amount: 100, method: 'bank_transfer' },
    creates: RefundedBody,
    at: 'finance/refunds/{refund.id}',
    problems: [
      PaymentRefusal.receipt_not_found,
      PaymentRefusal.receipt_settled,
      PaymentRefusal.payment_disputed,
      PaymentRefusal.payment_not_refundable,
      PaymentRefusal.amount_exceeds_refundable,
      FieldRefusal.amount_not_integer,
      PaymentRefusal.currency_mismatch,
      FieldRefusal.unknown_method,
      PaymentRefusal.paid_from_mismatch,
      PaymentRefusal.refund_dated_by_gateway,
      FieldRefusal.date_in_future,
      FieldRefusal.date_too_early,
      FieldRefusal.validation_failed,
    ],
  })
  async refundUnmatchedReceipt(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: RefundReceiptRequest }) body: RefundReceiptRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentSeen, (guard) => {
      const of = { receiptId: receiptId(id) };
      return this.refunds.request(
        { ...termsOf(caller, body), of, from: null, paidOut: null, meaning: null },
        guard,
      );
    });
  }
}

function presentAssigned(assigned: AssignedUnmatchedReceipt): AssignedReceiptBody {
  return {
    receipt: presentUnmatchedReceipt(assigned.receipt),
    payment: presentPayment(assigned.payment),
    ...paymentWarnings(assigned.bookedOn),
  };
}

function homeIn({ document_id, customer_id }: AssignReceiptRequest) {
  if (document_id != null && customer_id == null) {
    return { documentId: documentIn(document_id, '/document_id') };
  }
  if (customer_id != null && document_id == null) return { customerId: customerIn(customer_id) };
  throw FieldRefusal.one_value_required.at(
    '/document_id',
    'Send either document_id or customer_id.',
  );
}

function receiptId(text: string): Uuid {
  const id = uuidOf('rcpt', text);
  if (!id) throw PaymentRefusal.receipt_not_found.of();
  return id;
}
