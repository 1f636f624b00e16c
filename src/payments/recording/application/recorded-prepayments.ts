import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type Document,
  type Prepayment,
  type PrepaymentRecorder,
  Prepayments,
} from '../../../documents/index.js';
import type { Actor } from '../../../kernel/actor.js';
import { assert } from '../../../kernel/assert.js';
import { assertHappened } from '../../../kernel/fact-dates.js';
import { type Uuid, uuidOf } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import { saidOf } from '../domain/payment.js';
import { PaymentWriter } from './payment-writer.js';

/** Money that came before an issue is a payment like any other (decision 254). */
@Injectable()
export class RecordedPrepayments implements OnModuleInit, PrepaymentRecorder {
  constructor(
    private readonly prepayments: Prepayments,
    private readonly writer: PaymentWriter,
  ) {}

  onModuleInit(): void {
    this.prepayments.recordBy(this);
  }

  async judge(tx: Tx, { state }: Document, told: readonly Prepayment[]): Promise<void> {
    const now = tx.now();
    for (const [index, { paidAt }] of told.entries()) {
      assertHappened('paid_at', paidAt, now, undefined, `/prepayments/${index}`);
    }
    const { accountId, customerId, currency } = state;
    // Together: none of them sees what another one spends.
    const spent = told
      .filter(({ method }) => method === 'credit_balance')
      .map(({ amountMinor }) => Money.of(amountMinor, currency));
    if (spent.length === 0) return;
    const amount = Money.sum(spent, currency);
    await this.writer.assertCredit(tx, { accountId, customerId, amount }, '/prepayments');
  }

  record(tx: Tx, document: Document, told: Prepayment, actor: Actor): void {
    const { accountId, id: documentId, customerId, currency } = document.state;
    const amount = Money.of(told.amountMinor, currency);
    // The invoice itself asks for the rest: no shortfall is let pass.
    const { applied, waived } = document.recordPayment(amount, told.onOverpayment);
    const made = {
      accountId,
      customerId,
      documentId,
      amount,
      conversion: null,
      applied,
      ...saidOf(told, tx.now()),
      source: { by: 'client' as const, clientId: clientOf(actor) },
    };
    this.writer.write(tx, made, [{ document, applied, waived }]);
  }
}

/** Nobody else may say what was paid. */
function clientOf({ id }: Actor): Uuid {
  const clientId = uuidOf('cli', id ?? '');
  assert(clientId, 'a client issues with prepayments');
  return clientId;
}
