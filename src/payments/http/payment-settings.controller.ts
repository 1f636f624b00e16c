import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Patch } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { PaymentSettingsService } from '../recording/application/payment-settings.service.js';
import type { PaymentSettings } from '../recording/domain/payment-settings.js';
import {
  PatchPaymentSettingsRequest,
  PaymentSettingsBody,
} from '../recording/wire/payment-steps.js';
import { PaymentRefusal } from '../port/domain/payment-refusals.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

@ApiTags('payments')
@Controller('v1/finance/payment-settings')
export class PaymentSettingsController {
  constructor(private readonly settings: PaymentSettingsService) {}

  @Get('', 'payments:read', {
    summary: 'Read the payment settings',
    description:
      'The difference that an invoice may lack and still count as paid, by currency, and what a refund means that does not say it. `debit_retry_days` says when debits that failed are tried again. The `ETag` is their version.',
    answers: PaymentSettingsBody,
  })
  async getPaymentSettings(@CallerOf() caller: Caller) {
    return presentSettings(await this.settings.find(caller.accountId));
  }

  @Patch('', 'settings:write', {
    summary: 'Change the payment settings',
    description:
      'The body is a JSON Merge Patch. New settings count for payments, refunds and debits from now on.',
    example: { underpayment_tolerance: [{ currency: 'EUR', amount: 100 }] },
    takes: 'mergePatch',
    answers: PaymentSettingsBody,
    problems: [
      FieldRefusal.validation_failed,
      FieldRefusal.said_twice,
      PaymentRefusal.invalid_debit_retry_days,
    ],
  })
  async updatePaymentSettings(
    @CallerOf() caller: Caller,
    @Body({ schema: PatchPaymentSettingsRequest }) body: PatchPaymentSettingsRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const {
      underpayment_tolerance: tolerance,
      refund_meaning: meaning,
      debit_retry_days: days,
    } = body;
    const changes = {
      ...(tolerance && { underpaymentTolerance: toleranceIn(tolerance) }),
      ...(meaning !== undefined && { refundMeaning: meaning }),
      ...(days && { debitRetryDays: days }),
    };
    return once.run(presentSettings, (guard) =>
      this.settings.change(byClient(caller), changes, expected, guard),
    );
  }
}

function toleranceIn(list: { currency: string; amount: number }[]): Record<string, number> {
  const tolerance: Record<string, number> = {};
  list.forEach(({ currency, amount }, index) => {
    if (currency in tolerance) {
      const pointer = `/underpayment_tolerance/${index}/currency`;
      throw FieldRefusal.said_twice.at(pointer, 'Name each currency once.');
    }
    tolerance[currency] = amount;
  });
  return tolerance;
}

function presentSettings({
  underpaymentTolerance,
  refundMeaning,
  debitRetryDays,
  version,
}: PaymentSettings): PaymentSettingsBody {
  const entries = Object.entries(underpaymentTolerance).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    underpayment_tolerance: entries.map(([currency, amount]) => ({ currency, amount })),
    refund_meaning: refundMeaning ?? 'owed_again',
    refund_meaning_set: refundMeaning !== null,
    debit_retry_days: debitRetryDays,
    version,
  };
}
