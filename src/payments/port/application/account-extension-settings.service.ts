import { Injectable } from '@nestjs/common';
import { AuditedWork } from '../../../auth/index.js';
import type { By } from '../../../kernel/actor.js';
import { invalidFields } from '../../../kernel/field-refusals.js';
import type { Uuid } from '../../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../../kernel/versions.js';
import type { CommitGuard } from '../../../platform/database/tx.js';
import {
  changedSettings,
  type KeptSettings,
  setTimesOf,
  type SettingComplaint,
  settingTexts,
  wrongSettings,
} from '../domain/account-gateway.js';
import { ExtensionSettingsRepository } from '../infrastructure/extension-settings.repository.js';
import { GatewaySettingsCipher } from './gateway-settings-cipher.js';

/** The settings as they are read; null where the service has not their key. */
export interface ReadExtensionSettings {
  settings: KeptSettings | null;
  version: number;
}

export interface SettingsChange {
  extension: string;
  /** Null takes one away. */
  given: Readonly<Record<string, string | null>>;
  /** All that is wrong with the settings as they would be. */
  judge(settings: Readonly<Record<string, string>>): SettingComplaint[];
}

/** Settings that an account has of extensions, kept as those of its gateways are. */
@Injectable()
export class AccountExtensionSettings {
  constructor(
    private readonly audited: AuditedWork,
    private readonly repository: ExtensionSettingsRepository,
    private readonly cipher: GatewaySettingsCipher,
  ) {}

  async find(accountId: Uuid, extension: string): Promise<ReadExtensionSettings> {
    const stored = await this.repository.find(accountId, extension);
    return stored ? this.cipher.read(stored) : { settings: {}, version: 1 };
  }

  /** @throws DomainError `version_mismatch`, and with every wrong field */
  async change(
    by: By,
    { extension, given, judge }: SettingsChange,
    expected: ExpectedVersions,
    guard?: CommitGuard<ReadExtensionSettings>,
  ): Promise<ReadExtensionSettings> {
    return this.audited.run(by, guard, async ({ tx, accountId, serverNow, record }) => {
      const stored = await this.repository.getForUpdate(tx, accountId, extension);
      const before = stored ? this.cipher.read(stored) : { settings: {}, version: 1 };
      assertVersion(expected, before.version);
      const at = serverNow();
      // Settings that nobody can read are made anew by whoever sends all of them.
      const settings = changedSettings(before.settings ?? {}, given, at);
      const complaints = judge(settingTexts(settings, false));
      if (complaints.length > 0) throw invalidFields(wrongSettings(complaints));
      if (JSON.stringify(settings) === JSON.stringify(before.settings)) return before;
      const owner = { accountId, extension, id: `ext:${extension}` as const };
      const after = { ...owner, settings, version: before.version + 1 };
      this.repository.save(tx, { ...after, sealed: this.cipher.seal(owner, settings) }, at);
      record({
        action: 'extension_settings.updated',
        subject: extension,
        before: stored ? setTimesOf(before.settings) : null,
        after: setTimesOf(settings),
      });
      return after;
    });
  }
}
