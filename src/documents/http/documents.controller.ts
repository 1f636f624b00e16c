import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { EventsQuery } from '../../events/index.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { Cursors, DEFAULT_PAGE_SIZE, toPage, withTotalCount } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { selecting } from '../../platform/http/selected-fields.js';
import { Delete, Get, Patch, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { Documents } from '../application/documents.service.js';
import { usualSort } from '../domain/document-list.js';
import { documentNotFound } from '../domain/document-refusals.js';
import { documentKeys, DocumentsListQuery } from '../infrastructure/documents-list.query.js';
import { CalculationBody, presentCalculation } from '../wire/calculation.js';
import { DocumentBody, DocumentPage } from '../wire/document-body.js';
import { CreateDocumentRequest, PatchDocumentRequest } from '../wire/document.js';
import { DOCUMENT_EXAMPLE } from './examples.js';
import { DocumentExpansions } from './document-expansions.js';
import { ReadDocumentQuery } from '../wire/expansions.js';
import { viewPartsOf } from '../wire/document-parts.js';
import { ListDocumentsQuery, toFilter } from '../wire/document-list.js';
import { toChange, toNewDocument } from '../wire/parse-draft.js';
import { HistoryBody, presentHistory } from '../wire/history.js';
import { presentDocument } from '../wire/present-document.js';
import { REFUSED_NEW_DOCUMENTS, REFUSED_TERMS } from './refused-documents.js';
import { assertMaySay } from './field-scopes.js';
import { DocumentRefusal } from '../domain/refusals.js';

@ApiTags('documents')
@Controller('v1/finance/documents')
export class DocumentsController {
  constructor(
    private readonly documents: Documents,
    private readonly lists: DocumentsListQuery,
    private readonly events: EventsQuery,
    private readonly expansions: DocumentExpansions,
  ) {}

  @Post('', 'documents:write', {
    summary: 'Create a document, as a draft or issued at once',
    description:
      'With `issue: true` it gets its number and is frozen at once; otherwise it is a draft that may change. Figures are calculated by EN 16931. All wrong fields are told at once.',
    example: { ...DOCUMENT_EXAMPLE, issue: true },
    takes: 'document',
    creates: DocumentBody,
    at: 'finance/documents/{id}',
    problems: REFUSED_NEW_DOCUMENTS,
  })
  async createDocument(
    @CallerOf() caller: Caller,
    @Body({ schema: CreateDocumentRequest }) body: CreateDocumentRequest,
    @OnceOnly() once: Once,
  ) {
    assertMaySay(caller, body);
    return once.run(presentDocument, (guard) =>
      this.documents.create(byClient(caller), toNewDocument(body), guard),
    );
  }

  @Post('preview', 'documents:read', {
    reads: true,
    summary: 'Calculate a document, step by step, and store nothing',
    description:
      'Takes what creation takes, and answers every amount with its formula. Dates, numbers and the customer are not judged.',
    example: DOCUMENT_EXAMPLE,
    takes: 'document',
    answers: CalculationBody,
    problems: REFUSED_TERMS,
  })
  async previewDocument(
    @CallerOf() caller: Caller,
    @Body({ schema: CreateDocumentRequest }) body: CreateDocumentRequest,
  ) {
    const request = toNewDocument(body);
    const { calculation, findings, unprintable } = await this.documents.preview(
      caller.accountId,
      request,
    );
    const shown = presentCalculation(calculation, request, null);
    const warnings = [...findings, ...unprintable];
    return { ...shown, ...(warnings.length > 0 && { warnings }) };
  }

  @Get('', 'documents:read', {
    summary: 'List documents, filtered, searched and sorted',
    description:
      'Filters may be combined, and a page is found by a cursor in any order. Each document is complete, with lines and taxes.',
    answers: DocumentPage,
  })
  async listDocuments(
    @CallerOf() caller: Caller,
    @Query({ schema: ListDocumentsQuery }) query: ListDocumentsQuery,
  ) {
    const { limit = DEFAULT_PAGE_SIZE, expand } = query;
    const fields = expand ? query.fields?.with('expanded') : query.fields;
    const filter = toFilter(query);
    const sort = query.sort ?? usualSort(filter);
    const cursors = new Cursors({ list: 'documents', sort, filter }, documentKeys(sort));
    const after = cursors.read(query.cursor);
    const { from } = filter.updated;
    const among = from && (await this.events.documentsSince(caller.accountId, from));
    const wanted = { ...filter, among };
    const parts = viewPartsOf(fields);
    const place = { after, count: limit + 1, parts };
    const rows = await this.lists.list(caller.accountId, wanted, sort, place);
    const shown = rows.slice(0, limit).map(({ view }) => view);
    const expandedIn = await this.expansions.of(caller, shown, expand);
    const page = toPage(
      rows,
      limit,
      ({ position }) => cursors.keyOf(position),
      selecting({ fields }, ({ view }) => ({ ...presentDocument(view), ...expandedIn(view) })),
    );
    return withTotalCount(page, query, (most) => this.lists.count(caller.accountId, wanted, most));
  }

  @Get(':id', 'documents:read', {
    summary: 'Read a document',
    description:
      'With lines, taxes, sums, links to related documents, and what may be done with it now. The `ETag` is its version.',
    answers: DocumentBody,
    problems: [DocumentRefusal.document_not_found],
  })
  async getDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: ReadDocumentQuery }) { expand }: ReadDocumentQuery,
  ) {
    const view = await this.documents.find(caller.accountId, documentId(id));
    const expandedIn = await this.expansions.of(caller, [view], expand);
    return { ...presentDocument(view), ...expandedIn(view) };
  }

  @Patch(':id', 'documents:write', {
    summary: 'Change a draft; of an issued document, metadata or collection_method',
    example: { metadata: { project: 'Relaunch' } },
    description:
      'The body is a JSON Merge Patch: absent fields stay, null empties a field, and lists ' +
      'are replaced.',
    takes: 'document',
    answers: DocumentBody,
    problems: [
      ...REFUSED_TERMS,
      DocumentRefusal.document_not_found,
      DocumentRefusal.document_not_draft,
      DocumentRefusal.document_not_payable,
    ],
  })
  async updateDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: PatchDocumentRequest }) body: PatchDocumentRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    assertMaySay(caller, body);
    return once.run(presentDocument, (guard) =>
      this.documents.update(byClient(caller), documentId(id), toChange(body), expected, guard),
    );
  }

  @Delete(':id', 'documents:write', {
    summary: 'Delete a draft',
    description:
      'Its lines go with it, and no number is lost, since a draft has none. An issued document is refused: void it.',
    answers: 'nothing',
    problems: [DocumentRefusal.document_not_found, DocumentRefusal.document_not_draft],
  })
  async deleteDocument(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    await once.run(
      () => ({}),
      (guard) => this.documents.delete(byClient(caller), documentId(id), expected, guard),
    );
  }

  @Get(':id/calculation', 'documents:read', {
    summary: 'Read how every amount was calculated, step by step',
    description:
      'Each amount with its formula, its operands and the rule of EN 16931 behind it. JSON, PDF and page print these same amounts.',
    answers: CalculationBody,
    problems: [DocumentRefusal.document_not_found],
  })
  async getCalculation(@CallerOf() caller: Caller, @Param('id') id: string) {
    const { view, calculation } = await this.documents.calculation(
      caller.accountId,
      documentId(id),
    );
    return presentCalculation(calculation, view, view);
  }

  @Get(':id/history', 'documents:read', {
    summary: 'List every change of a document, and who made it',
    description:
      'Each change with its instant, the caller, the status before and after, and the fields that changed. It only ever grows.',
    answers: HistoryBody,
    problems: [DocumentRefusal.document_not_found],
  })
  async getHistory(@CallerOf() caller: Caller, @Param('id') id: string) {
    await this.documents.assertExists(caller.accountId, documentId(id));
    return presentHistory(await this.events.ofDocument(caller.accountId, documentId(id)));
  }
}

/** The UUID in a path. @throws DomainError `document_not_found` for any other text */
export function documentId(text: string): Uuid {
  const uuid = uuidOf('doc', text);
  if (!uuid) throw documentNotFound();
  return uuid;
}
