import { CommonRefusal } from '../../../kernel/common-refusals.js';
import { Body, Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ATTACHED_TYPES } from '../../../kernel/attachment-limits.js';
import type { ExpectedVersions } from '../../../kernel/versions.js';
import { IfMatch } from '../../../platform/http/if-match.js';
import { WHOLE } from '../../../platform/http/paging.js';
import {
  type ApiRequest,
  byClient,
  type Caller,
  CallerOf,
} from '../../../platform/http/request.js';
import { Delete, Get, Post } from '../../../platform/http/route.js';
import type { Once } from '../../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../../platform/idempotency/once.decorator.js';
import { Attachments } from '../../application/attachments.service.js';
import { DocumentRefusal } from '../../domain/refusals.js';
import {
  AttachedBody,
  AttachFileQuery,
  AttachLinkRequest,
  AttachmentBody,
  AttachmentList,
  presentAttaching,
} from '../../wire/attachment.js';
import { documentId } from '../documents.controller.js';
import { sendAttachment } from './send-attachment.js';

/** It is read below its document. */
const AT = 'finance/documents/{document_id}/attachments/{id}';

const REFUSED = [DocumentRefusal.document_not_found, DocumentRefusal.document_not_draft];
const NOT_ADDED = [
  ...REFUSED,
  DocumentRefusal.too_many_attachments,
  DocumentRefusal.attachment_name_taken,
];
const NOT_THERE = [DocumentRefusal.document_not_found, DocumentRefusal.attachment_not_found];

@ApiTags('documents')
@Controller('v1/finance/documents/:id/attachments')
export class AttachmentsController {
  constructor(private readonly attachments: Attachments) {}

  @Post('', 'documents:write', {
    summary: 'Attach a file to a draft',
    description:
      'The body is the file itself: PDF, PNG, JPEG, CSV in UTF-8, XLSX or ODS of at most 5 MB (5,242,880 bytes); 20 a document, with 10 MB together. ' +
      'Its content decides, not its name. A PDF with scripts, and a sheet with macros, are refused. E-invoices carry it (BG-24).',
    takes: 'attachment',
    creates: AttachedBody,
    at: AT,
    problems: [
      ...NOT_ADDED,
      DocumentRefusal.attached_already,
      DocumentRefusal.attachments_too_large,
      DocumentRefusal.invalid_attachment,
      DocumentRefusal.attachment_name_differs,
      CommonRefusal.file_store_unavailable,
    ],
  })
  async attachFile(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: AttachFileQuery }) query: AttachFileQuery,
    @Req() request: ApiRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const type = ATTACHED_TYPES.find((one) => request.is(one)) ?? 'application/pdf';
    const upload = { ...query, type, content: request.rawBody ?? Buffer.alloc(0) };
    return once.run(presentAttaching, (guard) =>
      this.attachments.addFile({ ...asked(caller, id, expected), guard }, upload),
    );
  }

  @Post('links', 'documents:write', {
    summary: 'Attach a link to a draft',
    description: 'For what is elsewhere and stays there, in place of a file (BT-124).',
    example: { url: 'https://acme.example/terms.pdf', name: 'Terms of delivery' },
    creates: AttachedBody,
    at: AT,
    problems: NOT_ADDED,
  })
  async attachLink(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: AttachLinkRequest }) body: AttachLinkRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentAttaching, (guard) =>
      this.attachments.addLink({ ...asked(caller, id, expected), guard }, body),
    );
  }

  @Get('', 'documents:read', {
    summary: 'List the attachments of a document',
    description: 'In the order in which they were added. The document itself has the same list.',
    answers: AttachmentList,
    problems: [DocumentRefusal.document_not_found],
  })
  async listAttachments(@CallerOf() caller: Caller, @Param('id') id: string) {
    return { data: [...(await this.attachments.of(caller.accountId, documentId(id)))], ...WHOLE };
  }

  @Get(':attachment_id', 'documents:read', {
    summary: 'Read what an attachment is',
    description: 'Its name, type, size and SHA-256, or where its link leads; not the file itself.',
    answers: AttachmentBody,
    problems: NOT_THERE,
  })
  async getAttachment(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Param('attachment_id') attachmentId: string,
  ): Promise<AttachmentBody> {
    return this.attachments.find(caller.accountId, documentId(id), attachmentId);
  }

  @Get(':attachment_id/file', 'documents:read', {
    summary: 'Download an attached file',
    description: 'The bytes as they were sent. The `ETag` is their SHA-256.',
    answers: { binary: ATTACHED_TYPES },
    problems: [
      ...NOT_THERE,
      DocumentRefusal.attachment_not_a_file,
      CommonRefusal.file_store_unavailable,
      CommonRefusal.file_unreadable,
    ],
  })
  async getAttachedFile(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Param('attachment_id') attachmentId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const file = await this.attachments.file(caller.accountId, documentId(id), attachmentId);
    sendAttachment(request, response, file);
  }

  @Delete(':attachment_id', 'documents:write', {
    summary: 'Take an attachment from a draft',
    description: 'A document that is issued keeps its attachments.',
    answers: 'nothing',
    problems: [...REFUSED, DocumentRefusal.attachment_not_found],
  })
  async deleteAttachment(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Param('attachment_id') attachmentId: string,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    await once.run(
      () => ({}),
      (guard) => this.attachments.remove({ ...asked(caller, id, expected), guard }, attachmentId),
    );
  }
}

const asked = (caller: Caller, id: string, expected: ExpectedVersions) => ({
  by: byClient(caller),
  id: documentId(id),
  expected,
});
