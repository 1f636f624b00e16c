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
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { EventsQuery } from '../../events/index.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { BearerAuth } from '../../platform/http/access.js';
import { Takes } from '../../platform/http/body/bodies.js';
import { ApiIfMatch, IfMatch } from '../../platform/http/if-match.js';
import { ApiCreated, ApiIdempotent, ApiProblems } from '../../platform/http/openapi.js';
import { Cursors, DEFAULT_PAGE_SIZE, type Page, toPage } from '../../platform/http/paging.js';
import { type ApiRequest, byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { DocumentPdfs } from '../application/document-pdfs.service.js';
import { Documents } from '../application/documents.service.js';
import { usualSort } from '../domain/document-list.js';
import { documentNotFound } from '../domain/document-refusals.js';
import { documentKeys, DocumentsListQuery } from '../infrastructure/documents-list.query.js';
import { CalculationBody, presentCalculation } from './calculation.dto.js';
import { DocumentBody, DocumentPage } from './document-body.dto.js';
import { CreateDocumentRequest, PatchDocumentRequest } from './document.dto.js';
import { ListDocumentsQuery, toFilter } from './document-list.dto.js';
import { toChange, toNewDocument } from './parse-draft.js';
import { HistoryBody, presentHistory } from './history.dto.js';
import { presentDocument } from './present-document.js';
import { sendPdf } from './send-pdf.js';

const REFUSED_TERMS = [
  'validation_failed',
  'unknown_field',
  'unknown_customer',
  'unknown_series',
  'said_twice',
  'due_before_issue',
  'customer_archived',
  'one_price_required',
  'one_value_required',
  'exemption_not_allowed',
  'discount_too_large',
  'total_too_large',
  'external_id_taken',
];

@ApiTags('documents')
@Controller('v1/finance/documents')
export class DocumentsController {
  constructor(
    private readonly documents: Documents,
    private readonly lists: DocumentsListQuery,
    private readonly pdfs: DocumentPdfs,
    private readonly events: EventsQuery,
  ) {}

  @Post()
  @Takes('document')
  @BearerAuth('documents:write')
  @ApiOperation({ summary: 'Create a draft, or issue at once', operationId: 'createDocument' })
  @ApiIdempotent()
  @ApiCreated(DocumentBody)
  @ApiProblems(
    ...REFUSED_TERMS,
    'proforma_is_a_quote',
    'number_needs_issue',
    'number_belongs_to_series',
    'number_taken',
  )
  async create(
    @CallerOf() caller: Caller,
    @Body() body: CreateDocumentRequest,
    @OnceOnly() once: Once,
  ): Promise<DocumentBody> {
    return once.run(presentDocument, (guard) =>
      this.documents.create(byClient(caller), toNewDocument(body), guard),
    );
  }

  @Post('preview')
  @Takes('document')
  @HttpCode(200)
  @BearerAuth('documents:read')
  @ApiOperation({
    summary: 'Calculate a document, step by step, and store nothing',
    operationId: 'previewDocument',
  })
  @ApiOkResponse({ type: CalculationBody })
  @ApiProblems(...REFUSED_TERMS)
  async preview(
    @CallerOf() caller: Caller,
    @Body() body: CreateDocumentRequest,
  ): Promise<CalculationBody> {
    const request = toNewDocument(body);
    const calculation = await this.documents.preview(caller.accountId, request);
    return presentCalculation(calculation, request, null);
  }

  @Get()
  @BearerAuth('documents:read')
  @ApiOperation({
    summary: 'List documents, filtered, searched and sorted',
    operationId: 'listDocuments',
  })
  @ApiOkResponse({ type: DocumentPage })
  @ApiProblems('invalid_query', 'invalid_cursor')
  async list(
    @CallerOf() caller: Caller,
    @Query() query: ListDocumentsQuery,
  ): Promise<Page<DocumentBody>> {
    const { limit = DEFAULT_PAGE_SIZE } = query;
    const filter = toFilter(query);
    const sort = query.sort ?? usualSort(filter);
    const cursors = new Cursors({ list: 'documents', sort, filter }, documentKeys(sort));
    const after = cursors.read(query.cursor);
    const rows = await this.lists.list(caller.accountId, filter, sort, after, limit + 1);
    return toPage(
      rows,
      limit,
      ({ position }) => cursors.keyOf(position),
      ({ view }) => presentDocument(view),
    );
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

  @Patch(':id')
  @Takes('document')
  @BearerAuth('documents:write')
  @ApiOperation({
    summary: 'Change a draft; of an issued document only the metadata',
    operationId: 'updateDocument',
    description: 'A JSON merge patch: what is absent stays, null empties, lists are replaced.',
  })
  @ApiIdempotent()
  @ApiIfMatch()
  @ApiOkResponse({ type: DocumentBody })
  @ApiProblems(...REFUSED_TERMS, 'document_not_found', 'document_not_draft', 'document_busy')
  async update(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: PatchDocumentRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ): Promise<DocumentBody> {
    return once.run(presentDocument, (guard) =>
      this.documents.update(byClient(caller), documentId(id), toChange(body), expected, guard),
    );
  }

  @Delete(':id')
  @HttpCode(204)
  @BearerAuth('documents:write')
  @ApiOperation({ summary: 'Delete a draft', operationId: 'deleteDocument' })
  @ApiIdempotent()
  @ApiIfMatch()
  @ApiNoContentResponse()
  @ApiProblems('document_not_found', 'document_not_draft', 'document_busy')
  async delete(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ): Promise<void> {
    await once.run(
      () => ({}),
      (guard) => this.documents.delete(byClient(caller), documentId(id), expected, guard),
    );
  }

  @Get(':id/calculation')
  @BearerAuth('documents:read')
  @ApiOperation({ summary: 'Every number, step by step', operationId: 'getCalculation' })
  @ApiOkResponse({ type: CalculationBody })
  @ApiProblems('document_not_found')
  async calculation(@CallerOf() caller: Caller, @Param('id') id: string): Promise<CalculationBody> {
    const { view, calculation } = await this.documents.calculation(
      caller.accountId,
      documentId(id),
    );
    return presentCalculation(calculation, view, view);
  }

  @Get(':id/history')
  @BearerAuth('documents:read')
  @ApiOperation({ summary: 'Every change: who, when, from, to', operationId: 'getHistory' })
  @ApiOkResponse({ type: HistoryBody })
  @ApiProblems('document_not_found')
  async history(@CallerOf() caller: Caller, @Param('id') id: string): Promise<HistoryBody> {
    await this.documents.assertExists(caller.accountId, documentId(id));
    return presentHistory(await this.events.ofDocument(caller.accountId, documentId(id)));
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

/** The UUID in a path. Text that is no id of ours names nothing. @throws `document_not_found` */
export function documentId(text: string): Uuid {
  const uuid = uuidOf('doc', text);
  if (!uuid) throw documentNotFound();
  return uuid;
}
