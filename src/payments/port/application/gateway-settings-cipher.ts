import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { keyIdIn, Keyring } from '../../../platform/keyring.js';
import type { AccountGateway, KeptSettings } from '../domain/account-gateway.js';

type Owner = Pick<AccountGateway, 'accountId' | 'id'>;
type Sealed = Owner & { sealed: Buffer };

/** Encrypts the settings of a gateway, or of an extension, for it alone: in another row they cannot be decrypted. */
@Injectable()
export class GatewaySettingsCipher {
  private readonly keyring: Keyring;

  constructor(config: Config) {
    this.keyring = Keyring.derived(config.secrets, 'quittance gateway settings');
  }

  seal(owner: Owner, settings: KeptSettings): Buffer {
    return this.keyring.encrypt(Buffer.from(JSON.stringify(settings)), aboutOf(owner));
  }

  read<Kept extends Sealed>(kept: Kept): Kept & { settings: KeptSettings | null } {
    const plain = this.keyring.decrypt(kept.sealed, aboutOf(kept));
    const settings = plain && (JSON.parse(plain.toString('utf8')) as KeptSettings);
    return { ...kept, settings };
  }

  /** Under the newest key; null where it is so already, or cannot be read. */
  resealed(kept: Sealed): Buffer | null {
    if (keyIdIn(kept.sealed) === this.keyring.newest.id) return null;
    const { settings } = this.read(kept);
    return settings && this.seal(kept, settings);
  }
}

function aboutOf({ accountId, id }: Owner): string {
  return `${accountId}/${id}`;
}
