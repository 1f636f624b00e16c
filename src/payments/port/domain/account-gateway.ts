import type { DomainRefusal } from '../../../kernel/domain-refusal.js';
import { DomainError, type FieldError } from '../../../kernel/domain-error.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import type { Gateway } from './gateway.js';
import { GatewayRefusal } from './gateway-refusals.js';

export const GATEWAY_STATUSES = ['enabled', 'disabled'] as const;
export type GatewayStatus = (typeof GATEWAY_STATUSES)[number];

/** One setting as it is kept, encrypted with the others. */
interface KeptSetting {
  value: string;
  /** The webhook secret before it, until it ends. */
  previous?: string;
  setAt: string;
}

export type KeptSettings = Readonly<Record<string, KeptSetting>>;

/** A gateway that an account configured itself, as it is stored. */
export interface AccountGateway {
  accountId: Uuid;
  id: Uuid;
  name: string;
  provider: string;
  /** The settings, encrypted. */
  sealed: Buffer;
  previousSecretEndsAt: Date | null;
  status: GatewayStatus;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Settings that an account has of an extension, as they are stored. */
export interface KeptExtensionSettings {
  accountId: Uuid;
  extension: string;
  /** For whom they are encrypted; no gateway has such an id. */
  id: `ext:${string}`;
  sealed: Buffer;
  version: number;
}

/** The same with its settings; null where the service has not their key. */
export interface ReadGateway extends AccountGateway {
  settings: KeptSettings | null;
}

/**
 * How a setting is treated when an account gives it. `shown`: told again. `secret`: its end at most.
 * `rotated`: a secret of which two may count. `host` and `file` lead to other places: the operator
 * alone may set them, or an account could have the service call and read for it.
 */
export type SettingKind = 'shown' | 'secret' | 'rotated' | 'host' | 'file';

/** A wrong setting; `reason` continues a sentence that begins with it, and shows no value. */
export interface SettingComplaint {
  /** `provider` for one that cannot be taken at all. */
  setting: string;
  refusal: DomainRefusal;
  reason: string;
}

/** The providers, as far as accounts may configure them. */
export abstract class ProviderCatalogue {
  /** The settings of a provider; undefined where accounts cannot have it. */
  abstract settingsOf(provider: string): ReadonlyMap<string, SettingKind> | undefined;

  /** An open gateway, or all that is wrong with its settings. */
  abstract open(as: {
    name: string;
    accountId: Uuid;
    provider: string;
    settings: Readonly<Record<string, string>>;
  }): Gateway | SettingComplaint[];

  /** Secrets that are too easy to guess; judged when they are given, not when they are used. */
  abstract weaknesses(
    provider: string,
    given: Readonly<Record<string, string | null>>,
    isTest: boolean,
  ): SettingComplaint[];
}

/** The name of it in links and books. */
export function keyOfGateway({ id }: Pick<AccountGateway, 'id'>): string {
  return publicId('gw', id);
}

/** Whether the secret before the last one still counts. */
export function isOverlapping(
  { previousSecretEndsAt: endsAt }: Pick<AccountGateway, 'previousSecretEndsAt'>,
  now: Date,
): boolean {
  return endsAt !== null && now < endsAt;
}

/** The settings as a provider reads them. @param withPrevious two secrets count */
export function settingTexts(kept: KeptSettings, withPrevious: boolean): Record<string, string> {
  const texts = Object.entries(kept).map(([name, { value, previous }]) => [
    name,
    withPrevious && previous !== undefined ? `${value},${previous}` : value,
  ]);
  return Object.fromEntries(texts) as Record<string, string>;
}

/** When each setting was set, and no value of any. */
export function setTimesOf(settings: KeptSettings | null): Record<string, string> {
  const entries = Object.entries(settings ?? {}).map(([name, { setAt }]) => [
    `${name}_set_at`,
    setAt,
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** @param given null takes a setting away */
export function changedSettings(
  kept: KeptSettings,
  given: Readonly<Record<string, string | null>>,
  now: Date,
): KeptSettings {
  const changed = new Map(Object.entries(kept));
  for (const [name, value] of Object.entries(given)) {
    if (value === null) changed.delete(name);
    else if (changed.get(name)?.value !== value || changed.get(name)?.previous !== undefined)
      changed.set(name, { value, setAt: now.toISOString() });
  }
  return Object.fromEntries(changed);
}

/** A comma would make two secrets of one. */
export function commasIn(
  kinds: ReadonlyMap<string, SettingKind> | undefined,
  given: Readonly<Record<string, string | null>>,
): SettingComplaint[] {
  return Object.entries(given).flatMap(([setting, value]) =>
    kinds?.get(setting) === 'rotated' && value?.includes(',')
      ? [
          {
            setting,
            refusal: GatewayRefusal.invalid_setting,
            reason: 'has a comma; send one secret, and rotate it to have two',
          },
        ]
      : [],
  );
}

export function wrongSettings(complaints: readonly SettingComplaint[]): FieldError[] {
  return complaints.map(({ setting, refusal, reason }) =>
    refusal.field(
      setting === 'provider' ? '/provider' : `/settings/${setting}`,
      `${setting} ${reason}.`,
    ),
  );
}

/** Of a-z, 0-9 and single hyphens. It is judged with the settings, so that all that is wrong is told at once. */
export function wrongName(name: string): FieldError[] {
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return [];
  const message = 'name must be of a-z, 0-9 and single hyphens.';
  return [GatewayRefusal.invalid_gateway_name.field('/name', message)];
}

export function nameTaken(name: string): FieldError {
  return GatewayRefusal.gateway_name_taken.field(
    '/name',
    `There is a gateway ${name} already; choose another name.`,
  );
}

export function accountGatewayNotFound(): DomainError {
  return GatewayRefusal.gateway_not_found.of('There is no such gateway.');
}

export function gatewayDisabled(name: string): DomainError {
  return GatewayRefusal.gateway_disabled.of(
    `${name} is disabled and makes no new links; enable it, or name another gateway.`,
  );
}

export function gatewayUnreadable(): DomainError {
  return GatewayRefusal.gateway_unreadable.later(
    60,
    'The settings of this gateway cannot be used: the secret that encrypted them is gone, or the ' +
      'provider; send all of them again, or have the operator run doctor.',
  );
}

export function tooManyGateways(most: number): DomainError {
  return GatewayRefusal.too_many_gateways.of(
    `An account has at most ${most} gateways; change one that nobody uses.`,
  );
}

export function nothingToRotate(provider: string): DomainError {
  return GatewayRefusal.nothing_to_rotate.of(
    `${provider} has no webhook secret that is rotated; change its settings instead.`,
  );
}
