import { Body, Controller, Param, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { DocumentRefusal, PortalTokens } from '../../documents/index.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';
import { Post } from '../../platform/http/route.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import { ClientSchedules, ScheduleRefusal } from '../../schedules/index.js';
import { PortalQuery, Success } from '../wire/portal.js';
import { FormRefusals } from './form-refusals.js';
import { answered } from './portal-form.js';

const PROBLEMS = [
  DocumentRefusal.portal_link_not_found,
  RequestRefusal.cross_site_request,
  ScheduleRefusal.schedule_end_not_offered,
] as const;

/** The end of what recurs, as far as its seller leaves that to the client. */
@ApiTags('portal')
@Controller('v1/portal/:token/schedule')
export class PortalScheduleController {
  constructor(
    private readonly tokens: PortalTokens,
    private readonly schedules: ClientSchedules,
  ) {}

  @Post('ask-to-end', 'portal_token', {
    summary: 'Ask to end the schedule, as its client',
    description:
      'Where the schedule lets its client ask. An event tells the seller, once as long as it stays as it is. It goes on until the seller ends it.',
    takes: 'form',
    page: true,
    answers: Success,
    problems: PROBLEMS,
  })
  @UseInterceptors(FormRefusals)
  async askToEndSchedule(
    @Param('token') token: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @Query({ schema: PortalQuery }) _query: PortalQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { documentId, ...by } = await this.tokens.resolve(token);
    await this.schedules.askToEnd(by, documentId);
    return answered(token, 'end_asked', request, response);
  }

  @Post('end', 'portal_token', {
    summary: 'End the schedule, as its client',
    description:
      'Where the schedule lets its client do so. It ends today; a period that has begun is billed all the same. The same call may be sent again.',
    takes: 'form',
    page: true,
    answers: Success,
    problems: PROBLEMS,
  })
  @UseInterceptors(FormRefusals)
  async endScheduleAsClient(
    @Param('token') token: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @Query({ schema: PortalQuery }) _query: PortalQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { documentId, ...by } = await this.tokens.resolve(token);
    await this.schedules.end(by, documentId);
    return answered(token, 'ended', request, response);
  }
}
