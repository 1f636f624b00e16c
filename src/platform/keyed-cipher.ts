import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { randomBytesOf } from '../kernel/random-bytes.js';
import type { Keyring } from './keyring.js';

const ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const NOTHING: Buffer = Buffer.alloc(0);

/** Encrypts what is stored (AES-256-GCM), with the newest key of a ring. */
export class KeyedCipher {
  constructor(private readonly keyring: Keyring) {}

  /**
   * The id of the key, then what it encrypted.
   * @param boundTo the row that it is of: in another row it is not opened
   */
  encrypt(plain: Buffer, boundTo: Buffer = NOTHING): Buffer {
    const { id, key } = this.keyring.newest;
    const iv = randomBytesOf(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(boundTo);
    const parts = [iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat([Buffer.from(id, 'hex'), ...parts]);
  }

  /** Null if no key of ours fits: it was changed, or its key is gone. */
  decrypt(encrypted: Buffer, boundTo: Buffer = NOTHING): Buffer | null {
    const named = this.keyring.byId(encrypted.subarray(0, ID_BYTES).toString('hex'));
    return named ? decrypted(named.key, encrypted.subarray(ID_BYTES), boundTo) : null;
  }
}

/** Opens bytes that one key encrypted, without its id. */
export function decrypted(
  key: KeyObject,
  encrypted: Buffer,
  boundTo: Buffer = NOTHING,
): Buffer | null {
  if (encrypted.length < IV_BYTES + TAG_BYTES) return null;
  const iv = encrypted.subarray(0, IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(boundTo);
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
  const plain = decipher.update(encrypted.subarray(IV_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return null;
  }
}
