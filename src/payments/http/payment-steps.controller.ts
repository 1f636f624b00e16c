import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  documentIn,
  ChangedPaymentBody,
  MoveRequest,
  ReverseRequest,
} from '../recording/wire/payment-steps.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { instantIn } from '../../platform/http/validation/date-fields.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import {
  Allocations,
  type ChangedPayment,
  type PaymentPlace,
} from '../recording/application/allocations.service.js';
import { PaymentRefusal } from '../port/domain/payment-refusals.js';
import { presentHolding } from '../recording/wire/payment.js';
import { paymentWarnings } from '../recording/wire/payment-warnings.js';
import { DocumentRefusal } from '../../documents/index.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

/** The steps of a payment after it is recorded. */
@ApiTags('payments')
@Controller('v1/finance/payments')
export class PaymentStepsController {
  constructor(private readonly allocations: Allocations) {}

  @Post(':id/allocations', 'payments:write', {
    summary: 'Move money of a payment between documents and credit',
    description:
      'From one document to another of the same customer, or to credit, or from credit. Nobody pays anything by it.',
    answers: ChangedPaymentBody,
    example: { from: 'doc_01h455vb4pex5vsknk084sn02q', to: 'credit', amount: 1000 },
    problems: [
      PaymentRefusal.payment_not_found,
      PaymentRefusal.payment_reversed,
      PaymentRefusal.unknown_document,
      PaymentRefusal.customer_mismatch,
      PaymentRefusal.currency_mismatch,
      DocumentRefusal.document_not_payable,
      DocumentRefusal.amount_exceeds_due,
      PaymentRefusal.amount_exceeds_allocated,
      PaymentRefusal.payment_disputed,
      FieldRefusal.insufficient_credit,
      PaymentRefusal.same_place,
      FieldRefusal.date_in_future,
      FieldRefusal.date_too_early,
      FieldRefusal.validation_failed,
    ],
  })
  async movePayment(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: MoveRequest }) body: MoveRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentChanged, (guard) => {
      const move = {
        paymentId: paymentId(id),
        from: placeIn(body.from, '/from'),
        to: placeIn(body.to, '/to'),
        amountMinor: body.amount == null ? null : BigInt(body.amount),
        movedAt: instantIn(body.moved_at) ?? null,
      };
      return this.allocations.move(byClient(caller), move, guard);
    });
  }

  @Post(':id/reverse', 'payments:write', {
    summary: 'Reverse a payment that was recorded wrongly',
    description:
      'Documents are due again, and the books say what undid it. Money of a provider that is there becomes an unmatched receipt.',
    example: { reason: 'Recorded twice' },
    answers: ChangedPaymentBody,
    problems: [
      PaymentRefusal.payment_not_found,
      PaymentRefusal.payment_reversed,
      PaymentRefusal.payment_refunded,
      FieldRefusal.date_in_future,
      FieldRefusal.date_too_early,
      PaymentRefusal.payment_disputed,
      DocumentRefusal.customer_credit_spent,
      FieldRefusal.validation_failed,
    ],
  })
  async reversePayment(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: ReverseRequest }) body: ReverseRequest,
    @OnceOnly() once: Once,
  ) {
    const said = { reason: body.reason || null, reversedAt: instantIn(body.reversed_at) ?? null };
    return once.run(presentChanged, (guard) =>
      this.allocations.reverse(byClient(caller), caller.clientId, paymentId(id), said, guard),
    );
  }
}

function presentChanged({ holding, bookedOn }: ChangedPayment): ChangedPaymentBody {
  return { ...presentHolding(holding), ...paymentWarnings(bookedOn) };
}

/** @throws DomainError `payment_not_found` for text that is no payment id */
export function paymentId(text: string): Uuid {
  const id = uuidOf('pay', text);
  if (!id) throw PaymentRefusal.payment_not_found.of();
  return id;
}

function placeIn(text: string, pointer: string): PaymentPlace {
  return text === 'credit' ? text : documentIn(text, pointer);
}
