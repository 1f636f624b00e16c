import { Body, Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { StopRemindersQuery, StopRemindersRequest } from '../wire/reminder-refusal.js';
import { Locale, DocumentRefusal } from '../../documents/index.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import { pageLanguage, sendSmallPage, Success } from '../../portal/index.js';
import { ReminderRefusals } from '../application/reminder-refusals.service.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';

/** The page on which a reader refuses further reminders. */
@ApiTags('portal')
@Controller('v1/portal/:token/stop-reminders')
export class ReminderRefusalsController {
  constructor(private readonly refusals: ReminderRefusals) {}

  @Get('', 'portal_token', {
    summary: 'Ask whether reminders should stop',
    description: 'A page with one button. Opening it changes nothing.',
    answers: { html: true },
    problems: [DocumentRefusal.portal_link_not_found],
  })
  async askToStopReminders(
    @Param('token') token: string,
    @Query({ schema: StopRemindersQuery }) { stopped: isStopped }: StopRemindersQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ) {
    await this.refusals.assertLink(token);
    response.vary('Accept-Language');
    const language = pageLanguage(request);
    const { stopping, stopped, stop } = Locale.of(language).texts.mail;
    const page = isStopped ? stopped : { ...stopping, button: stop };
    sendSmallPage(response, { language, ...page });
  }

  @Post('', 'portal_token', {
    summary: 'Stop reminders',
    description:
      'The seller sends no more reminders to those who got one of this document. Documents and receipts still come. Programs of mail do it by one click (RFC 8058).',
    example: {},
    takes: 'form',
    page: true,
    answers: Success,
    problems: [DocumentRefusal.portal_link_not_found, RequestRefusal.cross_site_request],
  })
  async stopReminders(
    @Param('token') token: string,
    @Body({ schema: StopRemindersRequest }) body: StopRemindersRequest,
    @Query({ schema: StopRemindersQuery }) _query: StopRemindersQuery,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Success | undefined> {
    await this.refusals.refuse(token);
    // RFC 8058 forbids to lead a program of mail elsewhere; the button of our page is led back to it.
    const isPage = request.is('application/x-www-form-urlencoded') && !body['List-Unsubscribe'];
    if (!isPage) return { success: true };
    response.redirect(303, `${request.path}?stopped=true`);
    return undefined;
  }
}
