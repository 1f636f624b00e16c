import { Body, Controller, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { FieldRefusal } from '../kernel/field-refusals.js';
import type { ExpectedVersions } from '../kernel/versions.js';
import {
  AccountExtensionSettings,
  ExtensionSettingsBody,
  GatewayRefusal,
  PatchExtensionSettingsRequest,
  presentExtensionSettings,
  type ReadExtensionSettings,
} from '../payments/index.js';
import { IfMatch } from '../platform/http/if-match.js';
import { byClient, type Caller, CallerOf } from '../platform/http/request.js';
import { Get, Patch } from '../platform/http/route.js';
import type { Once } from '../platform/idempotency/idempotency.js';
import { OnceOnly } from '../platform/idempotency/once.decorator.js';
import { complaintsAbout } from './account-settings.js';
import type { AccountSettingsShape } from './extension.js';

/** `GET` and `PATCH settings`: those of the caller's account, whose secrets are never told again. */
export function settingsController(extension: string, shape: AccountSettingsShape): Type {
  const word = `${extension.slice(0, 1).toUpperCase()}${extension.slice(1)}`;
  const [read, change] = [`get${word}Settings`, `update${word}Settings`];
  const kinds = new Map(Object.entries(shape.kinds));
  const present = (settings: ReadExtensionSettings) => presentExtensionSettings(settings, kinds);

  @ApiTags(extension)
  @Controller('settings')
  class SettingsController {
    constructor(readonly settings: AccountExtensionSettings) {}

    @Get('', 'settings:write', {
      summary: `Read your settings of ${extension}`,
      description: 'Secrets are shown by their end. The `ETag` is their version.',
      answers: ExtensionSettingsBody,
    })
    async [read](@CallerOf() { accountId }: Caller) {
      return present(await this.settings.find(accountId, extension));
    }

    @Patch('', 'settings:write', {
      summary: `Change your settings of ${extension}`,
      description: 'The body is a JSON Merge Patch, also of `settings`. Secrets are encrypted.',
      takes: 'mergePatch',
      answers: ExtensionSettingsBody,
      problems: [
        FieldRefusal.validation_failed,
        GatewayRefusal.unknown_setting,
        GatewayRefusal.setting_required,
        GatewayRefusal.invalid_setting,
      ],
    })
    async [change](
      @CallerOf() caller: Caller,
      @Body({ schema: PatchExtensionSettingsRequest }) body: PatchExtensionSettingsRequest,
      @IfMatch() expected: ExpectedVersions,
      @OnceOnly() once: Once,
    ) {
      const judge = complaintsAbout.bind(undefined, extension, shape);
      const wish = { extension, given: body.settings ?? {}, judge };
      return once.run(present, (guard) =>
        this.settings.change(byClient(caller), wish, expected, guard),
      );
    }
  }
  return SettingsController;
}
