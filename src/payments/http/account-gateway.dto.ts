import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { PageEnds } from '../../platform/http/paging.js';
import {
  field,
  isStorableText,
  Matching,
  Text,
  WholeNumber,
} from '../../platform/http/validation/fields.js';
import { MergePatchOf } from '../../platform/http/validation/merge-patch.js';
import {
  GATEWAY_STATUSES,
  isOverlapping,
  keyOfGateway,
  type ReadGateway,
  type SettingKind,
} from '../domain/account-gateway.js';
import { CHECK_STATUSES, GATEWAY_CHECKS } from '../domain/gateway-check.js';

const MOST_SETTINGS = 20;
const LONGEST_SETTING = 4096;
const SETTING_NAME = /^[a-z][a-z0-9_]{0,39}$/;
const LONGEST_NAME = 60;
/** The end of a shorter secret would be too much of it. */
const SHORTEST_WITH_END = 13;

/** Settings by name; which of them there are, the provider says. */
const Settings = (mayEnd: boolean, description: string) =>
  field(
    {
      code: 'invalid_setting',
      test: (value) =>
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.keys(value).length <= MOST_SETTINGS,
      message: `must be an object of at most ${MOST_SETTINGS} settings`,
      entries: {
        test: (value, name) =>
          SETTING_NAME.test(name) &&
          ((mayEnd && value === null) ||
            (isStorableText(value) && value.length > 0 && value.length <= LONGEST_SETTING)),
        message: `must be a setting such as api_key, with text of 1 to ${LONGEST_SETTING} characters`,
      },
    },
    {
      type: 'object',
      additionalProperties: { type: 'string', nullable: mayEnd, maxLength: LONGEST_SETTING },
      maxProperties: MOST_SETTINGS,
    } as ApiPropertyOptions,
    { description, example: { environment: 'live' } },
  );

const GatewayName = () =>
  Matching(
    {
      code: 'invalid_gateway_name',
      test: (text) => text.length > 0 && text.length <= LONGEST_NAME,
      message: `must be of 1 to ${LONGEST_NAME} characters`,
    },
    {
      example: 'shop',
      description: 'Your own name of it, for new payment links.',
      schema: { maxLength: LONGEST_NAME },
    },
  );

export class CreateGatewayRequest {
  @GatewayName()
  name!: string;

  @Text({ max: 60, example: 'stripe', description: 'Such as `stripe`, `paypal` or `mollie`.' })
  provider!: string;

  @Settings(false, 'As docs/gateways.md lists them, in small letters: `webhook_secret`.')
  settings!: Record<string, string>;
}

class ChangedGateway {
  @GatewayName()
  name!: string;

  @Settings(true, 'Those that are named change; null takes one away.')
  settings!: Record<string, string | null>;
}

export class PatchGatewayRequest extends MergePatchOf(ChangedGateway) {}

export class RotateGatewaySecretRequest {
  @Text({ max: LONGEST_SETTING, description: 'The new webhook secret of the provider.' })
  secret!: string;

  @WholeNumber({
    min: 0,
    max: 720,
    optional: true,
    description: 'How long the old secret still counts. Default: 24. After a leak send 0.',
  })
  overlap_hours?: number;
}

class GatewaySettingBody {
  @ApiProperty({ example: 'webhook_secret' }) name!: string;
  @ApiProperty({ type: String, nullable: true, description: 'null: it is a secret.' })
  value!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The last four characters of a secret that is long enough.',
  })
  ends_in!: string | null;
  @ApiProperty({ format: 'date-time' }) set_at!: string;
}

export class GatewayBody {
  @ApiProperty({ example: 'gw_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty() name!: string;
  @ApiProperty() provider!: string;
  @ApiProperty({ enum: GATEWAY_STATUSES }) status!: string;
  @ApiProperty({ description: 'The address to have the provider send events to.' })
  webhook_url!: string;
  @ApiProperty({
    type: [GatewaySettingBody],
    nullable: true,
    description: 'Those that are set; null where the service can no longer read them.',
  })
  settings!: GatewaySettingBody[] | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Two webhook secrets count until then.',
  })
  previous_secret_ends_at!: string | null;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ format: 'date-time' }) updated_at!: string;
  @ApiProperty() version!: number;
}

export class GatewayList extends PageEnds {
  @ApiProperty({ type: [GatewayBody] }) data!: GatewayBody[];
}

class GatewayCheckBody {
  @ApiProperty({ enum: GATEWAY_CHECKS }) check!: string;
  @ApiProperty({ enum: CHECK_STATUSES, description: '`unknown`: the provider did not say.' })
  status!: string;
  @ApiProperty() detail!: string;
}

export class GatewayTestBody {
  @ApiProperty({ type: [GatewayCheckBody], description: 'Empty where nobody can be asked.' })
  checks!: GatewayCheckBody[];
}

/** @param kinds of the provider: what it does not call `shown` is secret */
export function presentGateway(
  gateway: ReadGateway,
  kinds: ReadonlyMap<string, SettingKind> | undefined,
  { baseUrl, now }: { baseUrl: string; now: Date },
): GatewayBody {
  const { settings, previousSecretEndsAt: endsAt } = gateway;
  const id = keyOfGateway(gateway);
  const shown = Object.entries(settings ?? {}).map(([name, { value, setAt }]) => {
    const isShown = ['shown', 'host'].includes(kinds?.get(name) ?? 'secret');
    const isLong = value.length >= SHORTEST_WITH_END;
    return {
      name,
      value: isShown ? value : null,
      ends_in: isShown || !isLong ? null : value.slice(-4),
      set_at: setAt,
    };
  });
  return {
    id,
    name: gateway.name,
    provider: gateway.provider,
    status: gateway.status,
    webhook_url: `${baseUrl}/v1/webhooks/${id}`,
    settings: settings && shown.sort((a, b) => (a.name < b.name ? -1 : 1)),
    previous_secret_ends_at: endsAt && isOverlapping(gateway, now) ? endsAt.toISOString() : null,
    created_at: gateway.createdAt.toISOString(),
    updated_at: gateway.updatedAt.toISOString(),
    version: gateway.version,
  };
}
