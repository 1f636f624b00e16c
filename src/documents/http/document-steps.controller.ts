import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { BearerAuth } from '../../platform/http/access.js';
import { Takes } from '../../platform/http/body/bodies.js';
import { NoFields } from '../../platform/http/fields.js';
import { ApiIfMatch, IfMatch } from '../../platform/http/if-match.js';
import { ApiCreated, ApiIdempotent, ApiProblems } from '../../platform/http/openapi.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { CreditNotes } from '../application/credit-notes.service.js';
import { DocumentSteps } from '../application/document-steps.service.js';
import { Documents } from '../application/documents.service.js';
import { ChangesBody } from './changes.dto.js';
import { DocumentBody } from './document-body.dto.js';
import { CopyDocumentRequest, CreateCreditNoteRequest, WriteOffRequest } from './document.dto.js';
import { documentId } from './documents.controller.js';
import { toCopy, toNewCreditNote } from './parse-draft.js';
import { presentDocument } from './present-document.js';

/** What is done with a document as a whole, one route a step. */
@ApiTags('documents')
@Controller('v1/finance/documents/:id')
export class DocumentStepsController {
  constructor(
    private readonly documents: Documents,
    private readonly steps: DocumentSteps,
    private readonly creditNotes: CreditNotes,
  ) {}

  @Post('issue')
  @HttpCode(200)
  @BearerAuth('documents:write')
  @ApiOperation({ summary: 'Issue a draft: number and freeze it', operationId: 'issueDocument' })
  @ApiIdempotent()
  @ApiIfMatch()
  @ApiOkResponse({ type: DocumentBody })
  @ApiProblems(
    'document_not_found',
    'document_not_draft',
    'document_not_revisable',
    'due_date_passed',
    'unknown_series',
    'number_taken',
    'document_busy',
  )
  async issue(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ): Promise<DocumentBody> {
    return once.run(presentDocument, (guard) =>
      this.documents.issue(byClient(caller), documentId(id), expected, guard),
    );
  }

  @Post('void')
  @HttpCode(200)
  @BearerAuth('documents:write')
  @ApiOperation({ summary: 'Withdraw an unpaid document', operationId: 'voidDocument' })
  @ApiIdempotent()
  @ApiIfMatch()
  @ApiOkResponse({ type: DocumentBody })
  @ApiProblems(
    'document_not_found',
    'document_not_voidable',
    'customer_credit_spent',
    'document_busy',
  )
  async void(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ): Promise<DocumentBody> {
    return once.run(presentDocument, (guard) =>
      this.steps.void(byClient(caller), documentId(id), expected, guard),
    );
  }

  @Post('write-off')
  @HttpCode(200)
  @BearerAuth('documents:write')
  @ApiOperation({ summary: 'Give up what is due', operationId: 'writeOffDocument' })
  @ApiIdempotent()
  @ApiIfMatch()
  @ApiOkResponse({ type: DocumentBody })
  @ApiProblems('document_not_found', 'nothing_to_write_off', 'invalid_text', 'document_busy')
  async writeOff(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: WriteOffRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ): Promise<DocumentBody> {
    const reason = body.reason ?? null;
    return once.run(presentDocument, (guard) =>
      this.steps.writeOff(byClient(caller), documentId(id), reason, expected, guard),
    );
  }

  @Post('duplicate')
  @BearerAuth('documents:write')
  @ApiOperation({ summary: 'A draft with the same content', operationId: 'duplicateDocument' })
  @ApiIdempotent()
  @ApiCreated(DocumentBody)
  @ApiProblems('document_not_found', 'document_not_duplicable', 'due_before_issue', 'said_twice')
  async duplicate(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: CopyDocumentRequest,
    @OnceOnly() once: Once,
  ): Promise<DocumentBody> {
    return once.run(presentDocument, (guard) =>
      this.steps.duplicate(byClient(caller), documentId(id), toCopy(body), guard),
    );
  }

  @Post('revise')
  @BearerAuth('documents:write')
  @ApiOperation({
    summary: 'A new version, which voids this one when it is issued',
    operationId: 'reviseDocument',
  })
  @ApiIdempotent()
  @ApiCreated(DocumentBody)
  @ApiProblems('document_not_found', 'document_not_revisable', 'due_before_issue', 'document_busy')
  async revise(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: CopyDocumentRequest,
    @OnceOnly() once: Once,
  ): Promise<DocumentBody> {
    return once.run(presentDocument, (guard) =>
      this.steps.revise(byClient(caller), documentId(id), toCopy(body), guard),
    );
  }

  @Post('convert')
  @BearerAuth('documents:write')
  @ApiOperation({ summary: 'Make an invoice of a quote', operationId: 'convertDocument' })
  @ApiIdempotent()
  @ApiCreated(DocumentBody)
  @ApiProblems(
    'document_not_found',
    'document_not_convertible',
    'due_before_issue',
    'document_busy',
  )
  async convert(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: CopyDocumentRequest,
    @OnceOnly() once: Once,
  ): Promise<DocumentBody> {
    return once.run(presentDocument, (guard) =>
      this.steps.convert(byClient(caller), documentId(id), toCopy(body), guard),
    );
  }

  @Post('credit-notes')
  @Takes('creditNote')
  @BearerAuth('documents:write')
  @ApiOperation({
    summary: 'Credit an invoice: all that is left, by line, or an amount',
    operationId: 'createCreditNote',
  })
  @ApiIdempotent()
  @ApiCreated(DocumentBody)
  @ApiProblems(
    'document_not_found',
    'document_not_creditable',
    'amount_exceeds_creditable',
    'quantity_exceeds_line',
    'unknown_line',
    'said_twice',
    'validation_failed',
    'external_id_taken',
    'document_busy',
  )
  async credit(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body() body: CreateCreditNoteRequest,
    @OnceOnly() once: Once,
  ): Promise<DocumentBody> {
    return once.run(presentDocument, (guard) =>
      this.creditNotes.create(byClient(caller), documentId(id), toNewCreditNote(body), guard),
    );
  }

  @Get('changes')
  @BearerAuth('documents:read')
  @ApiOperation({
    summary: 'What a revision changed in the version before it',
    operationId: 'getChanges',
  })
  @ApiOkResponse({ type: ChangesBody })
  @ApiProblems('document_not_found')
  async changes(@CallerOf() caller: Caller, @Param('id') id: string): Promise<ChangesBody> {
    const view = await this.documents.find(caller.accountId, documentId(id));
    return { data: await this.documents.changesOf(caller.accountId, view) };
  }
}
