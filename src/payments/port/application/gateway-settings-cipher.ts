import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { keyIdIn, Keyring } from '../../../platform/keyring.js';
import type { AccountGateway, KeptSettings, ReadGateway } from '../domain/account-gateway.js';

type Owner = Pick<AccountGateway, 'accountId' | 'id'>;

/** Encrypts the settings of a gateway for it alone: in another row they cannot be decrypted. */
@Injectable()
export class GatewaySettingsCipher {
  private readonly keyring: Keyring;

  constructor(config: Config) {
    this.keyring = Keyring.derived(config.secrets, 'quittance gateway settings');
  }

  seal(owner: Owner, settings: KeptSettings): Buffer {
    return this.keyring.encrypt(Buffer.from(JSON.stringify(settings)), aboutOf(owner));
  }

  read(gateway: AccountGateway): ReadGateway {
    const plain = this.keyring.decrypt(gateway.sealed, aboutOf(gateway));
    const settings = plain && (JSON.parse(plain.toString('utf8')) as KeptSettings);
    return { ...gateway, settings };
  }

  /** Under the newest key; null where it is so already, or cannot be read. */
  resealed(gateway: AccountGateway): Buffer | null {
    if (keyIdIn(gateway.sealed) === this.keyring.newest.id) return null;
    const { settings } = this.read(gateway);
    return settings && this.seal(gateway, settings);
  }
}

function aboutOf({ accountId, id }: Owner): string {
  return `${accountId}/${id}`;
}
