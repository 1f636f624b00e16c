import { Body, Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { sendPdf } from '../../documents/index.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { pageById } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { StepReminders } from '../application/step-reminders.service.js';
import { DunningRefusal } from '../domain/dunning-refusals.js';
import { RemindersQuery } from '../infrastructure/reminders.query.js';
import {
  ListRemindersQuery,
  presentReminder,
  ReminderBody,
  ReminderPage,
  toReminderFilter,
} from '../wire/reminder.js';

/** Letters that ask for what is due. */
@ApiTags('dunning')
@Controller('v1/finance/reminders')
export class RemindersController {
  constructor(
    private readonly reminders: StepReminders,
    private readonly query: RemindersQuery,
  ) {}

  @Get('', 'documents:read', {
    summary: 'List reminders, newest first',
    description: 'Those of the dunning plan: what each asked, when, and where it went.',
    answers: ReminderPage,
  })
  async listReminders(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: ListRemindersQuery }) asked: ListRemindersQuery,
  ) {
    const filter = toReminderFilter(asked);
    return pageById({ list: 'reminders', filter }, asked, {
      rows: async (after, count) => this.query.list(accountId, filter, after, count),
      present: presentReminder,
      total: async (most) => this.query.count(accountId, filter, most),
    });
  }

  @Get(':id', 'documents:read', {
    summary: 'Read a reminder',
    description: 'With its documents, and what it asked for beside them.',
    answers: ReminderBody,
    problems: [DunningRefusal.reminder_not_found],
  })
  async getReminder(@CallerOf() { accountId }: Caller, @Param('id') id: string) {
    return presentReminder(await this.query.get(accountId, reminderId(id)));
  }

  @Get(':id/pdf', 'documents:read', {
    summary: 'Read the letter of a reminder as PDF',
    description: 'In the language of its oldest document.',
    answers: { binary: ['application/pdf'] },
    problems: [DunningRefusal.reminder_not_found],
  })
  async getReminderPdf(
    @CallerOf() { accountId }: Caller,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    sendPdf(request, response, await this.reminders.pdf(accountId, reminderId(id)));
  }

  @Post(':id/mark-sent', 'documents:write', {
    summary: 'Mark a reminder that failed as sent by other means',
    description: 'Its steps count from today on, and what it asks for beside the debt is billed.',
    answers: ReminderBody,
    problems: [DunningRefusal.reminder_not_found, DunningRefusal.reminder_not_failed],
  })
  async markReminderSent(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentReminder, (guard) =>
      this.reminders.markSent(byClient(caller), reminderId(id), guard),
    );
  }

  @Post(':id/waive-charges', 'documents:write', {
    summary: 'Give up what a reminder asked for beside the debt',
    description: 'What no invoice has yet. Take back the rest by a credit note.',
    answers: ReminderBody,
    problems: [DunningRefusal.reminder_not_found, DunningRefusal.charges_not_open],
  })
  async waiveReminderCharges(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentReminder, (guard) =>
      this.reminders.waive(byClient(caller), reminderId(id), guard),
    );
  }
}

function reminderId(text: string): Uuid {
  const id = uuidOf('rem', text);
  if (!id) throw DunningRefusal.reminder_not_found.of();
  return id;
}
