import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { toNewCreditNote, DocumentRefusal } from '../../documents/index.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import { instantIn } from '../../platform/http/validation/date-fields.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { pageById, WHOLE } from '../../platform/http/paging.js';
import { idIn } from '../../platform/http/validation/standard-fields.js';
import type { RequestRefund } from '../returning/application/refunds/refund-planning.js';
import type { SeenRefund } from '../returning/application/refunds/locked-refunds.js';
import {
  type LaterMeaning,
  RefundDecisions,
} from '../returning/application/refunds/refund-decisions.js';
import { RefundUndoings } from '../returning/application/refunds/refund-undoings.service.js';
import { Refunds } from '../returning/application/refunds/refunds.service.js';
import { PaymentRefusal } from '../port/domain/payment-refusals.js';
import { presentHolding } from '../recording/wire/payment.js';
import {
  presentBookedRefund,
  DecideRefundRequest,
  RefundBody,
  RefundedBody,
  RefundList,
  refundMethod,
  RefundPaymentRequest,
  ReverseRefundRequest,
  type RefundReceiptRequest,
} from '../returning/wire/refund.js';
import type { SaidMeaning } from '../returning/domain/refunds/refund-meaning.js';
import type { RefundFrom } from '../returning/domain/refunds/refund-plan.js';
import { presentUnmatchedReceipt } from '../recording/wire/unmatched-receipt.js';
import { HoldingsQuery } from '../recording/infrastructure/holdings.query.js';
import {
  type RefundFilter,
  RefundsQuery,
} from '../returning/infrastructure/refunds/refunds.query.js';
import { foreignIn } from '../recording/wire/conversion.js';
import { paymentId } from './payment-steps.controller.js';
import { documentIn } from '../recording/wire/payment-steps.js';
import { ListRefundsQuery, RefundPage } from '../returning/wire/refund-list.js';
import { refundWarnings } from './refund-warnings.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

/** The codes with which a meaning, or the credit note of it, is refused. */
const REFUSED_MEANINGS = [
  PaymentRefusal.refund_meaning_not_possible,
  PaymentRefusal.credit_note_differs,
  DocumentRefusal.document_not_creditable,
  DocumentRefusal.amount_exceeds_creditable,
  DocumentRefusal.quantity_exceeds_line,
  DocumentRefusal.total_below_zero,
  DocumentRefusal.amount_too_small,
  DocumentRefusal.unknown_line,
  FieldRefusal.said_twice,
  DocumentRefusal.external_id_taken,
  DocumentRefusal.period_closed,
  DocumentRefusal.numbers_held,
  FieldRefusal.validation_failed,
] as const;

@ApiTags('refunds')
@Controller('v1/finance')
export class RefundsController {
  constructor(
    private readonly refunds: Refunds,
    private readonly undoings: RefundUndoings,
    private readonly decisions: RefundDecisions,
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
      'ended. With the meaning `lowers_document` a credit note is made with it, once it succeeds.',
    creates: RefundedBody,
    at: 'finance/refunds/{refund.id}',
    problems: [
      PaymentRefusal.payment_not_found,
      PaymentRefusal.payment_reversed,
      PaymentRefusal.payment_not_refundable,
      PaymentRefusal.amount_exceeds_refundable,
      PaymentRefusal.payment_disputed,
      FieldRefusal.amount_not_integer,
      PaymentRefusal.currency_mismatch,
      FieldRefusal.unknown_method,
      PaymentRefusal.paid_from_mismatch,
      PaymentRefusal.refund_dated_by_gateway,
      FieldRefusal.date_in_future,
      FieldRefusal.date_too_early,
      PaymentRefusal.unknown_document,
      FieldRefusal.same_currency,
      PaymentRefusal.exchange_rate_required,
      PaymentRefusal.worth_out_of_range,
      PaymentRefusal.conversion_not_possible,
      ...REFUSED_MEANINGS,
    ],
  })
  async refundPayment(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: RefundPaymentRequest }) body: RefundPaymentRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentSeen, (guard) => {
      const of = { paymentId: paymentId(id) };
      const paidOut = foreignIn(body.paid_out, 'paid_out');
      const meaning = saidIn(body);
      const from = placeIn(body.from);
      const command = { ...termsOf(caller, body), of, from, paidOut, meaning };
      return this.refunds.request(command, guard);
    });
  }

  @Get('payments/:id/refunds', 'payments:read', {
    summary: 'List the refunds of a payment, oldest first',
    description: 'Those that failed and those under way are in the list, too.',
    answers: RefundList,
    problems: [PaymentRefusal.payment_not_found],
  })
  async listRefunds(@CallerOf() caller: Caller, @Param('id') id: string) {
    const { accountId } = caller;
    const payment = paymentId(id);
    if (!(await this.holdings.find(accountId, payment)))
      throw PaymentRefusal.payment_not_found.of();
    const refunds = await this.query.ofPayment(accountId, payment);
    return { data: refunds.map(presentBookedRefund), ...WHOLE };
  }

  @Get('refunds', 'payments:read', {
    summary: 'List refunds, newest first',
    description: 'Those of all payments and receipts, with filters that may be combined.',
    answers: RefundPage,
  })
  async listAllRefunds(
    @CallerOf() caller: Caller,
    @Query({ schema: ListRefundsQuery }) query: ListRefundsQuery,
  ) {
    const filter = toFilter(query);
    return pageById({ list: 'refunds', filter }, query, {
      rows: async (after, count) => this.query.list(caller.accountId, filter, after, count),
      present: presentBookedRefund,
      total: async (most) => this.query.count(caller.accountId, filter, most),
    });
  }

  @Get('refunds/:id', 'payments:read', {
    summary: 'Read a refund',
    description: 'With its status at the provider, and what it took from documents and credit.',
    answers: RefundBody,
    problems: [PaymentRefusal.refund_not_found],
  })
  async getRefund(@CallerOf() caller: Caller, @Param('id') id: string) {
    return presentBookedRefund(await this.query.get(caller.accountId, refundId(id)));
  }

  @Post('refunds/:id/look-up', 'refunds:write', {
    summary: 'Ask the provider now what became of a refund',
    description:
      'For one that is `pending` or `unknown`, without waiting for the next time that the service asks by itself. The answer is the refund.',
    answers: RefundedBody,
    problems: [PaymentRefusal.refund_not_found],
  })
  async lookUpRefund(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentSeen, (guard) =>
      this.refunds.lookUp(caller.accountId, refundId(id), guard),
    );
  }

  @Post('refunds/:id/meaning', 'refunds:write', {
    summary: 'Say what a refund means that is done',
    example: { meaning: 'owed_again' },
    description:
      'For one that left its documents due and undecided, such as one of a provider’s dashboard. ' +
      '`lowers_document` makes the credit note now, or takes the one that you name. Until somebody ' +
      'has said it, nobody is asked for what went back.',
    answers: RefundedBody,
    problems: [
      PaymentRefusal.refund_not_found,
      PaymentRefusal.refund_meaning_decided,
      PaymentRefusal.unknown_document,
      FieldRefusal.date_in_future,
      FieldRefusal.date_too_early,
      ...REFUSED_MEANINGS,
    ],
  })
  async decideRefund(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: DecideRefundRequest }) body: DecideRefundRequest,
    @OnceOnly() once: Once,
  ) {
    const [by, refund] = [byClient(caller), refundId(id)];
    const said = laterIn(body);
    return once.run(presentSeen, (guard) =>
      this.decisions.decide(by, caller.clientId, refund, said, guard),
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
      PaymentRefusal.refund_not_found,
      PaymentRefusal.refund_undone,
      PaymentRefusal.refund_not_reversible,
      FieldRefusal.date_in_future,
      FieldRefusal.date_too_early,
      FieldRefusal.validation_failed,
    ],
  })
  async reverseRefund(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: ReverseRefundRequest }) body: ReverseRefundRequest,
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
): Omit<RequestRefund, 'of' | 'from' | 'paidOut' | 'meaning'> {
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

export function presentSeen(seen: SeenRefund): RefundedBody {
  const { refund, holding, receipt } = seen;
  return {
    refund: presentBookedRefund(refund),
    ...(holding && { payment: presentHolding(holding) }),
    ...(receipt && { receipt: presentUnmatchedReceipt(receipt) }),
    ...refundWarnings(seen),
  };
}

function saidIn({ meaning, credit_note: body }: RefundPaymentRequest): SaidMeaning {
  const note = body == null ? null : toNewCreditNote(body, '/credit_note');
  if (meaning != null) return { name: meaning, note };
  if (!note) return null;
  throw PaymentRefusal.refund_meaning_not_possible.at(
    '/meaning',
    'Send credit_note together with the meaning `lowers_document`.',
  );
}

function laterIn({
  meaning,
  credit_note: note,
  credit_note_id: id,
}: DecideRefundRequest): LaterMeaning {
  if (id != null && note != null) {
    const detail = 'Send either credit_note or credit_note_id.';
    throw FieldRefusal.said_twice.at('/credit_note_id', detail);
  }
  if (id != null && meaning === 'owed_again') {
    const detail = 'Send credit_note_id only with the meaning `lowers_document`.';
    throw PaymentRefusal.refund_meaning_not_possible.at('/credit_note_id', detail);
  }
  return {
    said: { name: meaning, note: note == null ? null : toNewCreditNote(note, '/credit_note') },
    creditNoteId: id == null ? null : documentIn(id, '/credit_note_id'),
  };
}

function toFilter(query: ListRefundsQuery): RefundFilter {
  const { status, gateway, made_by: madeBy, currency, meaning, is_undecided } = query;
  return {
    status,
    meaning,
    isUndecided: is_undecided,
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
  if (!id) throw PaymentRefusal.refund_not_found.of();
  return id;
}
