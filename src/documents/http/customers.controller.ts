import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import {
  ApiConsumes,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { BearerAuth } from '../../platform/http/access.js';
import { NoFields } from '../../platform/http/fields.js';
import { ApiIfMatch, IfMatch } from '../../platform/http/if-match.js';
import { ApiCreated, ApiIdempotent, ApiProblems } from '../../platform/http/openapi.js';
import { Cursors, DEFAULT_PAGE_SIZE, type Page, toPage } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { Customers } from '../application/customers.service.js';
import { customerNotFound } from '../domain/parties/customer.js';
import {
  CUSTOMER_KEYS,
  type CustomerFilter,
  CustomersQuery,
} from '../infrastructure/customers.query.js';
import {
  CreateCustomerRequest,
  CustomerBody,
  CustomerPage,
  ListCustomersQuery,
  PatchCustomerRequest,
  presentCustomer,
  toCustomerChange,
  toNewCustomer,
} from './customer.dto.js';

const FIELD_PROBLEMS = ['validation_failed', 'unknown_field', 'external_id_taken'];

@ApiTags('customers')
@Controller('v1/finance/customers')
export class CustomersController {
  constructor(
    private readonly customers: Customers,
    private readonly query: CustomersQuery,
  ) {}

  @Post()
  @BearerAuth('documents:write')
  @ApiOperation({ summary: 'Create a customer', operationId: 'createCustomer' })
  @ApiIdempotent()
  @ApiCreated(CustomerBody)
  @ApiProblems(...FIELD_PROBLEMS)
  async create(
    @CallerOf() caller: Caller,
    @Body() body: CreateCustomerRequest,
    @OnceOnly() once: Once,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CustomerBody> {
    const customer = await once.run(presentCustomer, (guard) =>
      this.customers.create(byClient(caller), toNewCustomer(body), guard),
    );
    return withETag(response, customer);
  }

  @Get()
  @BearerAuth('documents:read')
  @ApiOperation({ summary: 'List or search customers', operationId: 'listCustomers' })
  @ApiOkResponse({ type: CustomerPage })
  @ApiProblems('invalid_query', 'invalid_cursor')
  async list(
    @CallerOf() caller: Caller,
    @Query() query: ListCustomersQuery,
  ): Promise<Page<CustomerBody>> {
    const { limit = DEFAULT_PAGE_SIZE, sort = '-created_at' } = query;
    const filter = toFilter(query);
    const cursors = new Cursors({ list: 'customers', sort, filter }, CUSTOMER_KEYS[sort]);
    const after = cursors.read(query.cursor);
    const rows = await this.query.list(caller.accountId, filter, sort, after, limit + 1);
    return toPage(
      rows,
      limit,
      ({ position }) => cursors.keyOf(position),
      ({ customer }) => presentCustomer(customer),
    );
  }

  @Get(':id')
  @BearerAuth('documents:read')
  @ApiOperation({ summary: 'Read a customer', operationId: 'getCustomer' })
  @ApiOkResponse({ type: CustomerBody })
  @ApiProblems('customer_not_found')
  async get(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CustomerBody> {
    const customer = await this.customers.find(caller.accountId, customerId(id));
    return withETag(response, presentCustomer(customer));
  }

  @Patch(':id')
  @BearerAuth('documents:write')
  @ApiOperation({
    summary: 'Change a customer: a JSON Merge Patch; lists and objects are replaced as a whole',
    operationId: 'updateCustomer',
  })
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiIdempotent()
  @ApiIfMatch()
  @ApiOkResponse({ type: CustomerBody })
  @ApiProblems('customer_not_found', ...FIELD_PROBLEMS)
  async change(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: PatchCustomerRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CustomerBody> {
    const change = toCustomerChange(body);
    const customer = await once.run(presentCustomer, (guard) =>
      this.customers.change(byClient(caller), customerId(id), change, expected, guard),
    );
    return withETag(response, customer);
  }

  @Delete(':id')
  @HttpCode(204)
  @BearerAuth('documents:write')
  @ApiOperation({
    summary: 'Delete a customer who has no documents',
    operationId: 'deleteCustomer',
  })
  @ApiIdempotent()
  @ApiIfMatch()
  @ApiNoContentResponse()
  @ApiProblems('customer_not_found', 'customer_in_use')
  async delete(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ): Promise<void> {
    await once.run(
      () => ({}),
      (guard) => this.customers.delete(byClient(caller), customerId(id), expected, guard),
    );
  }

  @Post(':id/archive')
  @HttpCode(200)
  @BearerAuth('documents:write')
  @ApiOperation({
    summary: 'Take a customer out of lists and off new documents',
    operationId: 'archiveCustomer',
  })
  @ApiIdempotent()
  @ApiIfMatch()
  @ApiOkResponse({ type: CustomerBody })
  @ApiProblems('customer_not_found')
  async archive(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CustomerBody> {
    const customer = await once.run(presentCustomer, (guard) =>
      this.customers.archive(byClient(caller), customerId(id), expected, guard),
    );
    return withETag(response, customer);
  }

  @Post(':id/unarchive')
  @HttpCode(200)
  @BearerAuth('documents:write')
  @ApiOperation({ summary: 'Take a customer back', operationId: 'unarchiveCustomer' })
  @ApiIdempotent()
  @ApiIfMatch()
  @ApiOkResponse({ type: CustomerBody })
  @ApiProblems('customer_not_found')
  async unarchive(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CustomerBody> {
    const customer = await once.run(presentCustomer, (guard) =>
      this.customers.unarchive(byClient(caller), customerId(id), expected, guard),
    );
    return withETag(response, customer);
  }
}

/** The UUID in a path. Text that is no id of ours names nobody. @throws `customer_not_found` */
export function customerId(text: string): Uuid {
  const uuid = uuidOf('cus', text);
  if (!uuid) throw customerNotFound();
  return uuid;
}

function withETag(response: Response, customer: CustomerBody): CustomerBody {
  response.setHeader('ETag', `"${customer.version}"`);
  return customer;
}

function toFilter(query: ListCustomersQuery): CustomerFilter {
  const { email, external_id: externalId, currency, country, archived = 'false', q } = query;
  const archivedOnly = archived === 'all' ? undefined : archived === 'true';
  return { email, externalId, currency, country, archived: archivedOnly, q };
}
