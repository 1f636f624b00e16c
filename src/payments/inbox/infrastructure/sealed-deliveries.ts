import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Config } from '../../../platform/config/config.js';
import { Keyring } from '../../../platform/keyring.js';
import type { Delivery } from '../../port/domain/gateway.js';

/** A password of the provider's proves nothing any more, and cookies are of nobody. */
const NEVER_KEPT = new Set(['authorization', 'proxy-authorization', 'cookie']);
const LENGTH_BYTES = 4;

/** Deliveries as they are stored: headers and body together, encrypted, each for its own row. */
@Injectable()
export class SealedDeliveries {
  private readonly keyring: Keyring;

  constructor(config: Config) {
    this.keyring = Keyring.derived(config.secrets, 'quittance gateway deliveries');
  }

  seal(id: Uuid, { headers, rawBody }: Delivery): Buffer {
    const kept = Object.entries(headers).filter(([name]) => !NEVER_KEPT.has(name));
    const head = Buffer.from(JSON.stringify(Object.fromEntries(kept)));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(head.length);
    return this.keyring.encrypt(Buffer.concat([length, head, rawBody]), id);
  }

  /** Null if its key is gone. */
  open(id: Uuid, sealed: Buffer): Delivery | null {
    const plain = this.keyring.decrypt(sealed, id);
    if (!plain) return null;
    const bodyAt = LENGTH_BYTES + plain.readUInt32BE();
    const head = plain.subarray(LENGTH_BYTES, bodyAt).toString();
    return {
      headers: JSON.parse(head) as Delivery['headers'],
      rawBody: plain.subarray(bodyAt),
    };
  }
}
