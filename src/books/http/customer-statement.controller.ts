import { Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Accounts } from '../../auth/index.js';
import { customerId, Customers, DocumentRefusal } from '../../documents/index.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { publicId } from '../../kernel/ids.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import { invalidParameter, RequestRefusal } from '../../platform/http/request-refusals.js';
import { Get } from '../../platform/http/route.js';
import { customerStatementsOf } from '../domain/customer-statement.js';
import { CustomerStatementQuery } from '../infrastructure/customer-statement.query.js';
import {
  CUSTOMER_STATEMENT_COLUMNS,
  CUSTOMER_STATEMENT_PRINTED,
  presentCustomerStatement,
  StatementBody,
  StatementQueryParameters,
  toCustomerStatementRows,
} from '../wire/customer-statement.js';
import { assertInOrder } from '../wire/report-query.js';
import { fromTo, ReportFiles } from './report-files.js';
import { onePage } from './chunks.js';

/** One statement has at most so many movements. */
const MOST_MOVEMENTS = 10_000;

@ApiTags('reports')
@Controller('v1/finance/customers')
export class CustomerStatementController {
  constructor(
    private readonly statements: CustomerStatementQuery,
    private readonly accounts: Accounts,
    private readonly customers: Customers,
    private readonly files: ReportFiles,
  ) {}

  @Get(':id/statement', 'reports:read', {
    summary: 'Read the statement of a customer, with running balances',
    description:
      'Every invoice, credit note, payment and refund of a time, with the balance after each. It starts with the balance before.',
    answers: { json: [StatementBody], text: ['text/csv'], html: true },
    problems: [
      DocumentRefusal.customer_not_found,
      FieldRefusal.sum_too_large,
      RequestRefusal.export_busy,
    ],
  })
  async getCustomerStatement(
    @CallerOf() { accountId }: Caller,
    @Param('id') id: string,
    @Query({ schema: StatementQueryParameters }) query: StatementQueryParameters,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const customer = await this.customers.find(accountId, customerId(id));
    const { from = null, currency = null, format = 'json' } = query;
    const to = query.to ?? (await this.accounts.today(accountId));
    assertInOrder('from', from, 'to', to);
    const filter = { customerId: customer.id, from, to, currency };
    const found = await this.statements.read(accountId, filter, MOST_MOVEMENTS + 1);
    if (found.movements.length > MOST_MOVEMENTS) throw tooLong();
    const body: StatementBody = {
      customer_id: publicId('cus', customer.id),
      customer_name: customer.profile.name,
      from,
      to,
      currencies: customerStatementsOf(found.openings, found.movements).map(
        presentCustomerStatement,
      ),
    };
    if (format === 'json') {
      response.json(body);
      return;
    }
    await this.files.send({ request, response, accountId }, format, {
      name: `statement-${to}`,
      title: `Statement of ${body.customer_name}`,
      about: [fromTo(from, to)],
      columns: CUSTOMER_STATEMENT_COLUMNS,
      printed: CUSTOMER_STATEMENT_PRINTED,
      rows: onePage(toCustomerStatementRows(body)),
    });
  }
}

function tooLong() {
  return invalidParameter(
    'from',
    `A statement has at most ${MOST_MOVEMENTS} movements; ask for a shorter period, or for ` +
      '/v1/finance/ledger with this customer_id and format=csv.',
  );
}
