import { z } from 'zod';
import { answerShape, patchOf, requestShape } from '../../../platform/http/validation/shapes.js';
import { wholeList } from '../../../platform/http/paging.js';
import { field, wholeNumber } from '../../../platform/http/validation/fields.js';
import { matching, shortText } from '../../../platform/http/validation/text-fields.js';
import { isStorableText } from '../../../platform/http/validation/storable-text.js';
import { entriesOf } from '../../../platform/http/validation/list-fields.js';
import {
  GATEWAY_STATUSES,
  isOverlapping,
  keyOfGateway,
  type KeptSettings,
  type ReadGateway,
  type SettingKind,
} from '../domain/account-gateway.js';
import { CHECK_STATUSES, GATEWAY_CHECKS } from '../domain/gateway-check.js';
import { GatewayRefusal } from '../domain/gateway-refusals.js';

const MOST_SETTINGS = 20;
const LONGEST_SETTING = 4096;
const SETTING_NAME = /^[a-z][a-z0-9_]{0,39}$/;
const LONGEST_NAME = 60;
/** The end of a shorter secret would be too much of it. */
const SHORTEST_WITH_END = 13;

/** Settings by name; which of them there are, the provider says. */
const settings = <Value extends string | null>(mayEnd: boolean, description: string) =>
  field(
    entriesOf<Record<string, Value>>({
      refusal: GatewayRefusal.invalid_setting,
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
    }),
    [GatewayRefusal.invalid_setting],
    {
      type: 'object',
      additionalProperties: { type: 'string', nullable: mayEnd, maxLength: LONGEST_SETTING },
      maxProperties: MOST_SETTINGS,
    },
    { description, example: { environment: 'live' } },
  );

const gatewayName = () =>
  matching(
    {
      refusal: GatewayRefusal.invalid_gateway_name,
      test: (text) => text.length > 0 && text.length <= LONGEST_NAME,
      message: `must be of 1 to ${LONGEST_NAME} characters`,
    },
    {
      example: 'shop',
      description: 'Your own name of it, for new payment links.',
      schema: { maxLength: LONGEST_NAME },
    },
  );

export const CreateGatewayRequest = requestShape('CreateGatewayRequest', {
  name: gatewayName(),
  provider: shortText({
    max: 60,
    example: 'stripe',
    description: 'Such as `stripe`, `paypal` or `mollie`.',
  }),
  settings: settings<string>(
    false,
    'As docs/gateways.md lists them, in small letters: `webhook_secret`.',
  ),
});
export type CreateGatewayRequest = z.output<typeof CreateGatewayRequest>;

const ChangedGateway = requestShape('ChangedGateway', {
  name: gatewayName(),
  settings: settings<string | null>(true, 'Those that are named change; null takes one away.'),
});
type ChangedGateway = z.output<typeof ChangedGateway>;

export const PatchGatewayRequest = requestShape(
  'PatchGatewayRequest',
  patchOf(ChangedGateway.shape),
);
export type PatchGatewayRequest = z.output<typeof PatchGatewayRequest>;

export const RotateGatewaySecretRequest = requestShape('RotateGatewaySecretRequest', {
  secret: shortText({
    max: LONGEST_SETTING,
    description: 'The new webhook secret of the provider.',
  }),
  overlap_hours: wholeNumber({
    min: 0,
    max: 720,
    optional: true,
    description: 'How long the old secret still counts. Default: 24. After a leak send 0.',
  }),
});
export type RotateGatewaySecretRequest = z.output<typeof RotateGatewaySecretRequest>;

const GatewaySettingBody = answerShape('GatewaySettingBody', {
  name: z.string().meta({ example: 'webhook_secret' }),
  value: z.string().nullable().describe('null: it is a secret.'),
  ends_in: z
    .string()
    .nullable()
    .describe('The last four characters of a secret that is long enough.'),
  set_at: z.string().meta({ format: 'date-time' }),
});
type GatewaySettingBody = z.output<typeof GatewaySettingBody>;

export const GatewayBody = answerShape('GatewayBody', {
  id: z.string().meta({ example: 'gw_01h455vb4pex5vsknk084sn02q' }),
  name: z.string(),
  provider: z.string(),
  status: z.string().meta({ enum: GATEWAY_STATUSES }),
  webhook_url: z.string().describe('The address to have the provider send events to.'),
  settings: z
    .array(GatewaySettingBody)
    .nullable()
    .describe('Those that are set; null where the service can no longer read them.'),
  previous_secret_ends_at: z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: 'Two webhook secrets count until then.' }),
  created_at: z.string().meta({ format: 'date-time' }),
  updated_at: z.string().meta({ format: 'date-time' }),
  version: z.number(),
});
export type GatewayBody = z.output<typeof GatewayBody>;

export const PatchExtensionSettingsRequest = requestShape(
  'PatchExtensionSettingsRequest',
  patchOf({
    settings: settings<string | null>(true, 'Those that are named change; null takes one away.'),
  }),
);
export type PatchExtensionSettingsRequest = z.output<typeof PatchExtensionSettingsRequest>;

export const ExtensionSettingsBody = answerShape('ExtensionSettingsBody', {
  settings: z
    .array(GatewaySettingBody)
    .nullable()
    .describe('Those that are set; null where the service can no longer read them.'),
  version: z.number(),
});
type ExtensionSettingsBody = z.output<typeof ExtensionSettingsBody>;

export const GatewayList = wholeList('GatewayList', GatewayBody);
export type GatewayList = z.output<typeof GatewayList>;

const GatewayCheckBody = answerShape('GatewayCheckBody', {
  check: z.string().meta({ enum: GATEWAY_CHECKS }),
  status: z
    .string()
    .meta({ enum: CHECK_STATUSES, description: '`unknown`: the provider did not say.' }),
  detail: z.string(),
});
type GatewayCheckBody = z.output<typeof GatewayCheckBody>;

export const GatewayTestBody = answerShape('GatewayTestBody', {
  checks: z.array(GatewayCheckBody).describe('Empty where nobody can be asked.'),
});
export type GatewayTestBody = z.output<typeof GatewayTestBody>;

/** @param kinds of the provider: what it does not call `shown` is secret */
export function presentGateway(
  gateway: ReadGateway,
  kinds: ReadonlyMap<string, SettingKind> | undefined,
  { baseUrl, now }: { baseUrl: string; now: Date },
): GatewayBody {
  const { settings, previousSecretEndsAt: endsAt } = gateway;
  const id = keyOfGateway(gateway);
  return {
    id,
    name: gateway.name,
    provider: gateway.provider,
    status: gateway.status,
    webhook_url: `${baseUrl}/v1/webhooks/${id}`,
    settings: settings && presentSettings(settings, kinds),
    previous_secret_ends_at: endsAt && isOverlapping(gateway, now) ? endsAt.toISOString() : null,
    created_at: gateway.createdAt.toISOString(),
    updated_at: gateway.updatedAt.toISOString(),
    version: gateway.version,
  };
}

export function presentExtensionSettings(
  { settings, version }: { settings: KeptSettings | null; version: number },
  kinds: ReadonlyMap<string, SettingKind>,
): ExtensionSettingsBody {
  return { settings: settings && presentSettings(settings, kinds), version };
}

/** By their names; a secret by its end. */
function presentSettings(
  settings: KeptSettings,
  kinds: ReadonlyMap<string, SettingKind> | undefined,
): GatewaySettingBody[] {
  const shown = Object.entries(settings).map(([name, { value, setAt }]) => {
    const isShown = ['shown', 'host'].includes(kinds?.get(name) ?? 'secret');
    const isLong = value.length >= SHORTEST_WITH_END;
    return {
      name,
      value: isShown ? value : null,
      ends_in: isShown || !isLong ? null : value.slice(-4),
      set_at: setAt,
    };
  });
  return shown.sort((a, b) => (a.name < b.name ? -1 : 1));
}
