import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { settingComplaints, unknownSetting } from '../gateways/index.js';
import type { Uuid } from '../kernel/ids.js';
import { AccountExtensionSettings, type SettingComplaint } from '../payments/index.js';
import type { AccountSettingsShape } from './extension.js';
import { Installation } from './installation.js';

/** The settings that each account has of an extension. */
@Injectable()
export class AccountSettings {
  constructor(
    private readonly installation: Installation,
    private readonly settings: AccountExtensionSettings,
  ) {}

  /**
   * @param schema the one that the extension has in `accountSettings`
   * @returns null while the account has not set what the schema needs, or nobody can read it
   */
  async of<Schema extends z.ZodType>(
    accountId: Uuid,
    schema: Schema,
  ): Promise<z.output<Schema> | null> {
    const extension = this.installation.extensions.find(
      ({ accountSettings }) => accountSettings?.schema === schema,
    );
    if (!extension) throw new Error('no extension has this schema as its accountSettings');
    const { settings } = await this.settings.find(accountId, extension.name);
    if (settings === null) return null;
    const texts = Object.entries(settings).map(([name, { value }]) => [name, value]);
    const { data, success } = schema.safeParse(Object.fromEntries(texts));
    return success ? data : null;
  }
}

/** All that is wrong with the settings of an account: names that there are not, and what the schema says. */
export function complaintsAbout(
  extension: string,
  { schema, kinds }: AccountSettingsShape,
  given: Readonly<Record<string, string>>,
): SettingComplaint[] {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(kinds, name));
  if (unknown.length > 0) return unknown.map((setting) => unknownSetting(setting, extension));
  const issues = schema.safeParse(given).error?.issues ?? [];
  return settingComplaints(extension, given, issues);
}
