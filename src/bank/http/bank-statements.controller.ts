import { Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { BearerAuth } from '../../platform/http/access.js';
import { Takes } from '../../platform/http/body/bodies.js';
import { ApiCreated, ApiIdempotent, ApiProblems } from '../../platform/http/openapi.js';
import { Cursors, DEFAULT_PAGE_SIZE, PageQuery, toPage } from '../../platform/http/paging.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { BankStatements } from '../application/bank-statements.service.js';
import { bankStatementNotFound } from '../domain/bank-entry.js';
import { MOST_BANK_ENTRIES, type BankStatementFile } from '../domain/bank-statement.js';
import { BankStatementsQuery } from '../infrastructure/bank-statements.query.js';
import {
  BankStatementBody,
  BankStatementPage,
  hintsIn,
  ImportStatementQuery,
  presentBankStatement,
} from './bank-statement.dto.js';

const FILE = { schema: { type: 'string', format: 'binary' } };

@ApiTags('bank statements')
@Controller('v1/finance/bank-statements')
export class BankStatementsController {
  constructor(
    private readonly statements: BankStatements,
    private readonly query: BankStatementsQuery,
  ) {}

  @Post()
  @Takes('statement')
  @BearerAuth('payments:write')
  @ApiOperation({
    summary: 'Import a file of the bank',
    description:
      'camt.053 (versions 001.02 to 001.13) or CSV. What is surely for an invoice is booked, the ' +
      'rest is proposed. The same file again changes nothing, and an entry that two files have is ' +
      'imported once. See docs/bank-statements.md.',
    operationId: 'importBankStatement',
  })
  @ApiIdempotent()
  @ApiConsumes('application/xml', 'text/xml', 'text/csv')
  @ApiBody(FILE)
  @ApiCreated(BankStatementBody)
  @ApiProblems(
    'malformed_statement',
    'statement_too_large',
    'statement_busy',
    'invalid_query',
    'document_busy',
    'database_unavailable',
  )
  async import(
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
    @Query() query: ImportStatementQuery,
    @OnceOnly() once: Once,
  ): Promise<BankStatementBody> {
    const bytes = request.rawBody ?? Buffer.alloc(0);
    const given = { bytes, mostEntries: MOST_BANK_ENTRIES.ofRequest };
    const file: BankStatementFile = request.is('text/csv')
      ? { ...given, format: 'csv', hints: hintsIn(query) }
      : { ...given, format: 'camt.053' };
    return once.run(presentBankStatement, (guard) => this.statements.import(caller, file, guard));
  }

  @Get()
  @BearerAuth('payments:read')
  @ApiOperation({ summary: 'Imported files, newest first', operationId: 'listBankStatements' })
  @ApiOkResponse({ type: BankStatementPage })
  @ApiProblems('invalid_query', 'invalid_cursor')
  async list(@CallerOf() caller: Caller, @Query() page: PageQuery): Promise<BankStatementPage> {
    const limit = page.limit ?? DEFAULT_PAGE_SIZE;
    const cursors = new Cursors({ list: 'bank-statements' }, []);
    const after = cursors.read(page.cursor);
    const rows = await this.query.list(caller.accountId, after, limit + 1);
    return toPage(rows, limit, ({ id }) => cursors.keyOf({ keys: [], id }), presentBankStatement);
  }

  @Get(':id')
  @BearerAuth('payments:read')
  @ApiOperation({ summary: 'Read an imported file', operationId: 'getBankStatement' })
  @ApiOkResponse({ type: BankStatementBody })
  @ApiProblems('bank_statement_not_found')
  async get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<BankStatementBody> {
    const statement = await this.query.find(caller.accountId, statementId(id));
    if (!statement) throw bankStatementNotFound();
    return presentBankStatement(statement);
  }
}

function statementId(text: string): Uuid {
  const id = uuidOf('bstmt', text);
  if (!id) throw bankStatementNotFound();
  return id;
}
