import { Injectable } from '@nestjs/common';
import { invalidFields } from '../../../kernel/field-refusals.js';
import {
  type AccountGateway,
  commasIn,
  keyOfGateway,
  type KeptSettings,
  nameTaken,
  nothingToRotate,
  ProviderCatalogue,
  type SettingComplaint,
  settingTexts,
  wrongName,
  wrongSettings,
} from '../domain/account-gateway.js';
import { GatewayRefusal } from '../domain/gateway-refusals.js';
import { Gateways } from '../domain/gateways.js';

/** A gateway as it would be. */
type JudgedGateway = Pick<AccountGateway, 'accountId' | 'id' | 'name' | 'provider'> & {
  settings: KeptSettings;
  withPrevious: boolean;
  /** Its account was made for trying. */
  isTest: boolean;
};

const FOR_TESTS: SettingComplaint = {
  setting: 'provider',
  refusal: GatewayRefusal.provider_for_tests,
  reason: 'pays with money that is made up, so only accounts made for trying may have it',
};

/** Says whether a provider would work with the settings of an account. */
@Injectable()
export class AccountGatewayJudge {
  constructor(
    private readonly catalogue: ProviderCatalogue,
    private readonly gateways: Gateways,
  ) {}

  /** @throws DomainError with every wrong field */
  assertSound(
    gateway: JudgedGateway,
    given: Readonly<Record<string, string | null>>,
    others: readonly AccountGateway[],
  ): void {
    const { name } = gateway;
    const isTaken =
      others.some((one) => one.name === name) ||
      this.gateways.all().some((one) => one.name === name);
    const errors = [
      ...(isTaken ? [nameTaken(name)] : wrongName(name)),
      ...wrongSettings(this.complaintsAbout(gateway, given)),
    ];
    if (errors.length > 0) throw invalidFields(errors);
  }

  /** The setting of a provider that is rotated. @throws DomainError where it has none */
  rotatedOf(provider: string): string {
    const kinds = [...(this.catalogue.settingsOf(provider) ?? [])];
    const setting = kinds.find(([, kind]) => kind === 'rotated')?.[0];
    if (setting === undefined) throw nothingToRotate(provider);
    return setting;
  }

  /** @throws DomainError with the first complaint about a new secret */
  assertSecret(gateway: JudgedGateway, given: Readonly<Record<string, string>>): void {
    const complaints = this.complaintsAbout(gateway, given).map(({ refusal, reason }) =>
      refusal.field('/secret', `secret ${reason}.`),
    );
    if (complaints.length > 0) throw invalidFields(complaints.slice(0, 1));
  }

  private complaintsAbout(
    gateway: JudgedGateway,
    given: Readonly<Record<string, string | null>>,
  ): SettingComplaint[] {
    const { accountId, provider, isTest } = gateway;
    const settings = settingTexts(gateway.settings, gateway.withPrevious);
    const opened = this.catalogue.open({
      name: keyOfGateway(gateway),
      accountId,
      provider,
      settings,
    });
    return [
      ...commasIn(this.catalogue.settingsOf(provider), given),
      ...this.catalogue.weaknesses(provider, given, isTest),
      ...(Array.isArray(opened) ? opened : opened.isForTests && !isTest ? [FOR_TESTS] : []),
    ];
  }
}
