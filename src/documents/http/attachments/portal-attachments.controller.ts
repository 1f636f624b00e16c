import { Controller, Param, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ATTACHED_TYPES } from '../../../kernel/attachment-limits.js';
import { CommonRefusal } from '../../../kernel/common-refusals.js';
import type { ApiRequest } from '../../../platform/http/request.js';
import { Get } from '../../../platform/http/route.js';
import { Attachments } from '../../application/attachments.service.js';
import { PortalTokens } from '../../application/portal-tokens.service.js';
import { DocumentRefusal } from '../../domain/refusals.js';
import { sendAttachment } from './send-attachment.js';

@ApiTags('portal')
@Controller('v1/portal/documents/:token/attachments')
export class PortalAttachmentsController {
  constructor(
    private readonly tokens: PortalTokens,
    private readonly attachments: Attachments,
  ) {}

  @Get(':attachment_id', 'portal_token', {
    summary: 'Download an attached file',
    description: 'Its bytes as the seller sent them. The token in the path is all that is needed.',
    answers: { binary: ATTACHED_TYPES },
    problems: [
      DocumentRefusal.portal_link_not_found,
      DocumentRefusal.attachment_not_found,
      DocumentRefusal.attachment_not_a_file,
      CommonRefusal.file_store_unavailable,
      CommonRefusal.file_unreadable,
    ],
  })
  async getPortalAttachment(
    @Param('token') token: string,
    @Param('attachment_id') attachmentId: string,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    const { accountId, documentId } = await this.tokens.resolve(token);
    const file = await this.attachments.file(accountId, documentId, attachmentId);
    sendAttachment(request, response, file);
  }
}
