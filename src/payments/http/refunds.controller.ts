import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { instantIn, NoFields } from '../../platform/http/validation/fields.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import {
  Cursors,
  DEFAULT_PAGE_SIZE,
  toPage,
  WHOLE,
  withTotalCount,
} from '../../platform/http/paging.js';
import { idIn } from '../../platform/http/validation/standard-fields.js';
import type { RequestRefund } from '../application/refunds/refund-planning.js';
import type { SeenRefund } from '../application/refunds/refund-settlement.js';
import { RefundUndoings } from '../application/refunds/refund-undoings.service.js';
import { Refunds } from '../application/refunds/refunds.service.js';
import { paymentNotFound } from '../domain/payment-refusals.js';
import { presentHolding } from '../domain/present-holding.js';
import { presentBookedRefund } from '../domain/present-refund.js';
import { refundNotFound } from '../domain/refund.js';
import type { RefundFrom } from '../domain/refund-plan.js';
import { presentUnmatchedReceipt } from '../domain/unmatched-receipt.js';
import { HoldingsQuery } from '../infrastructure/holdings.query.js';
import { type RefundFilter, RefundsQuery } from '../infrastructure/refunds.query.js';
import { foreignIn } from './conversion.dto.js';
import { documentIn, paymentId } from './payment-steps.controller.js';
import { paymentWarnings } from './payment.dto.js';
import { ListRefundsQuery, RefundPage } from './refund-list.dto.js';
import {
  RefundBody,
  RefundedBody,
  RefundList,
  refundMethod,
  RefundPaymentRequest,
  ReverseRefundRequest,
  type RefundReceiptRequest,
} from './refund.dto.js';

@ApiTags('refunds')
@Controller('v1/finance')
export class RefundsController {
  constructor(
    private readonly refunds: Refunds,
    private readonly undoings: RefundUndoings,
    private readonly query: RefundsQuery,
    private readonly holdings: HoldingsQuery,
  ) {}

  @Post('payments/:id/refunds', 'refunds:write', {
    summary: 'Refund a payment, in full or in part',
    example: { amount: 1000, method: 'bank_transfer' },
    description:
      'The refund goes through the gateway of the payment. Without one, it records what was ' +
      'given back by hand. If the provider does not answer, the refund is `unknown`: its money ' +
      'is set aside, and the provider is asked until it answers. Read the refund to see how it ' +
      'ended.',
    creates: RefundedBody,
    at: 'finance/refunds/{refund.id}',
    problems: [
      'payment_not_found',
      'payment_reversed',
      'payment_not_refundable',
      'amount_exceeds_refundable',
      'payment_disputed',
      'amount_not_integer',
      'currency_mismatch',
      'unknown_method',
      'paid_from_mismatch',
      'refund_dated_by_gateway',
      'date_in_future',
      'date_too_early',
      'unknown_document',
      'document_busy',
      'same_currency',
      'exchange_rate_required',
      'worth_out_of_range',
      'conversion_not_possible',
      'validation_failed',
    ],
  })
  async refundPayment(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: RefundPaymentRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentSeen, (guard) => {
      const of = { paymentId: paymentId(id) };
      const paidOut = foreignIn(body.paid_out, 'paid_out');
      const command = { ...termsOf(caller, body), of, from: placeIn(body.from), paidOut };
      return this.refunds.request(command, guard);
    });
  }

  @Get('payments/:id/refunds', 'payments:read', {
    summary: 'List the refunds of a payment, oldest first',
    description: 'Those that failed and those under way are in the list, too.',
    answers: RefundList,
    problems: ['payment_not_found'],
  })
  async listRefunds(@CallerOf() caller: Caller, @Param('id') id: string) {
    const { accountId } = caller;
    const payment = paymentId(id);
    if (!(await this.holdings.find(accountId, payment))) throw paymentNotFound();
    const refunds = await this.query.ofPayment(accountId, payment);
    return { data: refunds.map(presentBookedRefund), ...WHOLE };
  }

  @Get('refunds', 'payments:read', {
    summary: 'List refunds, newest first',
    description: 'Those of all payments and receipts, with filters that may be combined.',
    answers: RefundPage,
  })
  async listAllRefunds(@CallerOf() caller: Caller, @Query() query: ListRefundsQuery) {
    const { limit = DEFAULT_PAGE_SIZE } = query;
    const filter = toFilter(query);
    const cursors = new Cursors({ list: 'refunds', filter }, []);
    const after = cursors.read(query.cursor)?.id ?? null;
    const rows = await this.query.list(caller.accountId, filter, after, limit + 1);
    const keyOf = ({ id }: { id: Uuid }) => cursors.keyOf({ keys: [], id });
    return withTotalCount(toPage(rows, limit, keyOf, presentBookedRefund), query, (most) =>
      this.query.count(caller.accountId, filter, most),
    );
  }

  @Get('refunds/:id', 'payments:read', {
    summary: 'Read a refund',
    description: 'With its status at the provider, and what it took from documents and credit.',
    answers: RefundBody,
    problems: ['refund_not_found'],
  })
  async getRefund(@CallerOf() caller: Caller, @Param('id') id: string) {
    return presentBookedRefund(await this.query.get(caller.accountId, refundId(id)));
  }

  @Post('refunds/:id/look-up', 'refunds:write', {
    summary: 'Ask the provider now what became of a refund',
    description:
      'For one that is `pending` or `unknown`, without waiting for the next time that the service asks by itself. The answer is the refund.',
    answers: RefundedBody,
    problems: ['refund_not_found', 'document_busy'],
  })
  async lookUpRefund(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentSeen, (guard) =>
      this.refunds.lookUp(caller.accountId, refundId(id), guard),
    );
  }

  @Post('refunds/:id/reverse', 'refunds:write', {
    summary: 'Reverse a refund that was recorded wrongly',
    example: { reason: 'The bank sent it back' },
    description:
      'What documents gave is paid again, and what they do not need any more is credit. Only a ' +
      'refund by hand: one that a gateway made is `returned` when the provider says so.',
    answers: RefundedBody,
    problems: [
      'refund_not_found',
      'refund_undone',
      'refund_not_reversible',
      'date_in_future',
      'date_too_early',
      'document_busy',
      'validation_failed',
    ],
  })
  async reverseRefund(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: ReverseRefundRequest,
    @OnceOnly() once: Once,
  ) {
    const { clientId } = caller;
    const [by, refund] = [byClient(caller), refundId(id)];
    const said = { reason: body.reason || null, reversedAt: instantIn(body.reversed_at) ?? null };
    return once.run(presentSeen, (guard) =>
      this.undoings.reverse(by, clientId, refund, said, guard),
    );
  }
}

/** The terms of every refund, of a payment or of a receipt. */
export function termsOf(
  { accountId, clientId }: Caller,
  body: RefundReceiptRequest,
): Omit<RequestRefund, 'of' | 'from' | 'paidOut'> {
  return {
    accountId,
    clientId,
    amountMinor: body.amount == null ? null : BigInt(body.amount),
    currency: body.currency ?? null,
    method: body.method == null ? null : (refundMethod(body.method) ?? null),
    paidFrom: body.paid_from ?? null,
    refundedAt: instantIn(body.refunded_at) ?? null,
    reference: body.reference || null,
    reason: body.reason || null,
  };
}

export function presentSeen({ refund, holding, receipt, bookedOn }: SeenRefund): RefundedBody {
  return {
    refund: presentBookedRefund(refund),
    ...(holding && { payment: presentHolding(holding) }),
    ...(receipt && { receipt: presentUnmatchedReceipt(receipt) }),
    ...paymentWarnings(bookedOn ?? null),
  };
}

function toFilter(query: ListRefundsQuery): RefundFilter {
  const { status, gateway, made_by: madeBy, currency } = query;
  return {
    status,
    gateway,
    madeBy,
    paymentId: idIn('pay', query.payment_id),
    receiptId: idIn('rcpt', query.receipt_id),
    documentId: idIn('doc', query.document_id),
    customerId: idIn('cus', query.customer_id),
    currency,
    requestedFrom: instantIn(query.requested_from),
    requestedTo: instantIn(query.requested_to),
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
