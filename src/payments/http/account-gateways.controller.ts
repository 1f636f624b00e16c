import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Clock } from '../../kernel/clock.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { Config } from '../../platform/config/config.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { WHOLE } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Patch, Post } from '../../platform/http/route.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { AccountGateways } from '../port/application/account-gateways.service.js';
import { GatewayExaminations } from '../port/application/gateway-examinations.js';
import {
  accountGatewayNotFound,
  ProviderCatalogue,
  type ReadGateway,
} from '../port/domain/account-gateway.js';
import type { GatewayCheck } from '../port/domain/gateway-check.js';
import {
  CreateGatewayRequest,
  GatewayBody,
  GatewayList,
  GatewayTestBody,
  PatchGatewayRequest,
  presentGateway,
  RotateGatewaySecretRequest,
} from '../port/wire/account-gateway.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { GatewayRefusal } from '../port/domain/gateway-refusals.js';

const DEFAULT_OVERLAP = 24;
const FIELD_PROBLEMS = [
  FieldRefusal.validation_failed,
  GatewayRefusal.invalid_gateway_name,
  GatewayRefusal.gateway_name_taken,
  GatewayRefusal.unknown_setting,
  GatewayRefusal.setting_required,
  GatewayRefusal.invalid_setting,
] as const;
const STEP_PROBLEMS = [
  GatewayRefusal.gateway_not_found,
  GatewayRefusal.gateway_unreadable,
] as const;

@ApiTags('gateways')
@Controller('v1/finance/gateways')
export class AccountGatewaysController {
  private readonly present = (gateway: ReadGateway) =>
    presentGateway(gateway, this.catalogue.settingsOf(gateway.provider), {
      baseUrl: this.config.baseUrl,
      now: this.clock.serverNow(),
    });

  constructor(
    private readonly gateways: AccountGateways,
    private readonly examinations: GatewayExaminations,
    private readonly catalogue: ProviderCatalogue,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Get('', 'payments:read', {
    summary: 'List your own gateways, oldest first',
    description:
      'Disabled ones are in the list, too. Those of the configuration are not: the operator has them. No answer ever has a secret.',
    answers: GatewayList,
  })
  async listGateways(@CallerOf() { accountId }: Caller) {
    return { data: (await this.gateways.list(accountId)).map(this.present), ...WHOLE };
  }

  @Post('', 'settings:write', {
    summary: 'Make a gateway of your own account at a provider',
    description:
      'Secrets are encrypted and never told again. Have the provider send events to the `webhook_url` of the answer.',
    example: {
      name: 'shop',
      provider: 'standard-webhooks',
      settings: { webhook_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    },
    creates: GatewayBody,
    at: 'finance/gateways/{id}',
    problems: [
      GatewayRefusal.unknown_provider,
      GatewayRefusal.provider_for_tests,
      GatewayRefusal.too_many_gateways,
      ...FIELD_PROBLEMS,
    ],
  })
  async createGateway(
    @CallerOf() caller: Caller,
    @Body({ schema: CreateGatewayRequest }) body: CreateGatewayRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(this.present, (guard) => this.gateways.create(byClient(caller), body, guard));
  }

  @Get(':id', 'payments:read', {
    summary: 'Read a gateway of your own',
    description: 'With the settings that are set, and when; secrets are shown by their end.',
    answers: GatewayBody,
    problems: [GatewayRefusal.gateway_not_found],
  })
  async getGateway(@CallerOf() { accountId }: Caller, @Param('id') id: string) {
    return this.present(await this.gateways.find(accountId, gatewayId(id)));
  }

  @Patch(':id', 'settings:write', {
    summary: 'Rename a gateway, or change its settings',
    description:
      'The body is a JSON Merge Patch, also of `settings`. A webhook secret that is set here counts alone and at once; rotate it to have two.',
    example: { name: 'shop-2' },
    takes: 'mergePatch',
    answers: GatewayBody,
    problems: [GatewayRefusal.gateway_not_found, ...FIELD_PROBLEMS],
  })
  async updateGateway(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: PatchGatewayRequest }) body: PatchGatewayRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const change = { name: body.name ?? null, settings: body.settings ?? {} };
    return once.run(this.present, (guard) =>
      this.gateways.change(byClient(caller), gatewayId(id), change, expected, guard),
    );
  }

  @Post(':id/rotate-secret', 'settings:write', {
    summary: 'Give a gateway a new webhook secret',
    description:
      'The secret before it still counts for some hours, or until it is retired. A third one ends at once.',
    example: { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
    answers: GatewayBody,
    problems: [
      ...STEP_PROBLEMS,
      GatewayRefusal.nothing_to_rotate,
      GatewayRefusal.invalid_setting,
      GatewayRefusal.setting_required,
    ],
  })
  async rotateGatewaySecret(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: RotateGatewaySecretRequest }) {
      secret,
      overlap_hours: hours,
    }: RotateGatewaySecretRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const rotation = { secret, overlapHours: hours ?? DEFAULT_OVERLAP };
    return once.run(this.present, (guard) =>
      this.gateways.rotateSecret(byClient(caller), gatewayId(id), rotation, expected, guard),
    );
  }

  @Post(':id/retire-secret', 'settings:write', {
    summary: 'End the old webhook secret of a gateway',
    description: 'Only the newest counts from now on. To retire it twice is as once.',
    answers: GatewayBody,
    problems: STEP_PROBLEMS,
  })
  async retireGatewaySecret(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(this.present, (guard) =>
      this.gateways.retireSecret(byClient(caller), gatewayId(id), expected, guard),
    );
  }

  @Post(':id/disable', 'settings:write', {
    summary: 'Have a gateway make no new links',
    description:
      'Its webhook and refunds go on: money that is under way is booked. Nothing is deleted.',
    answers: GatewayBody,
    problems: [GatewayRefusal.gateway_not_found],
  })
  async disableGateway(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(this.present, (guard) =>
      this.gateways.turn(byClient(caller), gatewayId(id), 'disabled', expected, guard),
    );
  }

  @Post(':id/enable', 'settings:write', {
    summary: 'Have a gateway make links again',
    description: 'For one that was disabled. Links from before have been good all the time.',
    answers: GatewayBody,
    problems: [GatewayRefusal.gateway_not_found],
  })
  async enableGateway(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(this.present, (guard) =>
      this.gateways.turn(byClient(caller), gatewayId(id), 'enabled', expected, guard),
    );
  }

  @Post(':id/test', 'settings:write', {
    summary: 'Ask the provider whether a gateway works',
    description:
      'By cheap reads: whether the credentials work, the events are subscribed, and the clocks agree, as far as the provider tells.',
    answers: GatewayTestBody,
    problems: [...STEP_PROBLEMS, GatewayRefusal.gateway_unavailable],
  })
  async testGateway(
    @CallerOf() { accountId }: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentChecks, (guard) =>
      this.examinations.examine(accountId, gatewayId(id), guard),
    );
  }
}

function presentChecks(checks: readonly GatewayCheck[]): GatewayTestBody {
  return { checks: checks.map(({ check, status, detail }) => ({ check, status, detail })) };
}

function gatewayId(text: string): Uuid {
  const uuid = uuidOf('gw', text);
  if (!uuid) throw accountGatewayNotFound();
  return uuid;
}
