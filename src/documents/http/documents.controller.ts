import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { DomainError } from '../../kernel/domain-error.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { BearerAuth } from '../../platform/http/access.js';
import { NoFields } from '../../platform/http/fields.js';
import { ApiCreated, ApiIdempotent, ApiProblems } from '../../platform/http/openapi.js';
import { afterCursor, DEFAULT_PAGE_SIZE, type Page, toPage } from '../../platform/http/paging.js';
import { type ApiRequest, type Caller, CallerOf } from '../../platform/http/request.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { DocumentPdfs } from '../application/document-pdfs.service.js';
import { Documents, type NewDocument } from '../application/documents.service.js';
import type { LineRequest } from '../domain/calculation.js';
import { documentNotFound } from '../domain/document.js';
import { DocumentsQuery } from '../infrastructure/documents.query.js';
import { toBuyer } from './customer.dto.js';
import {
  CreateDocumentRequest,
  DocumentBody,
  DocumentPage,
  type LineRequestBody,
  ListDocumentsQuery,
} from './document.dto.js';
import { presentDocument } from './present-document.js';
import { sendPdf } from './send-pdf.js';

@ApiTags('documents')
@Controller('v1/finance/documents')
export class DocumentsController {
  constructor(
    private readonly documents: Documents,
    private readonly query: DocumentsQuery,
    private readonly pdfs: DocumentPdfs,
  ) {}

  @Post()
  @BearerAuth('documents:write')
  @ApiOperation({ summary: 'Create a draft, or issue at once', operationId: 'createDocument' })
  @ApiIdempotent()
  @ApiCreated(DocumentBody)
  @ApiProblems(
    'validation_failed',
    'unknown_field',
    'unknown_customer',
    'said_twice',
    'due_before_issue',
    'total_too_large',
  )
  async create(
    @CallerOf() caller: Caller,
    @Body() body: CreateDocumentRequest,
    @OnceOnly() once: Once,
  ): Promise<DocumentBody> {
    return once.run(presentDocument, (guard) =>
      this.documents.create(caller.accountId, toNewDocument(body), guard),
    );
  }

  @Get()
  @BearerAuth('documents:read')
  @ApiOperation({ summary: 'List documents, newest first', operationId: 'listDocuments' })
  @ApiOkResponse({ type: DocumentPage })
  @ApiProblems('invalid_query', 'invalid_cursor')
  async list(
    @CallerOf() caller: Caller,
    @Query() query: ListDocumentsQuery,
  ): Promise<Page<DocumentBody>> {
    const limit = query.limit ?? DEFAULT_PAGE_SIZE;
    const { kind, status, number, currency } = query;
    const customerId = query.customer_id && (uuidOf('cus', query.customer_id) ?? NOBODY);
    const filter = { kind, status, number, currency, ...(customerId && { customerId }) };
    const after = afterCursor(query.cursor);
    const views = await this.query.list(caller.accountId, filter, after, limit);
    return toPage(views, limit, (view) => uuidOf('doc', view.id) ?? '', presentDocument);
  }

  @Get(':id')
  @BearerAuth('documents:read')
  @ApiOperation({ summary: 'Read a document', operationId: 'getDocument' })
  @ApiOkResponse({ type: DocumentBody })
  @ApiProblems('document_not_found')
  async get(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DocumentBody> {
    const view = await this.documents.find(caller.accountId, documentId(id));
    response.setHeader('ETag', `"${view.version}"`);
    return presentDocument(view);
  }

  @Post(':id/issue')
  @HttpCode(200)
  @BearerAuth('documents:write')
  @ApiOperation({ summary: 'Issue a draft: number and freeze it', operationId: 'issueDocument' })
  @ApiIdempotent()
  @ApiOkResponse({ type: DocumentBody })
  @ApiProblems('document_not_found', 'document_not_draft', 'due_date_passed', 'document_busy')
  async issue(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() _body: NoFields,
    @OnceOnly() once: Once,
  ): Promise<DocumentBody> {
    return once.run(presentDocument, (guard) =>
      this.documents.issue(caller.accountId, documentId(id), guard),
    );
  }

  @Post(':id/void')
  @HttpCode(200)
  @BearerAuth('documents:write')
  @ApiOperation({ summary: 'Withdraw an unpaid document', operationId: 'voidDocument' })
  @ApiIdempotent()
  @ApiOkResponse({ type: DocumentBody })
  @ApiProblems('document_not_found', 'document_not_voidable', 'document_busy')
  async void(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() _body: NoFields,
    @OnceOnly() once: Once,
  ): Promise<DocumentBody> {
    return once.run(presentDocument, (guard) =>
      this.documents.void(caller.accountId, documentId(id), guard),
    );
  }

  @Get(':id/pdf')
  @BearerAuth('documents:read')
  @ApiOperation({ summary: 'The document as PDF', operationId: 'getDocumentPdf' })
  @ApiProduces('application/pdf')
  @ApiOkResponse({
    content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiProblems('document_not_found', 'pdf_busy')
  async pdf(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    sendPdf(request, response, await this.pdfs.get(caller.accountId, documentId(id)));
  }
}

const NOBODY: Uuid = '00000000-0000-0000-0000-000000000000';

/** The UUID in a path. Text that is no id of ours names nothing. @throws `document_not_found` */
export function documentId(text: string): Uuid {
  const uuid = uuidOf('doc', text);
  if (!uuid) throw documentNotFound();
  return uuid;
}

/** Two ways to say one thing: neither may win in silence. */
function assertSaidOnce(body: CreateDocumentRequest): void {
  const pairs = [
    ['customer', 'customer_id'],
    ['due_date', 'payment_terms_days'],
  ] as const;
  for (const [one, other] of pairs) {
    if (body[one] == null || body[other] == null) continue;
    throw DomainError.invalid('said_twice', `/${other}`, `Send either ${one} or ${other}.`);
  }
}

function toNewDocument(body: CreateDocumentRequest): NewDocument {
  assertSaidOnce(body);
  const { customer } = body;
  return {
    kind: body.kind ?? 'invoice',
    ...(body.currency && { currency: body.currency }),
    ...(customer && { customer: toBuyer(customer) }),
    ...(body.customer_id && { customerId: uuidOf('cus', body.customer_id) ?? NOBODY }),
    lines: body.lines.map(toLineRequest),
    issueDate: body.issue_date ?? null,
    dueDate: body.due_date ?? null,
    paymentTermsDays: body.payment_terms_days ?? null,
    purchaseOrder: body.purchase_order ?? null,
    notes: body.notes ?? null,
    metadata: body.metadata ?? {},
    issue: body.issue ?? false,
  };
}

function toLineRequest(line: LineRequestBody): LineRequest {
  return {
    description: line.description,
    quantity: String(line.quantity ?? '1'),
    ...(line.unit_amount != null && { unitAmountMinor: BigInt(line.unit_amount) }),
    ...(line.unit_amount_decimal != null && { unitAmountDecimal: line.unit_amount_decimal }),
    ...(line.tax_rate != null && { taxRate: String(line.tax_rate) }),
    ...(line.tax_category != null && { taxCategory: line.tax_category }),
  };
}
