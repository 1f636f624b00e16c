import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { newStandardSecret, standardKeyOf } from '../../kernel/standard-webhook.js';
import { Config } from '../../platform/config/config.js';
import { keyIdIn, Keyring } from '../../platform/keyring.js';
import { Resealing } from '../../platform/resealing.js';
import type { Signing, WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { WebhookEndpointRepository } from '../infrastructure/webhook-endpoint.repository.js';

type Owner = Pick<WebhookEndpoint, 'accountId' | 'id'>;

/** Signs what leaves: the bytes of a secret that both have, or a private key. */
export type SigningKey =
  | { signing: 'hmac'; secret: Buffer }
  | { signing: 'ed25519'; key: KeyObject };

/** A secret as it is kept, and what of it its owner is told. */
interface MadeSecret {
  sealed: Buffer;
  /** Of hmac: `whsec_` and base64. */
  told: string | null;
  /** Of ed25519: `whpk_` and base64. */
  publicKey: string | null;
}

/** The header of an Ed25519 public key in DER; the key itself follows. */
const PUBLIC_HEADER_BYTES = 12;

/** Secrets that sign deliveries, encrypted for their endpoint alone. */
@Injectable()
export class WebhookSecrets {
  private readonly keyring: Keyring;

  constructor(
    config: Config,
    private readonly endpoints: WebhookEndpointRepository,
    resealing: Resealing,
  ) {
    this.keyring = Keyring.derived(config.secrets, 'quittance webhook secrets');
    resealing.add({ what: 'secrets of webhook endpoints', reseal: () => this.resealAll() });
  }

  make(owner: Owner, signing: Signing): MadeSecret {
    if (signing === 'hmac') {
      const told = newStandardSecret();
      const sealed = this.keyring.encrypt(standardKeyOf(told)!, aboutOf(owner));
      return { sealed, told, publicKey: null };
    }
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const kept = privateKey.export({ type: 'pkcs8', format: 'der' });
    const shown = publicKey.export({ type: 'spki', format: 'der' }).subarray(PUBLIC_HEADER_BYTES);
    return {
      sealed: this.keyring.encrypt(kept, aboutOf(owner)),
      told: null,
      publicKey: `whpk_${shown.toString('base64')}`,
    };
  }

  /** The newest first, and the one before while it lasts; none if they cannot be read. */
  keysOf(endpoint: WebhookEndpoint, now: Date): SigningKey[] {
    const { previousSecretEndsAt: ends } = endpoint;
    const newest = this.read(endpoint, endpoint.sealedSecret);
    if (!newest) return [];
    const previous = ends !== null && now < ends && endpoint.previousSealedSecret;
    const before = previous ? this.read(endpoint, previous) : null;
    return before ? [newest, before] : [newest];
  }

  private async resealAll(): Promise<number> {
    let count = 0;
    for (const endpoint of await this.endpoints.ofAllAccounts()) {
      if (await this.reseal(endpoint)) count += 1;
    }
    return count;
  }

  /** @returns whether an older secret had encrypted it */
  private async reseal(endpoint: WebhookEndpoint): Promise<boolean> {
    const { sealedSecret, previousSealedSecret } = endpoint;
    const newest = this.resealed(endpoint, sealedSecret);
    const previous = previousSealedSecret && this.resealed(endpoint, previousSealedSecret);
    if (!newest && !previous) return false;
    await this.endpoints.reseal(endpoint, newest ?? sealedSecret, previous ?? previousSealedSecret);
    return true;
  }

  /** Null where it is so already, or cannot be read. */
  private resealed(owner: Owner, sealed: Buffer): Buffer | null {
    if (keyIdIn(sealed) === this.keyring.newest.id) return null;
    const plain = this.keyring.decrypt(sealed, aboutOf(owner));
    return plain && this.keyring.encrypt(plain, aboutOf(owner));
  }

  private read(endpoint: WebhookEndpoint, sealed: Buffer): SigningKey | null {
    const plain = this.keyring.decrypt(sealed, aboutOf(endpoint));
    if (!plain) return null;
    const { signing } = endpoint;
    if (signing === 'hmac') return { signing, secret: plain };
    return { signing, key: createPrivateKey({ key: plain, format: 'der', type: 'pkcs8' }) };
  }
}

const aboutOf = ({ accountId, id }: { accountId: Uuid; id: Uuid }) => `${accountId}/${id}`;
