import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { namedBy } from '../../documents/index.js';
import { DomainError } from '../../kernel/domain-error.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { NoFields } from '../../platform/http/fields.js';
import { Cursors, DEFAULT_PAGE_SIZE, toPage } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import {
  BankEntries,
  type Confirmation,
  type JudgedBankEntry,
} from '../application/bank-entries.service.js';
import { bankEntryNotFound } from '../domain/bank-entry.js';
import { presentBankEntry, presentProposal } from '../domain/present-bank-entry.js';
import { BankStatementsQuery } from '../infrastructure/bank-statements.query.js';
import {
  BankEntryDetailBody,
  BankEntryPage,
  ConfirmEntryRequest,
  ListBankEntriesQuery,
} from './bank-statement.dto.js';
import {
  REFUSED_ALLOCATIONS,
  allocationsOf,
  customerIn,
  documentIn,
} from '../../payments/index.js';

@ApiTags('bank statements')
@Controller('v1/finance/bank-entries')
export class BankEntriesController {
  constructor(
    private readonly entries: BankEntries,
    private readonly query: BankStatementsQuery,
  ) {}

  @Get('', 'payments:read', {
    summary: 'List bank entries, newest first',
    answers: BankEntryPage,
  })
  async listBankEntries(
    @CallerOf() caller: Caller,
    @Query() { limit = DEFAULT_PAGE_SIZE, cursor, ...filter }: ListBankEntriesQuery,
  ) {
    const { status = null, statement_id } = filter;
    const statementId = namedBy('bstmt', statement_id) ?? null;
    const cursors = new Cursors({ list: 'bank-entries', status, statementId }, []);
    const after = cursors.read(cursor);
    const wanted = { status, statementId };
    const rows = await this.query.entries(caller.accountId, wanted, after, limit + 1);
    return toPage(rows, limit, ({ id }) => cursors.keyOf({ keys: [], id }), presentBankEntry);
  }

  @Get(':id', 'payments:read', {
    summary: 'Read a bank entry, with proposals for it',
    answers: BankEntryDetailBody,
    problems: ['bank_entry_not_found'],
  })
  async getBankEntry(@CallerOf() caller: Caller, @Param('id') id: string) {
    const entry = await this.query.entry(caller.accountId, entryId(id));
    if (!entry) throw bankEntryNotFound();
    return present(await this.entries.withProposals(entry));
  }

  @Post(':id/confirm', 'payments:write', {
    summary: 'Book a bank entry',
    answers: BankEntryDetailBody,
    problems: [
      'bank_entry_not_found',
      'bank_entry_booked',
      'bank_entry_not_bookable',
      ...REFUSED_ALLOCATIONS,
      'required',
      'invalid_id',
      'validation_failed',
    ],
  })
  async confirmBankEntry(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: ConfirmEntryRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(present, (guard) =>
      this.entries.confirm(caller, entryId(id), confirmationIn(body), guard),
    );
  }

  @Post(':id/ignore', 'payments:write', {
    summary: 'Ignore a bank entry: it pays nothing here',
    description: 'It may still be confirmed later.',
    answers: BankEntryDetailBody,
    problems: [
      'bank_entry_not_found',
      'bank_entry_booked',
      'bank_entry_not_bookable',
      'document_busy',
      'validation_failed',
    ],
  })
  async ignoreBankEntry(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(present, (guard) => this.entries.ignore(byClient(caller), entryId(id), guard));
  }
}

function present({ entry, proposals }: JudgedBankEntry): BankEntryDetailBody {
  return { ...presentBankEntry(entry), proposals: proposals.map(presentProposal) };
}

function entryId(text: string): Uuid {
  const id = uuidOf('bentry', text);
  if (!id) throw bankEntryNotFound();
  return id;
}

/** A request names whose the money is in exactly one of three ways. */
function confirmationIn(body: ConfirmEntryRequest): Confirmation {
  const said = (['document_id', 'allocations', 'customer_id'] as const).filter(
    (field) => body[field] != null,
  );
  const [first, second] = said;
  if (second) {
    throw DomainError.invalid('said_twice', `/${second}`, `Send either ${first} or ${second}.`);
  }
  if (body.customer_id != null) {
    return { customerId: customerIn(body.customer_id), allocate: 'none' };
  }
  if (body.allocations != null) {
    return { customerId: null, allocate: allocationsOf(body.allocations) };
  }
  if (body.document_id != null) {
    const documentId = documentIn(body.document_id, '/document_id');
    return { customerId: null, allocate: [{ documentId, amountMinor: null }] };
  }
  throw DomainError.invalid(
    'required',
    '/document_id',
    'Say what the entry is for: document_id, allocations or customer_id.',
  );
}
