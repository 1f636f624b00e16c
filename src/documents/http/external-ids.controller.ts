import { z } from 'zod';
import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { allBut, requestShape } from '../../platform/http/validation/shapes.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { isStorableText } from '../../platform/http/validation/storable-text.js';
import { lengthOf } from '../../platform/http/validation/text-length.js';
import { noteStatus } from '../../platform/http/answers/put-status.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Put } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { Customers, type PutCustomer } from '../application/customers.service.js';
import { Documents, type PutDocument } from '../application/documents.service.js';
import {
  CreateCustomerRequest,
  CustomerBody,
  LONGEST_CUSTOMER_EXTERNAL_ID,
  presentCustomer,
  toNewCustomer,
} from '../wire/customer.js';
import { DocumentBody } from '../wire/document-body.js';
import { CreateDocumentRequest, LONGEST_ID } from '../wire/document.js';
import { CUSTOMER_EXAMPLE, DOCUMENT_EXAMPLE } from './examples.js';
import { DocumentExpansions } from './document-expansions.js';
import { ReadDocumentQuery } from '../wire/expansions.js';
import { toNewDocument } from '../wire/parse-draft.js';
import { presentDocument } from '../wire/present-document.js';
import { REFUSED_NEW_DOCUMENTS } from './refused-documents.js';
import { assertMaySay } from './field-scopes.js';
import { DocumentRefusal } from '../domain/refusals.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

/** The path has the external id. */
const PutCustomerRequest = requestShape(
  'PutCustomerRequest',
  allBut(CreateCustomerRequest.shape, ['external_id']),
);
type PutCustomerRequest = z.output<typeof PutCustomerRequest>;
const PutDocumentRequest = requestShape(
  'PutDocumentRequest',
  allBut(CreateDocumentRequest.shape, ['external_id']),
);
type PutDocumentRequest = z.output<typeof PutDocumentRequest>;

const REPLACES =
  'The body is the whole of it: a field that is left out gets its default. The same call may be ' +
  'sent again.';

@ApiTags('customers')
@Controller('v1/finance/customers/by-external-id')
export class CustomersByExternalIdController {
  constructor(private readonly customers: Customers) {}

  @Get(':external_id', 'documents:read', {
    summary: 'Read a customer by your own id',
    description:
      'It is 404 until a customer has this `external_id`. Slashes and other special characters in it are percent-encoded.',
    answers: CustomerBody,
    problems: [DocumentRefusal.customer_not_found],
  })
  async getCustomerByExternalId(
    @CallerOf() { accountId }: Caller,
    @Param('external_id') externalId: string,
  ) {
    const customer = await this.customers.findByExternalId(accountId, externalId);
    return presentCustomer(customer);
  }

  @Put(':external_id', 'documents:write', {
    summary: 'Create or replace the customer with your own id',
    example: CUSTOMER_EXAMPLE,
    description: REPLACES,
    puts: CustomerBody,
    at: 'finance/customers/{id}',
    problems: [
      FieldRefusal.validation_failed,
      FieldRefusal.unknown_field,
      FieldRefusal.invalid_text,
    ],
  })
  async putCustomerByExternalId(
    @CallerOf() caller: Caller,
    @Param('external_id') externalId: string,
    @Body({ schema: PutCustomerRequest }) body: PutCustomerRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
    @Res({ passthrough: true }) response: Response,
  ) {
    assertExternalId(externalId, LONGEST_CUSTOMER_EXTERNAL_ID);
    const wish = { ...toNewCustomer(body), externalId };
    return once.run(
      (put: PutCustomer) => presentCustomer(put.customer),
      (guard) => this.customers.put(byClient(caller), wish, expected, guard),
      (put) => noteStatus(response, put.isNew),
    );
  }
}

@ApiTags('documents')
@Controller('v1/finance/documents/by-external-id')
export class DocumentsByExternalIdController {
  constructor(
    private readonly documents: Documents,
    private readonly expansions: DocumentExpansions,
  ) {}

  @Get(':external_id', 'documents:read', {
    summary: 'Read a document by your own id',
    description:
      'It is 404 until a document has this `external_id`. Slashes and other special characters in it are percent-encoded.',
    answers: DocumentBody,
    problems: [DocumentRefusal.document_not_found],
  })
  async getDocumentByExternalId(
    @CallerOf() caller: Caller,
    @Param('external_id') externalId: string,
    @Query({ schema: ReadDocumentQuery }) { expand }: ReadDocumentQuery,
  ) {
    const view = await this.documents.findByExternalId(caller.accountId, externalId);
    const expandedIn = await this.expansions.of(caller, [view], expand);
    return { ...presentDocument(view), ...expandedIn(view) };
  }

  @Put(':external_id', 'documents:write', {
    summary: 'Create the document with your own id, or replace its draft',
    example: DOCUMENT_EXAMPLE,
    description: `${REPLACES} An issued document is refused.`,
    takes: 'document',
    puts: DocumentBody,
    at: 'finance/documents/{id}',
    problems: [
      ...REFUSED_NEW_DOCUMENTS,
      FieldRefusal.invalid_text,
      DocumentRefusal.document_not_draft,
      DocumentRefusal.kind_differs,
    ],
  })
  async putDocumentByExternalId(
    @CallerOf() caller: Caller,
    @Param('external_id') externalId: string,
    @Body({ schema: PutDocumentRequest }) body: PutDocumentRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
    @Res({ passthrough: true }) response: Response,
  ) {
    assertExternalId(externalId, LONGEST_ID);
    assertMaySay(caller, body);
    const request = { ...toNewDocument(body), externalId };
    return once.run(
      (put: PutDocument) => presentDocument(put.view),
      (guard) => this.documents.put(byClient(caller), request, expected, guard),
      (put) => noteStatus(response, put.isNew),
    );
  }
}

/** The id in a path obeys the rule of the field. */
function assertExternalId(text: string, longest: number): void {
  if (isStorableText(text) && text.trim() === text && lengthOf(text) <= longest) return;
  throw FieldRefusal.invalid_text.at(
    '/external_id',
    `external_id in the path must be text of 1 to ${longest} characters, without spaces around it.`,
  );
}
