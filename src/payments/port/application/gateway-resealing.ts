import { Injectable } from '@nestjs/common';
import { Resealing } from '../../../platform/resealing.js';
import { AccountGatewayRepository } from '../infrastructure/account-gateway.repository.js';
import { ExtensionSettingsRepository } from '../infrastructure/extension-settings.repository.js';
import { GatewaySettingsCipher } from './gateway-settings-cipher.js';

/** Settings of gateways and extensions follow the secrets of the operator. */
@Injectable()
export class GatewayResealing {
  constructor(
    gateways: AccountGatewayRepository,
    extensions: ExtensionSettingsRepository,
    private readonly cipher: GatewaySettingsCipher,
    resealing: Resealing,
  ) {
    resealing.add({
      what: 'settings of gateways and extensions',
      reseal: async () => (await this.resealAll(gateways)) + (await this.resealAll(extensions)),
    });
  }

  private async resealAll<Kept extends Sealed>(kept: Resealed<Kept>): Promise<number> {
    let count = 0;
    for (const one of await kept.ofAllAccounts()) {
      const resealed = this.cipher.resealed(one);
      if (!resealed) continue;
      await kept.reseal(one, resealed);
      count += 1;
    }
    return count;
  }
}

type Sealed = Parameters<GatewaySettingsCipher['resealed']>[0];

interface Resealed<Kept> {
  ofAllAccounts(): Promise<Kept[]>;
  reseal(one: Kept, resealed: Buffer): Promise<void>;
}
