import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Patch } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { MailSettingsService } from '../application/mail-settings.service.js';
import {
  presentMailSettings,
  MailSettingsBody,
  PatchMailSettingsRequest,
  toMailWish,
} from '../wire/mail-settings.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { MailRefusal } from '../domain/refusals.js';

@ApiTags('mail')
@Controller('v1/finance/mail-settings')
export class MailSettingsController {
  constructor(private readonly settings: MailSettingsService) {}

  @Get('', 'documents:read', {
    summary: 'Read the mail settings',
    description: 'What is sent without a call for each message. The `ETag` is their version.',
    answers: MailSettingsBody,
  })
  async getMailSettings(@CallerOf() { accountId }: Caller) {
    return presentMailSettings(await this.settings.find(accountId));
  }

  @Patch('', 'settings:write', {
    summary: 'Change the mail settings',
    description:
      'The body is a JSON Merge Patch. What is turned on counts for what happens from now on; nothing is sent for what was before.',
    example: { send_documents: true, reminder_days: [7, 21] },
    takes: 'mergePatch',
    answers: MailSettingsBody,
    problems: [
      FieldRefusal.validation_failed,
      MailRefusal.invalid_reminder_days,
      MailRefusal.invalid_quote_days,
      MailRefusal.reminders_by_dunning_plan,
    ],
  })
  async updateMailSettings(
    @CallerOf() caller: Caller,
    @Body({ schema: PatchMailSettingsRequest }) body: PatchMailSettingsRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentMailSettings, (guard) =>
      this.settings.change(byClient(caller), toMailWish(body), expected, guard),
    );
  }
}
