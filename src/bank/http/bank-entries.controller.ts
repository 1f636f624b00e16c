import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DocumentRefusal } from '../../documents/index.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import { pageById } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { BankEntries } from '../application/bank-entries.service.js';
import type { Confirmation } from '../application/bank-entry-booking.js';
import {
  BankEntryJudging,
  type JudgedBankEntry,
} from '../application/bank-entry-judging.service.js';
import { BankPostings } from '../application/bank-postings.service.js';
import {
  presentBankEntry,
  presentNamedPayment,
  presentProposal,
  presentProposedPayout,
  presentTwin,
  BankEntryDetailBody,
  BankEntryPage,
  BookEntryRequest,
  ConfirmEntryRequest,
  ListBankEntriesQuery,
} from '../wire/bank-entry.js';
import { BankStatementsQuery } from '../infrastructure/bank-statements.query.js';
import {
  REFUSED_ALLOCATIONS,
  allocationsOf,
  countedIn,
  customerIn,
  documentIn,
  PaymentRefusal,
} from '../../payments/index.js';
import { idIn } from '../../platform/http/validation/standard-fields.js';
import { BankRefusal } from '../domain/refusals.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

@ApiTags('bank statements')
@Controller('v1/finance/bank-entries')
export class BankEntriesController {
  constructor(
    private readonly entries: BankEntries,
    private readonly judging: BankEntryJudging,
    private readonly postings: BankPostings,
    private readonly query: BankStatementsQuery,
  ) {}

  @Get('', 'payments:read', {
    summary: 'List bank entries, newest first',
    description:
      'By status or statement. An entry is booked, or waits for a decision, or was ignored.',
    answers: BankEntryPage,
  })
  async listBankEntries(
    @CallerOf() caller: Caller,
    @Query({ schema: ListBankEntriesQuery }) query: ListBankEntriesQuery,
  ) {
    const { status = null } = query;
    const statementId = idIn('bstmt', query.statement_id) ?? null;
    const wanted = { status, statementId };
    return pageById({ list: 'bank-entries', status, statementId }, query, {
      rows: async (after, count) => this.query.entries(caller.accountId, wanted, after, count),
      present: presentBankEntry,
      total: async (most) => this.query.countEntries(caller.accountId, wanted, most),
    });
  }

  @Get(':id', 'payments:read', {
    summary: 'Read a bank entry, with proposals for it',
    description: 'Each proposal names what it would pay, and why it was found.',
    answers: BankEntryDetailBody,
    problems: [BankRefusal.bank_entry_not_found],
  })
  async getBankEntry(@CallerOf() caller: Caller, @Param('id') id: string) {
    const entry = await this.query.entry(caller.accountId, entryId(id));
    if (!entry) throw BankRefusal.bank_entry_not_found.of();
    return present(await this.judging.withProposals(entry));
  }

  @Post(':id/confirm', 'payments:write', {
    summary: 'Book a bank entry',
    description:
      'As a payment of documents or of a customer, or as a payment, payout or returned debit that is there.',
    answers: BankEntryDetailBody,
    example: { document_id: 'doc_01h455vb4pex5vsknk084sn02q' },
    problems: [
      BankRefusal.bank_entry_not_found,
      BankRefusal.bank_entry_booked,
      BankRefusal.bank_entry_not_bookable,
      BankRefusal.bank_entry_payment_differs,
      BankRefusal.bank_entry_payout_differs,
      BankRefusal.payout_not_found,
      PaymentRefusal.payment_not_found,
      PaymentRefusal.payment_reversed,
      PaymentRefusal.payment_refunded,
      PaymentRefusal.payment_disputed,
      PaymentRefusal.payment_not_reversible,
      DocumentRefusal.customer_credit_spent,
      ...REFUSED_ALLOCATIONS,
      FieldRefusal.same_currency,
      PaymentRefusal.exchange_rate_required,
      PaymentRefusal.worth_out_of_range,
      FieldRefusal.required,
      FieldRefusal.invalid_id,
      FieldRefusal.validation_failed,
    ],
  })
  async confirmBankEntry(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: ConfirmEntryRequest }) body: ConfirmEntryRequest,
    @OnceOnly() once: Once,
  ) {
    const { payment_id, payout_id } = body;
    const by = byClient(caller);
    if (payout_id != null) {
      assertAlone('payout_id', body);
      const payout = payoutIn(payout_id);
      return once.run(present, (guard) =>
        this.postings.confirmPayout(by, entryId(id), payout, guard),
      );
    }
    if (payment_id == null) {
      return once.run(present, (guard) =>
        this.entries.confirm(caller, entryId(id), confirmationIn(body), guard),
      );
    }
    assertAlone('payment_id', body);
    const payment = paymentIn(payment_id);
    return once.run(present, (guard) =>
      this.postings.confirmPayment(by, caller.clientId, entryId(id), payment, guard),
    );
  }

  @Post(':id/book', 'payments:write', {
    summary: 'Book a bank entry to an account of the chart',
    example: { ledger_account: 'other_income' },
    description: 'For what is no payment: fees of the bank, other expenses, other income.',
    answers: BankEntryDetailBody,
    problems: [
      BankRefusal.bank_entry_not_found,
      BankRefusal.bank_entry_booked,
      BankRefusal.bank_entry_not_bookable,
      FieldRefusal.not_in_list,
      FieldRefusal.validation_failed,
    ],
  })
  async bookBankEntry(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: BookEntryRequest }) { ledger_account }: BookEntryRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(present, (guard) =>
      this.postings.post(byClient(caller), entryId(id), ledger_account, guard),
    );
  }

  @Post(':id/unbook', 'payments:write', {
    summary: 'Undo what was said of a bank entry',
    description:
      'It is open again, and may be booked otherwise. The payment that it made is reversed.',
    answers: BankEntryDetailBody,
    problems: [
      BankRefusal.bank_entry_not_found,
      BankRefusal.bank_entry_not_booked,
      BankRefusal.bank_entry_returned,
      PaymentRefusal.payment_refunded,
      PaymentRefusal.payment_disputed,
      PaymentRefusal.payment_not_reversible,
      DocumentRefusal.customer_credit_spent,
      FieldRefusal.validation_failed,
    ],
  })
  async unbookBankEntry(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(present, (guard) =>
      this.postings.undo(byClient(caller), caller.clientId, entryId(id), guard),
    );
  }

  @Post(':id/ignore', 'payments:write', {
    summary: 'Ignore a bank entry: it pays nothing here',
    description: 'It may still be confirmed later.',
    answers: BankEntryDetailBody,
    problems: [
      BankRefusal.bank_entry_not_found,
      BankRefusal.bank_entry_booked,
      BankRefusal.bank_entry_not_bookable,
      FieldRefusal.validation_failed,
    ],
  })
  async ignoreBankEntry(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(present, (guard) => this.postings.ignore(byClient(caller), entryId(id), guard));
  }
}

function present({
  entry,
  proposals,
  payments,
  payouts,
  twins,
}: JudgedBankEntry): BankEntryDetailBody {
  return {
    ...presentBankEntry(entry),
    proposals: proposals.map(presentProposal),
    payments: payments.map(({ payment, relation }) => presentNamedPayment(payment, relation)),
    payouts: payouts.map(presentProposedPayout),
    perhaps_same: twins.map(presentTwin),
  };
}

function entryId(text: string): Uuid {
  const id = uuidOf('bentry', text);
  if (!id) throw BankRefusal.bank_entry_not_found.of();
  return id;
}

function paymentIn(text: string): Uuid {
  const id = uuidOf('pay', text);
  if (id) return id;
  throw FieldRefusal.invalid_id.at('/payment_id', 'payment_id is no id of a payment, pay_...');
}

function payoutIn(text: string): Uuid {
  const id = uuidOf('pout', text);
  if (id) return id;
  throw FieldRefusal.invalid_id.at('/payout_id', 'payout_id is no id of a payout, pout_...');
}

/** A payment or a payout says all that the other fields would say. */
function assertAlone(said: 'payment_id' | 'payout_id', body: ConfirmEntryRequest): void {
  const other = [...WHOSE, 'payment_id' as const, 'counts_as' as const].find(
    (field) => field !== said && body[field] != null,
  );
  if (other === undefined) return;
  throw FieldRefusal.said_twice.at(`/${other}`, `Send either ${said} or ${other}.`);
}

const WHOSE = ['document_id', 'allocations', 'customer_id'] as const;

/** A request names whose the money is in exactly one of three ways. */
function confirmationIn(body: ConfirmEntryRequest): Confirmation {
  const countsAs = countedIn(body.counts_as);
  const said = WHOSE.filter((field) => body[field] != null);
  const [first, second] = said;
  if (second) {
    throw FieldRefusal.said_twice.at(`/${second}`, `Send either ${first} or ${second}.`);
  }
  if (body.customer_id != null) {
    return { customerId: customerIn(body.customer_id), allocate: 'none', countsAs };
  }
  if (body.allocations != null) {
    return { customerId: null, allocate: allocationsOf(body.allocations), countsAs };
  }
  if (body.document_id != null) {
    const documentId = documentIn(body.document_id, '/document_id');
    return { customerId: null, allocate: [{ documentId, amountMinor: null }], countsAs };
  }
  throw FieldRefusal.required.at(
    '/document_id',
    'Say what the entry is for: document_id, allocations, customer_id, payment_id or payout_id.',
  );
}
