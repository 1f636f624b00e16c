import { Injectable } from '@nestjs/common';
import { AuditedWork } from '../../../auth/index.js';
import { type ShortfallAllowance, canBeWaived, type Document } from '../../../documents/index.js';
import type { By } from '../../../kernel/actor.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Money } from '../../../kernel/money.js';
import { assertVersion, type ExpectedVersions } from '../../../kernel/versions.js';
import type { CommitGuard, Tx } from '../../../platform/database/tx.js';
import { discountFor } from './cash-discounts.js';
import type { PaymentSettings } from '../domain/payment-settings.js';
import { PaymentSettingsRepository } from '../infrastructure/payment-settings.repository.js';

/** The settings of an account for all of its payments. */
@Injectable()
export class PaymentSettingsService {
  constructor(
    private readonly audited: AuditedWork,
    private readonly repository: PaymentSettingsRepository,
  ) {}

  async find(accountId: Uuid): Promise<PaymentSettings> {
    return this.repository.find(accountId);
  }

  /**
   * The shortfall of the document that may be let pass; read only if the payment leaves that little
   * of it. A cash discount comes before the tolerance, and both are never added.
   */
  async allowanceFor(
    tx: Tx,
    document: Document,
    payment: Money,
    paidAt: Date,
  ): Promise<ShortfallAllowance | null> {
    const discount = await discountFor(tx, document, payment, paidAt);
    if (discount) return discount;
    const shortfall = document.amountPayable.minus(payment);
    if (!canBeWaived(shortfall, document.state)) return null;
    const most = await this.repository.tolerance(tx, document.state.accountId, payment.currency);
    return most && { most, taxes: null };
  }

  /** @param changes what is absent stays; a tolerance is one by currency, as a whole */
  async change(
    by: By,
    changes: Partial<Omit<PaymentSettings, 'version'>>,
    expected: ExpectedVersions,
    guard?: CommitGuard<PaymentSettings>,
  ): Promise<PaymentSettings> {
    return this.audited.run(by, guard, async ({ tx, record }) => {
      const settings = await this.repository.getForUpdate(tx, by.accountId);
      assertVersion(expected, settings.version);
      if (Object.keys(changes).length === 0) return settings;
      const next = { ...settings, ...changes, version: settings.version + 1 };
      this.repository.save(tx, by.accountId, next, tx.now());
      record({
        action: 'payment_settings.updated',
        subject: null,
        before: auditedOf(settings, changes),
        after: auditedOf(next, changes),
      });
      return next;
    });
  }
}

/** The settings that a call changes. */
function auditedOf(
  { underpaymentTolerance, refundMeaning, debitRetryDays }: PaymentSettings,
  changes: Partial<PaymentSettings>,
) {
  return {
    ...('underpaymentTolerance' in changes && { underpayment_tolerance: underpaymentTolerance }),
    ...('refundMeaning' in changes && { refund_meaning: refundMeaning }),
    ...('debitRetryDays' in changes && { debit_retry_days: debitRetryDays }),
  };
}
