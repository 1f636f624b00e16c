import { Controller, Param, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DocumentRefusal } from '../../documents/index.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { pageById } from '../../platform/http/paging.js';
import { type ApiRequest, byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Delete, Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { BankStatementWithdrawals } from '../application/bank-statement-withdrawals.service.js';
import { BankStatements } from '../application/bank-statements.service.js';
import { MOST_BANK_ENTRIES, type BankStatementFile } from '../domain/bank-statement.js';
import { BankStatementsQuery } from '../infrastructure/bank-statements.query.js';
import {
  BankStatementBody,
  BankStatementPage,
  presentBankStatement,
  ListBankStatementsQuery,
} from '../wire/bank-statement.js';
import { bookedStatesIn, hintsIn, ImportStatementQuery } from '../wire/csv-hints.js';
import { BankRefusal } from '../domain/refusals.js';
import { PaymentRefusal } from '../../payments/index.js';

@ApiTags('bank statements')
@Controller('v1/finance/bank-statements')
export class BankStatementsController {
  constructor(
    private readonly statements: BankStatements,
    private readonly withdrawals: BankStatementWithdrawals,
    private readonly query: BankStatementsQuery,
  ) {}

  @Post('', 'payments:write', {
    summary: 'Import a bank statement',
    description:
      'The file is camt.052, 053 or 054 (versions 001.02 to 001.13), MT940 (text/plain) or ' +
      'CSV. An entry that clearly pays ' +
      'an invoice is booked; others get proposals. A file that is sent again changes ' +
      'nothing, and an entry of two files is imported once. Parameters for a CSV file are kept ' +
      'for its bank account. See docs/bank-statements.md.',
    takes: 'statement',
    creates: BankStatementBody,
    at: 'finance/bank-statements/{id}',
    problems: [
      BankRefusal.malformed_statement,
      BankRefusal.statement_too_large,
      BankRefusal.statement_busy,
      BankRefusal.statement_read_otherwise,
      BankRefusal.bank_file_mapping_mismatch,
      BankRefusal.too_many_bank_file_mappings,
    ],
  })
  async importBankStatement(
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
    @Query({ schema: ImportStatementQuery }) query: ImportStatementQuery,
    @OnceOnly() once: Once,
  ) {
    const bytes = request.rawBody ?? Buffer.alloc(0);
    const bookedStates = bookedStatesIn(query);
    const given = { bytes, mostEntries: MOST_BANK_ENTRIES.ofRequest, bookedStates };
    const file: BankStatementFile = request.is('text/csv')
      ? { ...given, format: 'csv', hints: hintsIn(query) }
      : { ...given, format: request.is('text/plain') ? 'mt940' : 'camt' };
    const by = { ...byClient(caller), clientId: caller.clientId };
    return once.run(presentBankStatement, (guard) => this.statements.import(by, file, guard));
  }

  @Get('', 'payments:read', {
    summary: 'List statements, newest first',
    description:
      'With the accounts in each file, and how many of its entries were booked, proposed or left out.',
    answers: BankStatementPage,
  })
  async listBankStatements(
    @CallerOf() caller: Caller,
    @Query({ schema: ListBankStatementsQuery }) query: ListBankStatementsQuery,
  ) {
    return pageById({ list: 'bank-statements' }, query, {
      rows: async (after, count) => this.query.list(caller.accountId, after, count),
      present: presentBankStatement,
      total: async (most) => this.query.count(caller.accountId, most),
    });
  }

  @Get(':id', 'payments:read', {
    summary: 'Read an imported bank statement',
    description: 'With its balances, its entries by status, and what it left out and why.',
    answers: BankStatementBody,
    problems: [BankRefusal.bank_statement_not_found],
  })
  async getBankStatement(@CallerOf() caller: Caller, @Param('id') id: string) {
    const statement = await this.query.find(caller.accountId, statementId(id));
    if (!statement) throw BankRefusal.bank_statement_not_found.of();
    return presentBankStatement(statement);
  }

  @Delete(':id', 'payments:write', {
    summary: 'Take an imported bank statement back',
    description:
      'For a file that was read wrongly, or is of another account. What was booked of its entries is undone, ' +
      'as by unbook; entries that another file tells of, too, stay. The file may be imported anew.',
    answers: 'nothing',
    problems: [
      BankRefusal.bank_statement_not_found,
      BankRefusal.bank_statement_returned,
      BankRefusal.bank_entry_returned,
      PaymentRefusal.payment_refunded,
      DocumentRefusal.customer_credit_spent,
    ],
  })
  async withdrawBankStatement(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @OnceOnly() once: Once,
  ) {
    await once.run(
      () => ({}),
      (guard) =>
        this.withdrawals.withdraw(byClient(caller), caller.clientId, statementId(id), guard),
    );
  }
}

function statementId(text: string): Uuid {
  const id = uuidOf('bstmt', text);
  if (!id) throw BankRefusal.bank_statement_not_found.of();
  return id;
}
