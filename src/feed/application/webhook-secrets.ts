import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { newStandardSecret, standardKeyOf } from '../../kernel/standard-webhook.js';
import { Config } from '../../platform/config/config.js';
import { keyIdIn, Keyring } from '../../platform/keyring.js';
import { Log } from '../../platform/observability/log.js';
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
export class WebhookSecrets implements OnApplicationBootstrap {
  private readonly keyring: Keyring;

  constructor(
    private readonly config: Config,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly log: Log,
  ) {
    this.keyring = Keyring.derived(config.secrets, 'quittance webhook secrets');
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

  /** At the start, what an older secret of the operator encrypted is encrypted anew. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.doesJobs || this.config.secrets.length < 2) return;
    try {
      for (const endpoint of await this.endpoints.ofAllAccounts()) await this.reseal(endpoint);
    } catch (error) {
      this.log.warn({ error }, 'secrets of webhook endpoints keep an older secret');
    }
  }

  private async reseal(endpoint: WebhookEndpoint): Promise<void> {
    const { sealedSecret, previousSealedSecret } = endpoint;
    const kept = [sealedSecret, ...(previousSealedSecret ? [previousSealedSecret] : [])];
    if (kept.every((one) => keyIdIn(one) === this.keyring.newest.id)) return;
    const [newest, previous = null] = kept.map((one) => {
      const plain = this.keyring.decrypt(one, aboutOf(endpoint));
      return plain && this.keyring.encrypt(plain, aboutOf(endpoint));
    });
    if (newest) await this.endpoints.reseal(endpoint, newest, previous ?? previousSealedSecret);
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
