import { Body, Controller, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { type ApiRequest, type Caller, CallerOf } from '../../../platform/http/request.js';
import { Post } from '../../../platform/http/route.js';
import { DocumentPdfs } from '../../application/document-pdfs.service.js';
import { documentId } from '../documents.controller.js';
import { sendPdf } from '../send-pdf.js';
import { PreviewTemplateRequest, toTemplate } from '../../wire/template.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';
import { DocumentRefusal } from '../../domain/refusals.js';

@ApiTags('seller')
@Controller('v1/finance/seller/template')
export class TemplateController {
  constructor(private readonly pdfs: DocumentPdfs) {}

  @Post('preview', 'documents:read', {
    reads: true,
    summary: 'Print a document with another template, and store nothing',
    description:
      'Any document of the account, as PDF, with the looks that are sent in the place of its own. `PATCH /v1/finance/seller` sets them for documents to come.',
    example: {
      document_id: 'doc_01h455vb4pex5vsknk084sn02q',
      template: {
        accent_color: '#8a1c7c',
        hidden_columns: ['position'],
        texts: [{ name: 'invoice', language: 'de', text: 'Honorarnote' }],
        footer: '{seller_name} · {number}',
        blocks: [{ place: 'before_lines', text: 'Dear {customer_name},' }],
      },
    },
    answers: { binary: ['application/pdf'] },
    problems: [
      FieldRefusal.validation_failed,
      FieldRefusal.unknown_field,
      DocumentRefusal.invalid_color,
      DocumentRefusal.unknown_placeholder,
      DocumentRefusal.document_not_found,
      DocumentRefusal.pdf_busy,
    ],
  })
  async previewTemplate(
    @CallerOf() caller: Caller,
    @Body({ schema: PreviewTemplateRequest }) body: PreviewTemplateRequest,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const template = toTemplate(body.template);
    const id = documentId(body.document_id);
    sendPdf(request, response, await this.pdfs.preview(caller.accountId, id, template));
  }
}
