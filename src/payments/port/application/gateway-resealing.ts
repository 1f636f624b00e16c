import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { Log } from '../../../platform/observability/log.js';
import { AccountGatewayRepository } from '../infrastructure/account-gateway.repository.js';
import { GatewaySettingsCipher } from './gateway-settings-cipher.js';

/** At the start, what an older secret encrypted is encrypted anew, so that it can be dropped. */
@Injectable()
export class GatewayResealing implements OnApplicationBootstrap {
  constructor(
    private readonly repository: AccountGatewayRepository,
    private readonly cipher: GatewaySettingsCipher,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.doesJobs || this.config.secrets.length < 2) return;
    try {
      const count = await this.run();
      if (count > 0) this.log.info({ count }, 'settings of gateways have the newest secret');
    } catch (error) {
      this.log.warn({ error }, 'settings of gateways keep an older secret');
    }
  }

  /** @returns how many had an older key */
  private async run(): Promise<number> {
    let count = 0;
    for (const gateway of await this.repository.ofAllAccounts()) {
      const resealed = this.cipher.resealed(gateway);
      if (!resealed) continue;
      await this.repository.reseal(gateway, resealed);
      count += 1;
    }
    return count;
  }
}
