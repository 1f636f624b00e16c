import { Body, Controller, Param, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { DocumentRefusal, DocumentSteps, PortalTokens, printed } from '../../documents/index.js';
import { FieldRefusal, invalidFields } from '../../kernel/field-refusals.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';
import { Post } from '../../platform/http/route.js';
import { PortalPages } from '../application/portal-pages.service.js';
import { AcceptRequest, PortalQuery, RejectRequest, Success } from '../wire/portal.js';
import { FormRefusals } from './form-refusals.js';
import { answered, isForm } from './portal-form.js';
import { inLanguageOf } from './portal-language.js';

/** The client's answer to a document. */
@ApiTags('portal')
@Controller('v1/portal')
export class PortalAnswersController {
  constructor(
    private readonly tokens: PortalTokens,
    private readonly steps: DocumentSteps,
    private readonly pages: PortalPages,
  ) {}

  @Post(':token/accept', 'portal_token', {
    summary: 'Accept a quote, as its client',
    description:
      'Only an open quote; a second answer is refused with 409. A form of the page is led back to it.',
    example: { name: 'Ada Lovelace' },
    takes: 'form',
    page: true,
    answers: Success,
    problems: [
      DocumentRefusal.portal_link_not_found,
      RequestRefusal.cross_site_request,
      DocumentRefusal.document_not_acceptable,
    ],
  })
  @UseInterceptors(FormRefusals)
  async acceptDocument(
    @Param('token') token: string,
    @Body({ schema: AcceptRequest }) body: AcceptRequest,
    @Query({ schema: PortalQuery }) _query: PortalQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { documentId, ...by } = await this.tokens.resolve(token);
    const statement = isForm(request) ? await this.confirmed(token, request, body) : undefined;
    await this.steps.accept(by, documentId, {
      ...(body.name !== undefined && { by: body.name }),
      ...(statement !== undefined && { statement }),
    });
    return answered(token, 'accepted', request, response);
  }

  @Post(':token/reject', 'portal_token', {
    summary: 'Reject a document, as its client',
    description:
      'With a reason, which the seller sees. Only where nothing is paid or credited, and no payment is on its way; a second answer is refused with 409.',
    example: { reason: 'Too expensive for this year.' },
    takes: 'form',
    page: true,
    answers: Success,
    problems: [
      DocumentRefusal.portal_link_not_found,
      RequestRefusal.cross_site_request,
      DocumentRefusal.document_not_rejectable,
      DocumentRefusal.payment_processing,
      FieldRefusal.invalid_text,
    ],
  })
  @UseInterceptors(FormRefusals)
  async rejectDocument(
    @Param('token') token: string,
    @Body({ schema: RejectRequest }) body: RejectRequest,
    @Query({ schema: PortalQuery }) _query: PortalQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { documentId, ...by } = await this.tokens.resolve(token);
    await this.steps.reject(by, documentId, body.reason);
    return answered(token, 'rejected', request, response);
  }

  /**
   * The sentence beside the box of the page that was ticked.
   * @throws DomainError 422 where a form lacks its name or its tick
   */
  private async confirmed(
    token: string,
    request: ApiRequest,
    { name, confirmed }: AcceptRequest,
  ): Promise<string> {
    const missing = [...(name ? [] : ['name']), ...(confirmed === 'true' ? [] : ['confirmed'])];
    if (missing.length > 0) {
      throw invalidFields(
        missing.map((field) => FieldRefusal.required.field(`/${field}`, `${field} is required.`)),
      );
    }
    const { view } = inLanguageOf(request, await this.pages.openPage(token));
    const { texts, heading } = printed(view);
    return texts.answer.confirm(heading);
  }
}
