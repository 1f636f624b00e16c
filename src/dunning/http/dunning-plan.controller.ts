import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Patch } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { DunningPlans } from '../application/dunning-plans.service.js';
import { DunningRefusal } from '../domain/dunning-refusals.js';
import {
  DunningPlanBody,
  PatchDunningPlanRequest,
  presentDunningPlan,
} from '../wire/dunning-plan.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

const EXAMPLE = {
  business_steps: [
    { days: 7 },
    { days: 21, interest: true, lump_sum: true },
    { days: 35, interest: true },
  ],
  consumer_steps: [{ days: 7 }, { days: 21, fees: [{ currency: 'EUR', amount: 250 }] }],
  base_rates: [{ from: '2026-07-01', percent: '1.27' }],
};

/** How an account asks for what is due. */
@ApiTags('dunning')
@Controller('v1/finance/dunning-plan')
export class DunningPlanController {
  constructor(private readonly plans: DunningPlans) {}

  @Get('', 'documents:read', {
    summary: 'Read the dunning plan',
    description: 'Without steps, nobody is reminded by it. The `ETag` is its version.',
    answers: DunningPlanBody,
  })
  async getDunningPlan(@CallerOf() { accountId }: Caller) {
    return presentDunningPlan(await this.plans.find(accountId));
  }

  @Patch('', 'settings:write', {
    summary: 'Change the dunning plan',
    description:
      'The body is a JSON Merge Patch; lists are replaced as a whole. Letters that were made stay. What the law forbids is refused.',
    example: EXAMPLE,
    takes: 'mergePatch',
    answers: DunningPlanBody,
    problems: [
      FieldRefusal.validation_failed,
      DunningRefusal.steps_not_ascending,
      DunningRefusal.no_charge_before_due,
      DunningRefusal.lump_sum_of_consumer,
      DunningRefusal.first_reminder_is_free,
      DunningRefusal.fees_beside_lump_sum,
      DunningRefusal.unknown_law,
      DunningRefusal.no_statutory_interest,
      DunningRefusal.base_rate_unknown,
      DunningRefusal.reminders_by_mail_settings,
    ],
  })
  async updateDunningPlan(
    @CallerOf() caller: Caller,
    @Body({ schema: PatchDunningPlanRequest }) body: PatchDunningPlanRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentDunningPlan, (guard) =>
      this.plans.change(byClient(caller), body, expected, guard),
    );
  }
}
