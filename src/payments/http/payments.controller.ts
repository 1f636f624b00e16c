import { Body, Controller, Param, Query, UseFilters } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  customerId,
  Customers,
  documentId,
  Documents,
  DocumentRefusal,
} from '../../documents/index.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { instantIn } from '../../platform/http/validation/date-fields.js';
import { IfMatch } from '../../platform/http/if-match.js';
import {
  Cursors,
  DEFAULT_PAGE_SIZE,
  toPage,
  withTotalCount,
  WHOLE,
} from '../../platform/http/paging.js';
import { selecting } from '../../platform/http/selected-fields.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { idIn } from '../../platform/http/validation/standard-fields.js';
import { Payments, type RecordedPayment } from '../recording/application/payments.service.js';
import type { Holding } from '../recording/domain/holding.js';
import { PaymentRefusal } from '../port/domain/payment-refusals.js';
import {
  presentHolding,
  presentPayment,
  CreditList,
  ListPaymentsQuery,
  PaymentDetailBody,
  PaymentList,
  PaymentPage,
  RecordedPaymentBody,
  RecordPaymentRequest,
  termsIn,
} from '../recording/wire/payment.js';
import { HoldingsQuery, type PaymentFilter } from '../recording/infrastructure/holdings.query.js';
import { PaymentsQuery } from '../recording/infrastructure/payments.query.js';
import { AmountExample } from './amount-example.filter.js';
import { paymentWarnings } from '../recording/wire/payment-warnings.js';
import { paymentId } from './payment-steps.controller.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

@ApiTags('payments')
@Controller('v1/finance')
export class PaymentsController {
  constructor(
    private readonly payments: Payments,
    private readonly query: PaymentsQuery,
    private readonly holdings: HoldingsQuery,
    private readonly documents: Documents,
    private readonly customers: Customers,
  ) {}

  @Post('documents/:id/payments', 'payments:write', {
    summary: 'Record a payment',
    description:
      'In one transaction: payment, document, ledger and events. More than is due is refused, unless `on_overpayment` is `credit`. Send an `Idempotency-Key`, so that a repeat records nothing twice.',
    example: { amount: 25000, method: 'bank_transfer', reference: 'RF18 5390 0754 7034' },
    creates: RecordedPaymentBody,
    at: 'finance/payments/{payment.id}',
    problems: [
      DocumentRefusal.document_not_found,
      DocumentRefusal.document_not_payable,
      DocumentRefusal.amount_exceeds_due,
      FieldRefusal.amount_not_integer,
      FieldRefusal.unknown_method,
      PaymentRefusal.currency_mismatch,
      FieldRefusal.insufficient_credit,
      FieldRefusal.paid_at_in_future,
      FieldRefusal.date_too_early,
      FieldRefusal.same_currency,
      PaymentRefusal.exchange_rate_required,
      PaymentRefusal.worth_out_of_range,
      PaymentRefusal.conversion_not_possible,
      FieldRefusal.validation_failed,
    ],
  })
  @UseFilters(AmountExample)
  async recordPayment(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: RecordPaymentRequest }) body: RecordPaymentRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const command = {
      ...termsIn(body),
      accountId: caller.accountId,
      clientId: caller.clientId,
      onOverpayment: body.on_overpayment ?? 'reject',
      expected,
      warnOfSimilar: !once.hasKey,
    };
    return once.run(presentRecorded, (guard) =>
      this.payments.record({ ...command, documentId: documentId(id) }, guard),
    );
  }

  @Get('documents/:id/payments', 'payments:read', {
    summary: 'List the payments of a document',
    description:
      'Also those that paid several documents, and those that were reversed. The whole list is one page.',
    answers: PaymentList,
    problems: [DocumentRefusal.document_not_found],
  })
  async listDocumentPayments(@CallerOf() caller: Caller, @Param('id') id: string) {
    await this.documents.assertExists(caller.accountId, documentId(id));
    const holdings = await this.holdings.ofDocument(caller.accountId, documentId(id));
    return { data: holdings.map(presentHolding), ...WHOLE };
  }

  @Get('payments/:id', 'payments:read', {
    summary: 'Read a payment',
    description:
      'With what each document took of it, and what was refunded, moved, disputed or is credit.',
    answers: PaymentDetailBody,
    problems: [PaymentRefusal.payment_not_found],
  })
  async getPayment(@CallerOf() caller: Caller, @Param('id') id: string) {
    const holding = await this.holdings.find(caller.accountId, paymentId(id));
    if (!holding) throw PaymentRefusal.payment_not_found.of();
    return presentHolding(holding);
  }

  @Get('payments', 'payments:read', {
    summary: 'List payments, newest first',
    description:
      'Those of documents, of customers and of providers, with filters that may be combined.',
    answers: PaymentPage,
  })
  async listPayments(
    @CallerOf() caller: Caller,
    @Query({ schema: ListPaymentsQuery }) query: ListPaymentsQuery,
  ) {
    const { limit = DEFAULT_PAGE_SIZE } = query;
    const filter = toFilter(query);
    const cursors = new Cursors({ list: 'payments', filter }, []);
    const after = cursors.read(query.cursor)?.id ?? null;
    const rows = await this.holdings.list(caller.accountId, filter, after, limit + 1);
    const keyOf = ({ payment }: Holding) => cursors.keyOf({ keys: [], id: payment.id });
    const page = toPage(rows, limit, keyOf, selecting(query, presentHolding));
    return withTotalCount(page, query, (most) =>
      this.holdings.count(caller.accountId, filter, most),
    );
  }

  @Get('customers/:id/credit', 'payments:read', {
    summary: 'Read the credit of a customer',
    description:
      'In each currency what may still be spent; what is set aside for a refund is not in it.',
    answers: CreditList,
    problems: [DocumentRefusal.customer_not_found, FieldRefusal.sum_too_large],
  })
  async getCustomerCredit(@CallerOf() caller: Caller, @Param('id') id: string) {
    const customer = await this.customers.find(caller.accountId, customerId(id));
    return { data: await this.query.creditOf(caller.accountId, customer.id), ...WHOLE };
  }
}

function toFilter(query: ListPaymentsQuery): PaymentFilter {
  const { customer_id, document_id, method, currency, gateway, paid_from, paid_to } = query;
  return {
    customerId: idIn('cus', customer_id),
    documentId: idIn('doc', document_id),
    method,
    currency,
    gateway,
    paidFrom: instantIn(paid_from),
    paidTo: instantIn(paid_to),
  };
}

function presentRecorded({
  payment,
  document,
  similar,
  bookedOn,
}: RecordedPayment): RecordedPaymentBody {
  return {
    success: true,
    amount_paid: document.state.amountPaid.toMinorNumber(),
    amount_due: document.amountDue.toMinorNumber(),
    status: document.status,
    payment: presentPayment(payment),
    ...paymentWarnings(bookedOn, similar, [document]),
  };
}
