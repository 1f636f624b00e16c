import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { Log } from '../../../platform/observability/log.js';
import { AccountGatewayRepository } from '../infrastructure/account-gateway.repository.js';
import { ExtensionSettingsRepository } from '../infrastructure/extension-settings.repository.js';
import { GatewaySettingsCipher } from './gateway-settings-cipher.js';

/** At the start, what an older secret encrypted is encrypted anew, so that it can be dropped. */
@Injectable()
export class GatewayResealing implements OnApplicationBootstrap {
  constructor(
    private readonly gateways: AccountGatewayRepository,
    private readonly extensions: ExtensionSettingsRepository,
    private readonly cipher: GatewaySettingsCipher,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.doesJobs || this.config.secrets.length < 2) return;
    try {
      const count = await this.run();
      if (count > 0)
        this.log.info({ count }, 'settings of gateways and extensions have the newest secret');
    } catch (error) {
      this.log.warn({ error }, 'settings of gateways and extensions keep an older secret');
    }
  }

  /** @returns how many had an older key */
  private async run(): Promise<number> {
    return (await this.resealAll(this.gateways)) + (await this.resealAll(this.extensions));
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
