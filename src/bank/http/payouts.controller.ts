import { Body, Controller, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { pageById } from '../../platform/http/paging.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { PayoutImports } from '../application/payouts/payout-imports.service.js';
import { Payouts } from '../application/payouts/payouts.service.js';
import { MOST_BANK_ENTRIES } from '../domain/bank-statement.js';
import type { PayoutReportFile } from '../domain/payouts/payout-report.js';
import {
  presentPayout,
  FailPayoutRequest,
  ListPayoutsQuery,
  PayoutBody,
  PayoutDetailBody,
  PayoutPage,
  presentWithLines,
  RecordPayoutRequest,
  ReversePayoutRequest,
  statedPayout,
} from '../wire/payout.js';
import { PayoutsQuery } from '../infrastructure/payouts.query.js';
import { hintsIn } from '../wire/csv-hints.js';
import {
  ImportPayoutsQuery,
  PayoutImportBody,
  presentPayoutImport,
} from '../wire/payout-import.js';
import { BankRefusal } from '../domain/refusals.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { GatewayRefusal } from '../../payments/index.js';

const REFUSED_UNDOING = [
  BankRefusal.payout_not_found,
  BankRefusal.payout_paid,
  BankRefusal.payout_undone,
  FieldRefusal.invalid_text,
] as const;

@ApiTags('payouts')
@Controller('v1/finance/payouts')
export class PayoutsController {
  constructor(
    private readonly payouts: Payouts,
    private readonly imports: PayoutImports,
    private readonly query: PayoutsQuery,
  ) {}

  @Post('', 'payments:write', {
    summary: 'Record a payout of a provider to the bank',
    example: {
      gateway: 'gateway-a',
      provider_payout_id: 'po_1',
      amount: 9700,
      currency: 'EUR',
      sent_on: '2026-01-02',
    },
    description:
      'It is on its way until a bank entry is confirmed with its `payout_id`. Fees of lines are ' +
      'booked with it only where no payment has booked them.',
    creates: PayoutBody,
    at: 'finance/payouts/{id}',
    problems: [
      GatewayRefusal.gateway_not_found,
      GatewayRefusal.gateway_not_assigned,
      GatewayRefusal.gateway_unreadable,
      BankRefusal.payout_exists,
      BankRefusal.payout_lines_differ,
      FieldRefusal.date_in_future,
      FieldRefusal.date_too_early,
      FieldRefusal.validation_failed,
    ],
  })
  async recordPayout(
    @CallerOf() caller: Caller,
    @Body({ schema: RecordPayoutRequest }) body: RecordPayoutRequest,
    @OnceOnly() once: Once,
  ) {
    const stated = statedPayout(body);
    return once.run(presentPayout, (guard) => this.payouts.record(caller, stated, guard));
  }

  @Post('import', 'payments:write', {
    summary: 'Import a report of payouts of a provider',
    description:
      'The file is CSV: the itemized payout reconciliation of Stripe, or the activity report of ' +
      'PayPal. Each payout is recorded as by itself, and one that is refused hides no other. A ' +
      'file that is sent again changes nothing. See docs/bank-statements.md.',
    takes: 'statement',
    answers: PayoutImportBody,
    problems: [
      BankRefusal.malformed_statement,
      BankRefusal.statement_too_large,
      BankRefusal.statement_busy,
      GatewayRefusal.gateway_not_found,
      GatewayRefusal.gateway_not_assigned,
      GatewayRefusal.gateway_unreadable,
    ],
  })
  async importPayouts(
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
    @Query({ schema: ImportPayoutsQuery }) query: ImportPayoutsQuery,
    @OnceOnly() once: Once,
  ) {
    const file: PayoutReportFile = {
      format: 'payouts',
      bytes: request.rawBody ?? Buffer.alloc(0),
      mostEntries: MOST_BANK_ENTRIES.ofRequest,
      hints: hintsIn(query),
      amountsFrom: query.amounts_from ?? 'payouts',
    };
    return once.run(presentPayoutImport, (guard) =>
      this.imports.import(caller, query.gateway, file, guard),
    );
  }

  @Get('', 'payments:read', {
    summary: 'List payouts, newest first',
    description:
      'By gateway, currency and status. One that is `sent` has left the provider, and is not on a bank statement yet.',
    answers: PayoutPage,
  })
  async listPayouts(
    @CallerOf() caller: Caller,
    @Query({ schema: ListPayoutsQuery }) query: ListPayoutsQuery,
  ) {
    const filter = {
      status: query.status ?? null,
      gateway: query.gateway ?? null,
      currency: query.currency ?? null,
    };
    return pageById({ list: 'payouts', filter }, query, {
      rows: async (after, count) => this.query.list(caller.accountId, filter, after, count),
      present: presentPayout,
      total: async (most) => this.query.count(caller.accountId, filter, most),
    });
  }

  @Get(':id', 'payments:read', {
    summary: 'Read a payout with what it is made of',
    description: 'Payments, refunds, disputes and fees, which together are its amount.',
    answers: PayoutDetailBody,
    problems: [BankRefusal.payout_not_found],
  })
  async getPayout(@CallerOf() caller: Caller, @Param('id') id: string) {
    const payout = await this.query.get(caller.accountId, payoutId(id));
    return presentWithLines(payout, await this.query.linesOf(payout));
  }

  @Post(':id/fail', 'payments:write', {
    summary: 'Record that a payout came back to the provider',
    example: { reason: 'The bank account is closed' },
    description: 'Its amount is with the provider again; what the provider kept stays a fee.',
    answers: PayoutBody,
    problems: [
      ...REFUSED_UNDOING,
      FieldRefusal.date_in_future,
      FieldRefusal.date_too_early,
      FieldRefusal.validation_failed,
    ],
  })
  async failPayout(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: FailPayoutRequest }) { reason, failed_on }: FailPayoutRequest,
    @OnceOnly() once: Once,
  ) {
    const undoing = { kind: 'failed' as const, on: failed_on ?? null, reason: reason ?? null };
    return once.run(presentPayout, (guard) =>
      this.payouts.undo(caller, payoutId(id), undoing, guard),
    );
  }

  @Post(':id/reverse', 'payments:write', {
    summary: 'Reverse a payout that was recorded wrongly',
    example: { reason: 'Recorded twice' },
    description: 'The books are as if it was never recorded; it may be recorded anew.',
    answers: PayoutBody,
    problems: [...REFUSED_UNDOING, FieldRefusal.validation_failed],
  })
  async reversePayout(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: ReversePayoutRequest }) { reason }: ReversePayoutRequest,
    @OnceOnly() once: Once,
  ) {
    const undoing = { kind: 'reversed' as const, on: null, reason: reason ?? null };
    return once.run(presentPayout, (guard) =>
      this.payouts.undo(caller, payoutId(id), undoing, guard),
    );
  }
}

function payoutId(text: string): Uuid {
  const id = uuidOf('pout', text);
  if (!id) throw BankRefusal.payout_not_found.of();
  return id;
}
