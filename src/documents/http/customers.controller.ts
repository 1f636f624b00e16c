import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { Cursors, DEFAULT_PAGE_SIZE, toPage, withTotalCount } from '../../platform/http/paging.js';
import { selecting } from '../../platform/http/selected-fields.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Delete, Get, Patch, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { Customers } from '../application/customers.service.js';
import { VatNumberChecks } from '../application/vat-number-checks.service.js';
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
  presentVatNumberCheck,
  toCustomerChange,
  toNewCustomer,
  VatNumberCheckBody,
} from '../wire/customer.js';
import { CUSTOMER_EXAMPLE } from './examples.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { DocumentRefusal } from '../domain/refusals.js';

const FIELD_PROBLEMS = [
  FieldRefusal.validation_failed,
  FieldRefusal.unknown_field,
  DocumentRefusal.external_id_taken,
  DocumentRefusal.cash_discounts_out_of_order,
] as const;

@ApiTags('customers')
@Controller('v1/finance/customers')
export class CustomersController {
  constructor(
    private readonly customers: Customers,
    private readonly query: CustomersQuery,
    private readonly vatNumbers: VatNumberChecks,
  ) {}

  @Post('', 'documents:write', {
    summary: 'Create a customer',
    description:
      'Documents take name, address and tax id of the customer at issue. A later change does not touch them.',
    example: CUSTOMER_EXAMPLE,
    creates: CustomerBody,
    at: 'finance/customers/{id}',
    problems: FIELD_PROBLEMS,
  })
  async createCustomer(
    @CallerOf() caller: Caller,
    @Body({ schema: CreateCustomerRequest }) body: CreateCustomerRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentCustomer, (guard) =>
      this.customers.create(byClient(caller), toNewCustomer(body), guard),
    );
  }

  @Get('', 'documents:read', {
    summary: 'List or search customers',
    description:
      'By e-mail, your own id, currency, country or words in their particulars. Archived ones are left out unless you ask for them.',
    answers: CustomerPage,
  })
  async listCustomers(
    @CallerOf() caller: Caller,
    @Query({ schema: ListCustomersQuery }) query: ListCustomersQuery,
  ) {
    const { limit = DEFAULT_PAGE_SIZE, sort = '-created_at' } = query;
    const filter = toFilter(query);
    const cursors = new Cursors({ list: 'customers', sort, filter }, CUSTOMER_KEYS[sort]);
    const after = cursors.read(query.cursor);
    const rows = await this.query.list(caller.accountId, filter, sort, after, limit + 1);
    const page = toPage(
      rows,
      limit,
      ({ position }) => cursors.keyOf(position),
      selecting(query, ({ customer }) => presentCustomer(customer)),
    );
    return withTotalCount(page, query, (most) => this.query.count(caller.accountId, filter, most));
  }

  @Get(':id', 'documents:read', {
    summary: 'Read a customer',
    description: 'As it is now, archived or not. The `ETag` is its version, for `If-Match`.',
    answers: CustomerBody,
    problems: [DocumentRefusal.customer_not_found],
  })
  async getCustomer(@CallerOf() caller: Caller, @Param('id') id: string) {
    const customer = await this.customers.find(caller.accountId, customerId(id));
    return presentCustomer(customer);
  }

  @Patch(':id', 'documents:write', {
    summary: 'Change a customer',
    description:
      'The body is a JSON Merge Patch: absent fields stay, null empties a field. Drafts show the change; issued documents keep what they had.',
    example: { payment_terms_days: 14 },
    takes: 'mergePatch',
    answers: CustomerBody,
    problems: [
      DocumentRefusal.customer_not_found,
      DocumentRefusal.customer_erased,
      ...FIELD_PROBLEMS,
    ],
  })
  async updateCustomer(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: PatchCustomerRequest }) body: PatchCustomerRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const change = toCustomerChange(body);
    return once.run(presentCustomer, (guard) =>
      this.customers.change(byClient(caller), customerId(id), change, expected, guard),
    );
  }

  @Delete(':id', 'documents:write', {
    summary: 'Delete a customer who has no documents',
    description: 'One who has documents, drafts among them, is refused. Archive those instead.',
    answers: 'nothing',
    problems: [DocumentRefusal.customer_not_found, DocumentRefusal.customer_in_use],
  })
  async deleteCustomer(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    await once.run(
      () => ({}),
      (guard) => this.customers.delete(byClient(caller), customerId(id), expected, guard),
    );
  }

  @Post(':id/check-vat-number', 'documents:write', {
    summary: 'Ask VIES whether the VAT number of a customer is registered',
    description:
      'With your own VAT number, if it is one of the EU: then the answer has a consultation number, which proves it. ' +
      'The answer stays in the audit log. Nothing else asks, and no document waits for it.',
    answers: VatNumberCheckBody,
    problems: [
      DocumentRefusal.customer_not_found,
      DocumentRefusal.vat_number_not_checkable,
      DocumentRefusal.vat_register_not_configured,
      DocumentRefusal.vat_register_unavailable,
    ],
  })
  async checkVatNumber(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentVatNumberCheck, (guard) =>
      this.vatNumbers.check(byClient(caller), customerId(id), guard),
    );
  }

  @Post(':id/archive', 'documents:write', {
    summary: 'Archive a customer: lists leave it out, and new documents refuse it',
    description:
      'Documents and payments of the customer stay, and may still be paid. The same call may be sent again.',
    answers: CustomerBody,
    problems: [DocumentRefusal.customer_not_found, DocumentRefusal.customer_erased],
  })
  async archiveCustomer(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentCustomer, (guard) =>
      this.customers.archive(byClient(caller), customerId(id), expected, guard),
    );
  }

  @Post(':id/unarchive', 'documents:write', {
    summary: 'Unarchive a customer',
    description:
      'Lists have the customer again, and so may new documents. The same call may be sent again.',
    answers: CustomerBody,
    problems: [DocumentRefusal.customer_not_found, DocumentRefusal.customer_erased],
  })
  async unarchiveCustomer(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentCustomer, (guard) =>
      this.customers.unarchive(byClient(caller), customerId(id), expected, guard),
    );
  }
}

/** The UUID in a path. @throws DomainError `customer_not_found` for any other text */
export function customerId(text: string): Uuid {
  const uuid = uuidOf('cus', text);
  if (!uuid) throw DocumentRefusal.customer_not_found.of();
  return uuid;
}

function toFilter(query: ListCustomersQuery): CustomerFilter {
  const { email, external_id: externalId, currency, country, archived = 'false', q } = query;
  const archivedOnly = archived === 'all' ? undefined : archived === 'true';
  return { email, externalId, currency, country, archived: archivedOnly, q };
}
